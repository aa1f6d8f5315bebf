import type { Interaction, Pact } from '../pact.ts';

/** A pact to verify, its origin, and the broker's statements about it. */
export interface Source {
  readonly pact: Pact;
  /** The displayed origin: a path, or its broker address without credentials. */
  readonly from: string;
  /** A failure does not fail the run: according to the broker the pact is pending or a work in progress. */
  readonly pending: boolean;
  /** Why the broker selected it, one sentence each. */
  readonly notices: readonly string[];
  /** Why it cannot be read; then its interactions are not its own. */
  readonly unreadable?: string;
}

/** How an interaction ended. */
export type InteractionOutcome = 'verified' | 'failed' | 'unverified';

/** A difference between the answer and the pact's expectation, scrubbed. */
export interface Mismatch {
  readonly expected: string;
  readonly received: string;
  /** One line: where and what. */
  readonly what: string;
}

export interface InteractionResult {
  readonly interaction: Interaction;
  readonly ending: InteractionOutcome;
  /** Why it is unverified, or which part of its state failed. */
  readonly reason?: string;
  /** The request that was sent to the provider, without secrets; absent when there was none. */
  readonly asked?: string;
  readonly mismatches: readonly Mismatch[];
}

export interface PactResult {
  readonly source: Source;
  readonly interactions: readonly InteractionResult[];
  /** Why none of its requests was sent, although it was selected: a line each. */
  readonly refused?: readonly string[];
}

/** The outcomes of all pacts of a run. */
export interface Verification {
  readonly target: string;
  readonly pacts: readonly PactResult[];
  /** Set when the provider could not be judged: the reason, in one line. */
  readonly unjudged?: string;
  /** Set when it was a defect of this suite, not of the provider: the error, in lines. */
  readonly defect?: string;
  /** How many requests went to the provider. */
  readonly requests: number;
  /** Removes the secrets of this run from a text, and whatever else may not be shown. */
  readonly clean: (text: string) => string;
  readonly exit: 0 | 1 | 2 | 3;
}
