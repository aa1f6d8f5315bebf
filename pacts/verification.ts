import type { Interaction, Pact } from './pact.ts';

/** A pact to verify. */
export interface Source {
  readonly pact: Pact;
  /** Its displayed origin: a file, or an address of the broker. */
  readonly from: string;
  /** The broker reports the pact as pending or as work in progress, so its failure does not fail the run. */
  readonly pending: boolean;
  /** The broker's own document of it. */
  readonly document?: unknown;
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
  /** Makes a text of a pact one short line without secrets and control characters. */
  readonly clean: (text: string) => string;
  readonly exit: 0 | 1 | 2 | 3;
}

/** What the relay has seen of one interaction, and the outcome if Pact's core does not judge it. */
export interface Visit {
  readonly interaction: Interaction;
  setUps: number;
  requests: number;
  /** The values of its states. */
  values: Readonly<Record<string, unknown>>;
  /** The request that was sent to the provider. It holds secrets. */
  request?: string;
  /** The body of the response, which may hold secrets, and what may have caused a failure. */
  body?: string;
  likely?: string;
  /** What a reader of a success must know: a token was replaced, or a state was not torn down. */
  readonly remarks: string[];
  /** The request, as method and path, that another interaction must show to be admitted: else a 401 proves nothing. */
  needs?: string;
  ended?: InteractionEnd;
  /** It got no answer, though the provider answers others. */
  isPrevented?: boolean;
}

/**
 * The outcome of an interaction without a verdict of Pact's core. It has failed if the provider does not do what a
 * state or a control requires. It is unverified if the reason is the pact, the state handler or this suite.
 */
export class InteractionEnd extends Error {
  override readonly name = 'InteractionEnd';
  readonly ending: 'failed' | 'unverified';

  private constructor(ending: InteractionEnd['ending'], reason: string) {
    super(reason);
    this.ending = ending;
  }

  static failed = (reason: string): InteractionEnd => new InteractionEnd('failed', reason);
  static unverified = (reason: string): InteractionEnd => new InteractionEnd('unverified', reason);
}
