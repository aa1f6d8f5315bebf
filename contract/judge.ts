import type { MustId, OpenId } from './clauses.ts';
import type { Confirmations } from './confirmation.ts';
import type { Finding, Observation } from './finding.ts';
import type { Answer } from './http/answer.ts';

/** The reason for a refusal, and the control: the same request with a valid token, which was admitted. */
export interface Contrast {
  readonly control: Answer;
  readonly reason: string;
}

/** The same for a bypass of the guard, and the endpoint's own answer to a plain request with a valid token. */
export interface BypassContrast extends Contrast {
  readonly authorised: Answer;
}

/** A violation, as a probe describes it. */
export type Breach = Pick<Finding, 'expected' | 'received'> & { readonly reason: string };

/** Records findings, and does not stop at the first. It never throws. */
export interface Judge {
  /**
   * The request is authorised: any answer except 401 is right (OPEN-7). If a control fails, later requests prove
   * nothing.
   */
  admitted(answer: Answer, clause: MustId, reason?: string): void;
  /**
   * The request is unauthorised: 401 and its envelope are right. If the request is admitted, the clause is violated;
   * any other answer violates an ERROR clause.
   */
  refused(answer: Answer, clause: MustId, contrast: Contrast): void;
  /**
   * A bypass of the guard must not get the endpoint's own answer; any other answer is right. It is judged only if the
   * same request with a valid token reaches the endpoint.
   */
  shut(answer: Answer, clause: MustId, contrast: BypassContrast): void;
  /** The answer of the token endpoint is the success envelope. */
  issued(answer: Answer, reason?: string): void;
  /** Any other violation that a probe has seen. */
  broken(clause: MustId, answer: Answer, breach: Breach): void;
  /** Records why the probe proved nothing. */
  unproven(why: string): void;
  /**
   * The probe is about a 401, so it proves nothing if this request without a token gets another answer, also when it is
   * repeated: one other answer may be an accident.
   * @returns the answer, or the first 401 to the repeated request
   */
  about401(answer: Answer): Promise<Answer>;
  /** A fact that the contract leaves open. */
  observe(id: OpenId, fact: string, value: string): void;
}

/** The results of a judge. */
export interface Findings {
  readonly findings: Finding[];
  readonly observations: Observation[];
  unproven?: string;
}

/** What a judge needs besides the answers. */
export interface JudgeContext {
  /** Removes secrets from a text of the provider. */
  readonly scrub: (text: string) => string;
  /** Whether time is simulated, so that ages of tokens are meaningful. */
  readonly simulated: boolean;
  /** A known violation that may be why a valid token is refused, if there is one. */
  readonly disturbed?: string;
  /** Separates faults from accidents on the way; without it every unexpected answer is a finding at once. */
  readonly confirmations?: Confirmations;
}
