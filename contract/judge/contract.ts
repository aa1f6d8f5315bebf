import type { MustId, OpenId } from '../clauses.ts';
import type { Finding, Observation } from '../finding.ts';
import type { Answer } from '../http/answer.ts';
import type { Service } from '../http/client.ts';
import type { CallOptions, Endpoint } from '../http/request.ts';
import type { RepetitionOptions } from './repetitions.ts';

/** A request, with all that deviates from a plain one. */
export interface RequestOptions extends CallOptions {
  /** By default the endpoint of this run. */
  readonly to?: Endpoint;
  /** A connection that the probe keeps. */
  readonly via?: Service;
}

/** Why a request must be refused, and the control: the answer to the same request with a valid token. */
export interface Contrast {
  readonly control: Answer;
  readonly reason: string;
}

/** The same for a way around the guard, with the endpoint's answer to a plain request with a valid token. */
export interface BypassContrast extends Contrast {
  readonly authorised: Answer;
}

/** A violation, as a probe describes it. */
export type Breach = Pick<Finding, 'expected' | 'received'> & { readonly reason: string };

/** The violated clause; or a function that finds it out by further requests, called only if the clause is violated. */
export type Clause = MustId | ((answer: Answer) => Promise<MustId>);

/** An answer, and a function that sends its request again. */
export interface Exchanged {
  readonly answer: Answer;
  readonly again: () => Promise<Answer>;
  /** Sends the same request to a path that does not exist. */
  readonly elsewhere?: () => Promise<Answer>;
}

/**
 * Sends requests, judges the answers and records findings. It never stops at the first one. An unexpected answer
 * becomes a finding only if the provider repeats it: four times before it has given four right answers. With one
 * accident in a hundred requests, an accident is mistaken for a fault once in five million requests.
 */
export interface Contract {
  /**
   * The request is authorised: any answer except 401 is right (OPEN-7). If it is refused, the clauses are violated, and
   * later requests prove nothing.
   * @throws Unreachable
   */
  admits(
    request: RequestOptions,
    clause: Clause | readonly MustId[],
    reason?: string,
  ): Promise<Answer>;
  /** Sends a request without a judgement: one of several at once, or one that prepares another. @throws Unreachable */
  send(request?: RequestOptions): Promise<Exchanged>;
  /**
   * The request is unauthorised: 401 and its envelope are right. If the request is admitted, the clause is violated;
   * any other answer violates an ERROR clause.
   * @throws Unreachable
   */
  refuses(request: RequestOptions, clause: Clause, contrast: Contrast): Promise<Answer>;
  /** Judges an answer as `refuses` does. */
  judgeRefusal(exchanged: Exchanged, clause: Clause, contrast: Contrast): Promise<void>;
  /**
   * A way around the guard must not get the endpoint's own answer; any other answer is right.
   */
  judgeBypass(exchanged: Exchanged, clause: MustId, contrast: BypassContrast): Promise<void>;
  /** The token endpoint answers a request with valid credentials with the success envelope. @throws Unreachable */
  issues(request: RequestOptions, reason?: string): Promise<Answer>;
  /**
   * The answer to a request without a token. If it is not 401, the request is repeated up to three times: one other
   * answer may be an accident. Without any 401 the probe proves nothing.
   * @throws Unreachable
   */
  missing(request?: RequestOptions, contrast?: Contrast): Promise<Answer | undefined>;
  /** Any other violation that a probe has seen, and the request of it if it may be an accident. */
  violated(clause: MustId, answer: Answer, breach: Breach): void;
  /** Records why the probe proved nothing; the first reason counts. */
  unproven(why: string): void;
  /** A fact that the contract leaves open. */
  observe(id: OpenId, fact: string, value: string): void;
}

/** What a probe has found. */
export interface Findings {
  readonly findings: Finding[];
  readonly observations: Observation[];
  unproven?: string;
  /** A request was answered with 401. Without any, no difference with and without a token was seen. */
  sawRefusal?: true;
}

/** What a judge knows of the run. */
export interface ContractRun {
  readonly probe: string;
  /** As findings name it. */
  readonly endpointName: string;
  readonly endpoint: Endpoint;
  readonly service: Service;
  /** Removes secrets from a text of the provider. */
  readonly scrub: (text: string) => string;
  /** Whether time is simulated, so that ages of tokens are meaningful. */
  readonly simulated: boolean;
  /** A known violation that may be why a valid token is refused. */
  readonly disturbed?: string;
  /** How accidents on the way are told from faults. */
  readonly repetitions?: RepetitionOptions;
}
