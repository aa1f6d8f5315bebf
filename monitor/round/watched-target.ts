import type { PayloadCheck } from '../../config/endpoints.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import type { KnownDeviation } from '../../contract/known.ts';
import type { SettingNames } from '../../contract/round/preflight.ts';
import type { Target } from '../../contract/round/target.ts';

export interface WatchedEndpoint extends Endpoint {
  readonly unfit?: PayloadCheck;
}

export interface WatchedTarget
  extends Pick<
    Target,
    | 'account'
    | 'connection'
    | 'requestsPerSecond'
    | 'secondAccount'
    | 'tokensPerSecond'
    | 'wrongCredentials'
  > {
  /** Its name in metrics, page and log: short, and never an address with a path. */
  readonly name: string;
  readonly endpoints: readonly [WatchedEndpoint, ...WatchedEndpoint[]];
  /** How often the quick probes run; by default the monitor's own period. */
  readonly periodSeconds?: number;
  /** By the probe's name: `off`, or how often it runs. */
  readonly chosen?: Readonly<Record<string, 'off' | { readonly everySeconds: number }>>;
  readonly intrusive?: boolean;
  /** How often a canary is started; by default every four hours. */
  readonly canaries?: 'off' | { readonly everySeconds: number };
  /** The tolerance of a token's lifetime (milliseconds); by default five seconds. */
  readonly toleranceMs?: number;
  readonly known?: readonly KnownDeviation[];
  readonly maintenance?: readonly Window[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The share of runs that must get an answer; by default 99.5 %. */
  readonly objectiveRatio?: number;
  /** Where its address and credentials were configured; by default in the environment. */
  readonly settingNames?: SettingNames;
}

/** A period in which findings do not count. Probing continues, so that recovery is visible. Milliseconds since 1970. */
export interface Window {
  readonly from: number;
  readonly until: number;
  readonly note?: string;
}

/** The first maintenance that overlaps the time between two instants of the wall clock. */
export const maintenanceIn = (
  windows: readonly Window[] = [],
  from: number,
  to = from,
): Window | undefined => windows.find((window) => window.from <= to && from < window.until);
