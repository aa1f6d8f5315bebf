import type { RequestSlots } from './ahead.ts';
import type { MustId, OpenId } from './clauses.ts';
import type { Service } from './http/client.ts';
import type { Endpoint } from './http/request.ts';
import type { Contract } from './judge/contract.ts';
import type { Judge } from './judge.ts';
import type { Account } from './secrets/secret.ts';
import type { Clock } from './time/clock.ts';

/** Everything that a probe may use. */
export interface World {
  readonly service: Service;
  readonly account: Account;
  /** The endpoint of this run; a probe that runs once gets the first that is not for HEAD. */
  readonly endpoint: Endpoint;
  readonly endpoints: readonly Endpoint[];
  readonly judge: Judge;
  readonly contract: Contract;
  readonly clock: Clock;
  /** For requests whose order does not matter; absent if they must follow one another. */
  readonly slots?: RequestSlots;
}

/** One behaviour of the provider, written once, and used by the gate, the monitor and the one-shot check. */
export interface Probe {
  /** The behaviour; also the file's name, and the name on the command line. */
  readonly name: string;
  /** What it proves when it passes. */
  readonly clauses: readonly (MustId | OpenId)[];
  /** Simulated time. Without it a probe must run in the present. */
  readonly needs?: 'clock';
  /** It uses more than a week of simulated time. Such probes run at the very end, because keys may expire (OPEN-10). */
  readonly span?: 'weeks';
  /** It judges a token that is repeated after its 24 hours. Such a token ends every other probe that needs a clock. */
  readonly anyAge?: true;
  /** It sends wrong credentials, which may lock an account: off in production unless it is enabled. */
  readonly intrusive?: true;
  /** It concerns the service as a whole and runs once, not once for each endpoint. */
  readonly once?: true;
  /** Its control may be any valid token: the monitor then uses the one that it keeps, instead of a new one. */
  readonly anyToken?: true;
  /** The clause that is violated when no token is issued; by default TOKEN-1. */
  readonly withoutToken?: MustId;
  /** `first`: the others depend on it; `last`: it may disturb the others. Both run alone, in the present. */
  readonly order?: 'first' | 'last';
  /** Its first request opens a new connection in each run, to show how long that takes, and the certificate. */
  readonly opensConnection?: true;
  /** How often the monitor runs it; absent if it is not useful in production. */
  readonly everySeconds?: number;
  run(world: World): Promise<void>;
}
