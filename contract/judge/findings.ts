import { refusalText } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { evidenceOf, ownText, providerText } from '../evidence.ts';
import type { Finding, Observation } from '../finding.ts';
import type { Answer } from '../http/answer.ts';
import type { Service } from '../http/client.ts';
import type { Endpoint } from '../http/request.ts';
import { duration } from '../time/clock.ts';
import type { RepetitionOptions } from './repetitions.ts';

/** A violation, as a probe describes it. By default the contract's 401 was expected. */
export interface Breach extends Pick<Finding, 'received' | 'seen'> {
  readonly reason: string;
  readonly expected?: string;
}

/** What a probe has found. */
export interface Findings {
  readonly findings: Finding[];
  readonly observations: Observation[];
  unproven?: string;
  /** A request was answered with 401. Without any, no difference with and without a token was seen. */
  sawRefusal?: true;
  /** With which request of its lists the next run goes on, if this one has sent only a part of them. */
  nextRow?: number;
}

/** A part of the lists of a probe, counted in requests. */
export interface Part {
  readonly from: number;
  readonly most: number;
}

/** Where findings are made. */
export interface FindingContext {
  readonly probe: string;
  /** As findings name it. */
  readonly endpointName: string;
  /** Removes secrets from a text of the provider. */
  readonly scrub: (text: string) => string;
  /** Whether time is simulated, so that ages of tokens are meaningful. */
  readonly simulated: boolean;
}

/** What a judge knows of the run. */
export interface ContractRun extends FindingContext {
  readonly endpoint: Endpoint;
  readonly service: Service;
  /** A known violation that may be why a valid token is refused. */
  readonly disturbed?: string;
  /** How accidents on the way are told from faults. */
  readonly repetitions?: RepetitionOptions;
  /** Which part of its lists the probe sends; by default all. */
  readonly part?: Part;
}

/** The finding that an answer violates a clause: what was asked, expected and received, and when. */
export function findingOf(
  { probe, endpointName, scrub, simulated }: FindingContext,
  clause: MustId,
  answer: Answer,
  { reason, expected = refusalText, received, seen }: Breach,
): Finding {
  const { line, tokenAgeMs } = answer.request;
  const when = [reason].filter((part) => part !== '');
  if (simulated && tokenAgeMs !== undefined)
    when.unshift(`at ${duration(tokenAgeMs)} after the token was made`);
  const { body, ...evidence } = evidenceOf(answer);
  return {
    clause,
    probe,
    endpoint: endpointName,
    when: ownText(when.join(', ')),
    asked: ownText(line),
    expected: ownText(expected),
    received: providerText(received, scrub),
    ...(seen === undefined ? {} : { seen }),
    ...evidence,
    body: body && providerText(body, scrub),
  };
}
