import { refusalText } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { duration, lifetime } from '../durations.ts';
import type { Doubts, Finding, Observation } from '../finding.ts';
import { type Answer, header, readJson } from '../http/answer.ts';
import type { Service } from '../http/client.ts';
import { type CallOptions, type Endpoint, tokenEndpointName } from '../http/request.ts';
import { inBody } from '../schema.ts';
import { printable } from '../secrets/printable.ts';
import { brief } from '../words.ts';

/** A violation, as a probe describes it. By default the contract's 401 was expected. */
export interface Breach extends Pick<Finding, 'received' | 'seen'> {
  readonly reason: string;
  readonly expected?: string;
}

/** A request, to the endpoint of the run by default, and over a connection that the probe keeps if there is one. */
export type RequestOptions = CallOptions & { readonly to?: Endpoint; readonly via?: Service };

/** Why a request must be refused, and the control: the answer to the same request with a valid token. */
export interface Contrast {
  readonly control: Answer;
  readonly reason: string;
  /** By default the contract's 401. */
  readonly expected?: string;
}

/** What a probe has found. */
export interface Findings {
  readonly findings: Finding[];
  readonly observations: Observation[];
  /** Why the probe proves nothing although it may have found no violation. */
  unproven?: string;
  /** Clauses that the provider's own words make doubtful. */
  doubts?: Doubts;
  /** A request was answered with 401. Without any, no difference with and without a token was seen. */
  sawRefusal?: true;
  /** The greatest age at which a valid token was admitted in simulated time. */
  oldestAdmittedMs?: number;
  /** The least age at which an expired token was refused as such. */
  youngestRefusedMs?: number;
  /** With which request of its lists the next run goes on, if this one has sent only a part of them. */
  nextRow?: number;
}

/** A part of the lists of a probe, counted in requests. */
export interface Part {
  readonly from: number;
  readonly most: number;
}

/** What a judge knows of the run. */
export interface ContractRun {
  readonly probe: string;
  /** As findings name it. */
  readonly endpointName: string;
  /** Removes secrets from a text of the provider. */
  readonly scrub: (text: string) => string;
  /** Whether time is simulated, so that ages of tokens are meaningful. */
  readonly simulated: boolean;
  readonly endpoint: Endpoint;
  readonly service: Service;
  /** Checks the provider as a whole. @throws StoppedError, perhaps because of a status that no valid token got before */
  readonly checkAlive?: (unexpectedStatus?: number) => Promise<void>;
  /** A known violation that may be why a valid token is refused. */
  readonly disturbed?: string;
  /** Which part of its lists the probe sends; by default all. */
  readonly part?: Part;
}

/** The finding that an answer violates a clause: what was asked, expected and received, and when. */
export function createFinding(
  run: Pick<ContractRun, 'probe' | 'endpointName' | 'scrub' | 'simulated'>,
  clause: MustId,
  answer: Answer,
  { reason, expected = refusalText, received, seen }: Breach,
): Finding {
  const { probe, endpointName, scrub, simulated } = run;
  const { line, tokenAgeMs, trace, curl } = answer.request;
  const isAged = simulated && tokenAgeMs !== undefined;
  const age = isAged ? `at ${duration(tokenAgeMs)} after the token was made` : '';
  const body = bodyText(answer);
  return {
    clause,
    probe,
    endpoint: endpointName,
    when: ownText([age, reason].filter(Boolean).join(', ')),
    asked: ownText(line),
    expected: ownText(expected),
    received: providerText(received, scrub),
    ...(seen === undefined ? {} : { seen }),
    trace,
    curl: curl?.(),
    body: body && providerText(body, scrub),
  };
}

/** The violated clause, or a function that finds it out by further requests. */
export type ClauseOf = MustId | ((answer: Answer) => Promise<MustId>);

/** What a diagnosis needs of a 401. @param clause what an admission would have violated */
export function noteRefusal(record: Findings, answer: Answer, clause: ClauseOf): void {
  // Only in probes about other clauses a token may be refused for another cause than its age.
  const isAboutEnd = typeof clause === 'function' || clause.startsWith('EXPIRY');
  const { tokenAgeMs = 0 } = answer.request;
  record.sawRefusal = true;
  if (isAboutEnd && tokenAgeMs >= lifetime)
    record.youngestRefusedMs = Math.min(record.youngestRefusedMs ?? tokenAgeMs, tokenAgeMs);
}

/**
 * The body of a refusal as one line. A success, and every answer of the token endpoint, may hold a token under another
 * name, or data that the reader of a report must not see: of these only a denial's message or a page's title is shown.
 */
function bodyText(answer: Answer): string | undefined {
  const { body, status, request } = answer;
  if (body.length > 65_536) return undefined;
  const { value, why } = readJson(answer);
  const text = why === undefined ? JSON.stringify(value) : `${body}`.replace(/\s+/g, ' ').trim();
  // It may be a credential that was not registered as a secret.
  const shown = text.replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[secret]');
  if (status >= 400 && !request.line.startsWith(tokenEndpointName)) return shown || undefined;
  const [success, message] = ['success', 'message'].map((name) => inBody(answer, name));
  if (success === false && typeof message === 'string') return JSON.stringify({ success, message });
  return /<title\b[^>]*>[^<]*/i.exec(shown)?.[0];
}

/** An answer, as an observation says it. */
export const summarize = (answer: Answer | undefined): string =>
  answer === undefined
    ? 'no answer'
    : `${answer.status} ${header(answer, 'content-type')?.split(';')[0] ?? ''}`.trim();

/** Our own text, which holds no secret: as much of it as may be shown. */
export const ownText = (text: string): string => printable(brief(text, 500).toWellFormed());

/** A provider's text: without secrets, and without characters that write on a terminal or break XML. */
export const providerText = (text: string, scrub: (text: string) => string): string =>
  ownText(scrub(text));
