import type { Body, Endpoint } from '../../contract/http/request.ts';
import type { Account } from '../../contract/secrets/secret.ts';
import type { Window } from '../schedule/maintenance.ts';
import type { Detail } from '../target/detail.ts';
import type { PayloadSchema } from '../target/payload.ts';
import type { Every } from './duration.ts';

/** One target, with its defaults applied. */
export interface TargetConfig {
  /** Unique among the targets. */
  readonly name: string;
  readonly baseUrl: URL;
  readonly account: Account;
  readonly endpoints: readonly [EndpointConfig, ...EndpointConfig[]];
  /** How often the quick probes run; all other periods are scaled with it. */
  readonly periodSeconds: number;
  readonly timeoutMs: number;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  /** The most requests a second; without it there is no limit. */
  readonly requestsPerSecond?: number;
  /** How far a token's lifetime may differ from 24 hours. */
  readonly toleranceMs: number;
  /** How often a canary is started; undefined: never. */
  readonly canaries: Every | undefined;
  /** By the name of the probe; all other probes use their own period. */
  readonly probes: Readonly<Record<string, 'off' | Every>>;
  /** Whether wrong credentials are sent too. */
  readonly intrusive: boolean;
  /** Whether the methods of endpoints may change something. */
  readonly writes: boolean;
  readonly maintenance: readonly Window[];
  readonly labels: Readonly<Record<string, string>>;
  readonly metrics: Detail;
  /** The share of runs that must get an answer. */
  readonly objectiveRatio: number;
  /** The processing time above which a run counts as slow. */
  readonly slowSeconds: number;
}

/** An endpoint; its query is in the path. */
export interface EndpointConfig extends Endpoint {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** The schema of the JSON in an admitted answer. */
  readonly schema?: PayloadSchema;
}
