import type { Interaction } from '../pact.ts';

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
