import { createHash } from 'node:crypto';
import type { Probe } from '../contract/probe.ts';
import type { Target } from '../contract/round.ts';
import type { Endpoint } from '../contract/service.ts';
import type { Slot, Timing } from './schedule.ts';

/** A provider that is watched. */
export interface WatchedTarget
  extends Pick<Target, 'wire' | 'account' | 'endpoints' | 'perSecond'> {
  /** What metrics, page and log call it: a short name, never an address with a path. */
  readonly name: string;
}

/** One probe on one endpoint of one target. */
export interface ProbeSlot extends Slot {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
}

export interface Pace {
  /** How often the quick probes run. */
  readonly periodSeconds: number;
  /** Another seed gives other offsets, so that several monitors do not ask at the same instants. */
  readonly seed: string;
}

/** What the quick probes say in `everySeconds`. */
const quickSeconds = 60;

/** At the start every probe runs once soon, spread by so much for each of them, so that the first picture is whole. */
const openingMs = 50;

/**
 * The probes that a monitor can run: those that say how often, need no simulated time, and send no wrong credentials,
 * which may lock an account.
 */
export const monitored = (probes: readonly Probe[]): Probe[] =>
  probes.filter(
    ({ everySeconds, needs, intrusive }) =>
      everySeconds !== undefined && needs === undefined && intrusive === undefined,
  );

/**
 * The slots of a target. A probe's own period is scaled: at 30 instead of 60 seconds, all of them run twice as often.
 */
export function slotsOf(
  target: WatchedTarget,
  probes: readonly Probe[],
  { periodSeconds, seed }: Pace,
): ProbeSlot[] {
  const places = monitored(probes).flatMap((probe) =>
    (probe.once === true ? [target.endpoints[0]] : target.endpoints).map((endpoint) => ({
      probe,
      endpoint,
    })),
  );
  return places.map(({ probe, endpoint }) => {
    const key = `${target.name} ${probe.name} ${endpoint.method} ${endpoint.path}`;
    const everySeconds = probe.everySeconds ?? quickSeconds;
    const period = Math.round((everySeconds * periodSeconds * 1000) / quickSeconds);
    return {
      key,
      target: target.name,
      probe,
      endpoint,
      timing: timingOf(`${seed} ${key}`, period, openingMs * places.length),
    };
  });
}

/** Where a slot lies in its period follows from its name alone, so that a restart moves nothing. */
function timingOf(name: string, period: number, opening: number): Timing {
  const part = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
  return {
    firstAt: Math.floor(part * Math.min(opening, period)),
    offset: Math.floor(part * period),
    period,
  };
}
