import type { MustId, OpenId } from './clauses.ts';
import type { Service } from './http/client.ts';
import type { Endpoint } from './http/request.ts';
import type { Contract } from './judge/contract.ts';
import type { Account } from './secrets/secret.ts';
import type { Clock } from './time/clock.ts';

/** Everything that a probe may use. */
export interface World {
  readonly service: Service;
  readonly account: Account;
  /** The endpoint of this run; a probe that runs once gets the first that changes nothing. */
  readonly endpoint: Endpoint;
  readonly endpoints: readonly Endpoint[];
  readonly contract: Contract;
  readonly clock: Clock;
  /** How many wrong secrets may still be sent; by default any number. */
  readonly guesses?: { left: number };
}

/** Where a probe runs: on every endpoint; on the first that changes nothing and those configured as deep; or once. */
type Scope = 'core' | 'deep' | 'service';

/**
 * When a probe runs, in this order. `first`: the others depend on it. `present`: without simulated time. `simulated`:
 * up to a week of it. `disturbing`: it may disturb others, so it runs alone. `wrong-credentials`: it may lock the
 * account. `years`: more than a week, at the end because keys may expire (OPEN-10).
 */
export const stages = [
  'first',
  'present',
  'simulated',
  'disturbing',
  'wrong-credentials',
  'years',
] as const;

export type Stage = (typeof stages)[number];

/** Whether a stage needs a clock that can be set. */
export const needsClock = ({ stage }: Pick<Probe, 'stage'>): boolean =>
  stage === 'simulated' || stage === 'years';

/** Whether a probe sends wrong credentials. */
export const isIntrusive = ({ stage }: Pick<Probe, 'stage'>): boolean =>
  stage === 'wrong-credentials';

/** The probe of an endpoint's payload. */
export const payloadProbeName = 'the-payload-is-as-its-schema-says';

/** How often the monitor runs a probe that sends many requests (seconds). */
export const daily = 86_400;

/** One behaviour of the provider, written once, and used by the gate, the monitor and the one-shot check. */
export interface Probe {
  /** The behaviour, as the command line, settings and findings name it. */
  readonly name: string;
  /** What it proves when it passes. */
  readonly clauses: readonly (MustId | OpenId)[];
  readonly scope: Scope;
  readonly stage: Stage;
  /** Whether the level `quick` has it too. */
  readonly quick?: true;
  /**
   * It is about the token that follows an expired one: no token then violates EXPIRY-6, and it judges a token that is
   * repeated after its 24 hours. Such a token ends every other probe that needs a clock.
   */
  readonly renews?: true;
  /** Its control may be any valid token: the monitor then uses the one that it keeps, instead of a new one. */
  readonly anyToken?: true;
  /** Its first request with a valid token opens a new connection, to show how long that takes, and the certificate. */
  readonly opensConnection?: true;
  /** How often the monitor runs it; absent if it is not useful in production. */
  readonly everySeconds?: number;
  run(world: World): Promise<void>;
}

/** The occasions of most probes: the monitor runs them once a day, and their control may be any token. */
export const onceADay = {
  scope: 'deep',
  stage: 'present',
  everySeconds: daily,
  anyToken: true,
} as const satisfies Partial<Probe>;
