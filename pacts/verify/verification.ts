import type { Interaction, Pact } from '../pact.ts';

/** A pact to verify, where it came from, and what the broker says of it. */
export interface Source {
  readonly pact: Pact;
  /** As it is shown: a path, or the broker's address of it without credentials. */
  readonly from: string;
  /** A failure does not fail the run: the broker says that the pact is pending or a work in progress. */
  readonly pending: boolean;
  /** Why the broker gave it, one sentence each. */
  readonly notices: readonly string[];
  /** Why it cannot be read; then its interactions are not its own. */
  readonly unreadable?: string;
}

/** How an interaction ended. */
export type Ending = 'verified' | 'failed' | 'unverified';

/** A difference between the answer and the pact's expectation, scrubbed. */
export interface Mismatch {
  readonly expected: string;
  readonly received: string;
  /** One line: where and what. */
  readonly what: string;
}

export interface InteractionResult {
  readonly interaction: Interaction;
  readonly ending: Ending;
  /** Why it is unverified, or what of its state failed. */
  readonly reason?: string;
  /** The request as it went to the provider, without secrets; absent when there was none. */
  readonly asked?: string;
  readonly mismatches: readonly Mismatch[];
}

export interface PactResult {
  readonly source: Source;
  readonly interactions: readonly InteractionResult[];
  /** Why none of its requests was sent, although it was to be verified: a line each. */
  readonly refused?: readonly string[];
}

/** What became of all pacts of a run. */
export interface Verification {
  readonly target: string;
  readonly pacts: readonly PactResult[];
  /** Set when the provider could not be judged: why, in one line. */
  readonly unjudged?: string;
  /** Set when it was no fault of the provider's but a defect of this suite: what went wrong, in lines. */
  readonly defect?: string;
  /** How many requests went to the provider. */
  readonly requests: number;
  /** Takes the secrets of this run out of a text, and whatever else may not be shown. */
  readonly clean: (text: string) => string;
  readonly exit: 0 | 1 | 2 | 3;
}
