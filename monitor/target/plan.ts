import { createHash } from 'node:crypto';
import { type Endpoint, endpointName } from '../../contract/http/request.ts';
import { isIntrusive, needsClock, type Probe } from '../../contract/probe.ts';
import { endpointsFor } from '../../contract/round/scope.ts';
import type { Slot } from '../schedule/schedule.ts';
import type { Timing } from '../schedule/timing.ts';
import { isAboutPayload, payloadProbe } from './payload.ts';
import type { Run } from './run.ts';
import type { WatchedEndpoint, WatchedTarget } from './watched-target.ts';

/** One probe on one endpoint of one target. */
export interface ProbeSlot extends Slot {
  readonly probe: Probe;
  readonly endpoint: WatchedEndpoint;
  /** An extra run, because the previous one failed. */
  readonly confirms?: true;
}

/** The place of a run: one probe on one endpoint. */
export interface RunPlace {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
  readonly timing?: Pick<Timing, 'period'>;
  /** Its first run may be hours away, so the status of a target does not wait for it. */
  readonly unhurried?: true;
}

/** Names a run's place, also in the state file. */
export const placeOf = ({ result: { probe, endpoint } }: Run): string =>
  probe.scope === 'service' ? probe.name : `${probe.name} ${endpoint}`;

export const keyOf = ({ probe, endpoint }: RunPlace): string =>
  probe.scope === 'service' ? probe.name : `${probe.name} ${endpointName(endpoint)}`;

/** The slot of a canary that is started, started again after a failure, or checked. */
export interface CanarySlot extends Slot {
  readonly canary: 'start' | 'make up' | { readonly check: string };
}

export interface Pace {
  /** How often the quick probes run. */
  readonly periodSeconds: number;
  /** A different seed gives different offsets, so that several monitors do not send requests at the same instants. */
  readonly seed: string;
  /** The time over which the first runs are spread (milliseconds). */
  readonly openingMs: number;
  /** The monotonic clock. */
  readonly now: number;
}

/** The `everySeconds` of the quick probes. */
const quickSeconds = 60;

/** The period of probes that send wrong credentials. They run rarely, so that they do not lock an account. */
const intrusiveSeconds = 3600;

/**
 * The probes that a monitor can run: they have a period, need no simulated time, and send no wrong credentials,
 * which may lock an account, unless that is allowed.
 * @param allowed whether wrong credentials may be sent
 */
export const monitored = (probes: readonly Probe[], allowed = false): Probe[] =>
  probes.filter(
    (probe) =>
      !needsClock(probe) && (isIntrusive(probe) ? allowed : probe.everySeconds !== undefined),
  );

/**
 * The slots of a target. A configured period is used unchanged; a probe's own period is scaled: at 30 instead of
 * 60 seconds, all run twice as often.
 */
export function slotsOf(
  target: WatchedTarget,
  probes: readonly Probe[],
  { periodSeconds: usual, seed, openingMs, now }: Pace,
): ProbeSlot[] {
  const { name, endpoints, chosen = {}, intrusive, periodSeconds = usual } = target;
  const payloads = endpoints.flatMap(({ unfit }) =>
    unfit === undefined ? [] : [payloadProbe(unfit)],
  );
  return monitored([...probes, ...payloads], intrusive).flatMap((probe) => {
    const how = chosen[probe.name];
    if (how === 'off') return [];
    const own = ((probe.everySeconds ?? intrusiveSeconds) * periodSeconds) / quickSeconds;
    const period = Math.round((how?.everySeconds ?? own) * 1000);
    return endpointsOf(probe, endpoints).map((endpoint): ProbeSlot => {
      const key = `${name} ${probe.name} ${endpointName(endpoint)}`;
      const timing = timingOf(`${seed} ${key}`, period, openingMs, now);
      const offset = togetherOffset(`${seed} ${name}`, periodSeconds * 1000, timing);
      // The others then share the connection that this probe has opened.
      const leads = probe.opensConnection;
      return { key, target: name, probe, endpoint, timing: { ...timing, offset }, leads };
    });
  });
}

/** The endpoints of a probe: each one, one for all of them, or the one whose payload it checks. */
function endpointsOf(
  probe: Probe,
  endpoints: WatchedTarget['endpoints'],
): readonly WatchedEndpoint[] {
  if (!isAboutPayload(probe)) return endpointsFor(probe, { endpoints });
  return endpoints.filter(({ unfit }) => unfit !== undefined && probe.unfit === unfit);
}

/** When canaries are started, if at all. */
export function canarySlot(
  { name, canaries = { everySeconds: 4 * 3600 } }: WatchedTarget,
  { seed, now, openingMs }: Pace,
): CanarySlot | undefined {
  if (canaries === 'off') return undefined;
  const key = `${name} canary`;
  const period = canaries.everySeconds * 1000;
  return {
    key,
    target: name,
    canary: 'start',
    timing: timingOf(`${seed} ${key}`, period, openingMs, now),
  };
}

/** A slot's offset in its period depends only on its name and the seed, so a restart does not change it. */
function timingOf(name: string, period: number, openingMs: number, now: number): Timing {
  const part = partOf(name);
  return {
    firstAt: now + Math.floor(part * Math.min(openingMs, period)),
    offset: Math.floor(part * period),
    period,
  };
}

/** From 0 up to 1, exclusive. */
const partOf = (name: string): number =>
  createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;

/**
 * The probes of a target are due at one instant of each of its periods, so that they share connections. Rare probes
 * run in different periods. A slot whose period does not fit has its own instant.
 * @param name of the target
 * @param base how often its quick probes run
 */
function togetherOffset(name: string, base: number, { offset, period }: Timing): number {
  if (period % base !== 0) return offset;
  return Math.floor(partOf(name) * base) + base * Math.floor(offset / base);
}

/**
 * The same timing after a restart. The next run is due a period after the last one, so a daily run does not happen
 * at every start. A change of the wall clock in between costs at most one period.
 * @param elapsedMs since the last run, by the wall clock
 */
export const resumed = (timing: Timing, now: number, elapsedMs: number): Timing => ({
  ...timing,
  firstAt: Math.max(timing.firstAt, now + Math.min(timing.period - elapsedMs, timing.period)),
});

/** The places with the most frequent runs. */
export function quickest(places: readonly RunPlace[]): string[] {
  const period = Math.min(...places.map(({ timing }) => timing?.period ?? Infinity));
  return places.filter(({ timing }) => timing?.period === period).map(keyOf);
}
