import { tokenBreach } from '../admission.ts';
import type { Confirmations } from '../confirmation.ts';
import { evidenceOf, providerText } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import { type Answer, outline } from '../http/answer.ts';
import type { NoToken } from '../http/client.ts';
import { tokenEndpointName } from '../http/request.ts';
import type { IssuedTokens } from './issued-tokens.ts';

/*
 * The answers that gave probes their tokens. Few probes judge such an answer as a whole. One of several servers may
 * give a wrong one all the same, so all of them are counted.
 */

const about = { clause: 'TOKEN-1', endpoint: tokenEndpointName } as const;

/** Counts an issued token, and an earlier answer without one. */
export function noteToken(
  confirmations: Confirmations,
  accident: NoToken | undefined,
  scrub: (text: string) => string,
): void {
  confirmations.count(about);
  if (accident === undefined) return;
  const { expected, answer } = accident;
  confirmations.excuse(findingOf(answer, { expected, received: outline(answer) }, scrub));
}

/** Counts the answers that gave a token in another form than the success envelope. */
export function noteUnfit(
  confirmations: Confirmations,
  { unfit: { first, count } }: IssuedTokens,
  scrub: (text: string) => string,
): void {
  const breach = first && tokenBreach(first);
  if (first === undefined || breach === undefined) return;
  confirmations.excuse(findingOf(first, breach, scrub), count);
}

function findingOf(
  answer: Answer,
  { expected, received }: Pick<Finding, 'expected' | 'received'>,
  scrub: (text: string) => string,
): Finding {
  const { body, ...evidence } = evidenceOf(answer);
  return {
    ...about,
    probe: 'right-credentials-get-a-token',
    when: 'the credentials are valid',
    asked: about.endpoint,
    expected,
    received: providerText(received, scrub),
    ...evidence,
    body: body && providerText(body, scrub),
  };
}
