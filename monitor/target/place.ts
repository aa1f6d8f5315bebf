import type { Endpoint } from '../../contract/http/request.ts';
import type { Probe } from '../../contract/probe.ts';
import type { Timing } from '../schedule/schedule.ts';
import type { Run } from './run.ts';

/** Where a run belongs: one probe on one endpoint. */
export interface RunPlace {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
  readonly timing?: Pick<Timing, 'period'>;
  /** Its first run may be hours away, so the status of a target does not wait for it. */
  readonly unhurried?: true;
}

/** Names a run's place, also in the state file. */
export const placeOf = ({ outcome: { probe, endpoint } }: Run): string =>
  probe.once === true ? probe.name : `${probe.name} ${endpoint}`;

export const keyOf = ({ probe, endpoint: { method, path } }: RunPlace): string =>
  probe.once === true ? probe.name : `${probe.name} ${method} ${path}`;
