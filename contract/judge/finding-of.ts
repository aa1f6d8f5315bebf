import type { MustId } from '../clauses.ts';
import { evidenceOf, ownText, providerText } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import type { Answer } from '../http/answer.ts';
import { duration } from '../time/clock.ts';
import type { Breach, ContractRun } from './contract.ts';

/** The finding that an answer violates a clause: what was asked, expected and received, and when. */
export function findingOf(
  {
    probe,
    endpointName,
    scrub,
    simulated,
  }: Pick<ContractRun, 'probe' | 'endpointName' | 'scrub' | 'simulated'>,
  clause: MustId,
  answer: Answer,
  { reason, expected, received }: Breach,
): Finding {
  const { line, tokenAgeMs } = answer.request;
  const age =
    simulated && tokenAgeMs !== undefined
      ? `at ${duration(tokenAgeMs)} after the token was made`
      : '';
  const when = [age, reason].filter((part) => part !== '').join(', ');
  const { body, ...evidence } = evidenceOf(answer);
  return {
    clause,
    probe,
    endpoint: endpointName,
    when: ownText(when),
    asked: ownText(line),
    expected: ownText(expected),
    received: providerText(received, scrub),
    ...evidence,
    body: body && providerText(body, scrub),
  };
}
