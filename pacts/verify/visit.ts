import type { Interaction } from '../pact.ts';

/** The relay's observations of one interaction, and why it could not be left to Pact's core to judge it. */
export interface Visit {
  readonly interaction: Interaction;
  setUps: number;
  requests: number;
  /** The values of its states, in the form for Pact's core. */
  values: Readonly<Record<string, unknown>>;
  /** The request that was sent to the provider, without secrets. */
  asked?: string;
  ended?: Ended;
  /** Why the provider is not as it was before, which makes a success unverified. */
  leftover?: string;
}

/** How an interaction ended without a verdict of Pact's core. */
export interface Ended {
  readonly ending: 'failed' | 'unverified';
  readonly reason: string;
}

/**
 * Ends an interaction: it has failed if the provider violates what a state or a control needs, and is unverified
 * if the pact, the state handler or this suite is the reason.
 */
export class InteractionEnd extends Error implements Ended {
  readonly ending: Ended['ending'];

  private constructor(ending: Ended['ending'], reason: string) {
    super(reason);
    this.name = 'InteractionEnd';
    this.ending = ending;
  }

  get reason(): string {
    return this.message;
  }

  static failed(reason: string): InteractionEnd {
    return new InteractionEnd('failed', reason);
  }

  static unverified(reason: string): InteractionEnd {
    return new InteractionEnd('unverified', reason);
  }
}
