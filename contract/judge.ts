import type { MustId, OpenId } from './clauses.ts';
import type { Confirmations } from './confirmation.ts';
import type { Finding, Observation } from './finding.ts';
import type { Answer } from './http/answer.ts';

/** Why a refusal is due, and the same request with a valid token, which was admitted. */
export interface Contrast {
  readonly control: Answer;
  readonly reason: string;
}

export type Breach = Pick<Finding, 'expected' | 'received'> & { readonly reason: string };

/** Records what it finds, and never stops at the first. It never throws. */
export interface Judge {
  /**
   * The request is authorised: the answer is anything but 401 (OPEN-7). A control that fails proves nothing further.
   */
  admitted(answer: Answer, clause: MustId, reason?: string): void;
  /**
   * The request is unauthorised: 401 and its envelope. One that is let in breaks the clause, another answer an ERROR
   * clause.
   */
  refused(answer: Answer, clause: MustId, contrast: Contrast): void;
  /**
   * A way around the guard is shut, whatever the answer; judged where the same way with a valid token leads to the
   * endpoint.
   */
  shut(answer: Answer, clause: MustId, contrast: Contrast & { readonly authorised: Answer }): void;
  /** The answer of the token endpoint is the success envelope. */
  issued(answer: Answer): void;
  /** Anything else that a probe has seen broken. */
  broken(clause: MustId, answer: Answer, breach: Breach): void;
  /** The probe could prove nothing, and why. */
  unproven(why: string): void;
  /** A fact that the document leaves open. */
  observe(id: OpenId, fact: string, value: string): void;
}

/** What a judge has written down. */
export interface Findings {
  readonly findings: Finding[];
  readonly observations: Observation[];
  unproven?: string;
}

/** What a judge must know beside the answers. */
export interface JudgeContext {
  readonly scrub: (text: string) => string;
  /** Whether time is simulated, so that ages of tokens mean anything. */
  readonly simulated: boolean;
  /** Why a valid token may be refused for another reason than a broken BEARER-1, when there is one. */
  readonly disturbed?: string;
  /** Tells faults from accidents on the way; without it every unexpected answer is a finding at once. */
  readonly confirmations?: Confirmations;
}
