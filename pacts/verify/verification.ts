import type { Interaction, Pact } from '../pact.ts';

/** A pact to verify. */
export interface Source {
  readonly pact: Pact;
  /** Its displayed origin: a file, or an address of the broker. */
  readonly from: string;
  /** The broker reports the pact as pending or as work in progress, so its failure does not fail the run. */
  readonly pending: boolean;
}

/** A difference between the response and the pact's expectation, without secrets. */
export interface Mismatch {
  readonly expected: string;
  readonly received: string;
  /** One line: the place and the difference. */
  readonly what: string;
  /** As Pact's verifiers publish it: the part of the response, and the name of the header or the path in the body. */
  readonly attribute: 'status' | 'header' | 'body';
  readonly identifier?: string;
}

export interface InteractionResult {
  readonly interaction: Interaction;
  readonly ending: 'verified' | 'failed' | 'unverified';
  /** It is unverified although no setting and no state is missing, so it fails the run. */
  readonly isPrevented?: boolean;
  /** Why it is unverified, or which part of its state failed. */
  readonly reason?: string;
  /** The request that was sent to the provider, without secrets; absent when there was none. */
  readonly asked?: string;
  /** What a reader of a success must know, such as a valid token in place of the consumer's. */
  readonly remarks?: readonly string[];
  /** Only verified if another interaction of the run shows that this request is admitted: its method and path. */
  readonly needs?: string;
  /** The body of the response, if it failed. */
  readonly body?: string;
  /** Its likely cause, if it failed. */
  readonly likely?: string;
  /** Why a success proves little, or the pact should not be at a broker. */
  readonly warnings: readonly string[];
  readonly mismatches: readonly Mismatch[];
}

export interface PactResult {
  readonly source: Source;
  readonly interactions: readonly InteractionResult[];
}

/** Makes texts fit for display: one short line without secrets and control characters. */
export interface Cleaning {
  /** A text of the provider, of Pact's core or of a state handler: without anything that looks like a secret. */
  readonly foreign: (text: string) => string;
  /** A text of a pact or of the user: without the secrets of this run. */
  readonly own: (text: string) => string;
}

/** The outcomes of all pacts of a run. */
export interface Verification {
  readonly target: string;
  readonly pacts: readonly PactResult[];
  /** Set when the provider could not be judged: the reason, in one line. */
  readonly unjudged?: string;
  /** Set when this suite, not the provider, has a defect: the error with its stack. */
  readonly defect?: string;
  /** The number of requests to the provider. */
  readonly requests: number;
  readonly clean: Cleaning['own'];
  readonly exit: 0 | 1 | 2 | 3;
}
