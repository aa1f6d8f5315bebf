import type { ProbeResult } from './attempt.ts';
import type { Unverified } from './verdict.ts';

/** Accidents between the gate and the provider. */
export interface Noise {
  /** Requests that the network interrupted, and that were sent again. */
  readonly interrupted: number;
  /** Unexpected answers that the provider did not repeat. */
  readonly unrepeated: number;
  /** How long requests waited because the provider answered 429 (seconds). */
  readonly rateLimitedSeconds?: number;
}

/** What is known of a round so far: plain data, which another process can report or continue. */
export interface RoundFacts {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly results: readonly ProbeResult[];
  readonly requests: number;
  readonly noise: Required<Noise>;
  /** Why the provider, or a part of it, could not be judged: one line. */
  readonly unjudged?: string;
  /** Why probes did not run. */
  readonly notRun: Unverified;
  /** The last instant of simulated time (milliseconds since 1970): time only goes forward. */
  readonly instant?: number;
  /** Why the provider's clock could not be released. */
  readonly unreleased?: string;
}
