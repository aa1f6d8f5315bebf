import { field, isNumber, isObject } from '../../contract/http/answer.ts';
import { type Anchor, moved, oldestMs, type Reading } from '../token-age/age.ts';
import { canaryStates } from '../token-age/verdict.ts';
import type { Canary } from './canary.ts';

/** A canary in the state file, in JSON: there Infinity is null. The sealed token is stored beside it. */
export function saved(canary: Canary): object {
  const { anchor } = canary;
  const most = anchor.most === Infinity ? null : anchor.most;
  return { ...canary, version, anchor: { ...anchor, most } };
}

/**
 * Reads a canary back. An impossible age counts as unknown, which violates no clause; so does the time between
 * two boots of the machine.
 * @returns undefined if it is not a canary of this version
 */
export function restored(value: unknown, now: Reading): Canary | undefined {
  if (field(value, 'version') !== version) return undefined;
  const [id, endpoint] = [field(value, 'id'), field(value, 'endpoint')];
  const [controlStatus, madeAt] = [field(value, 'controlStatus'), field(value, 'madeAt')];
  const [climbed, admittedAt] = [field(value, 'climbed'), field(value, 'admittedAt')];
  const doubtedUntil = field(value, 'doubtedUntil');
  const clocksDifferMs = field(value, 'clocksDifferMs');
  const state = canaryStates.find((one) => one === field(value, 'state'));
  const anchor = anchorFrom(field(value, 'anchor'));
  const bounds = boundsFrom(field(value, 'bounds'));
  if (typeof id !== 'string' || typeof endpoint !== 'string') return undefined;
  if (!isNumber(controlStatus) || !isNumber(madeAt) || !isNumber(admittedAt)) return undefined;
  if (!isAge(climbed) || (doubtedUntil !== undefined && !isNumber(doubtedUntil))) return undefined;
  if (state === undefined || anchor === undefined || bounds === undefined) return undefined;
  return {
    ...{ id, endpoint, controlStatus, madeAt, state, bounds, climbed, admittedAt },
    anchor: moved(anchor, now),
    doubtedUntil,
    ...(isAge(clocksDifferMs) ? { clocksDifferMs } : {}),
  };
}

/** Increase this when the format changes. */
const version = 1;

function anchorFrom(value: unknown): Anchor | undefined {
  const [s, r] = [readingFrom(field(value, 's')), readingFrom(field(value, 'r'))];
  if (s === undefined || r === undefined) return undefined;
  const [least, most] = [field(value, 'least'), field(value, 'most')];
  // A value that is not a number is not an age, and `moved` drops all such values.
  return {
    least: isNumber(least) ? least : Number.NaN,
    most: most === null ? Infinity : isNumber(most) ? most : Number.NaN,
    s,
    r,
  };
}

export function readingFrom(value: unknown): Reading | undefined {
  const [boot, monotonic] = [field(value, 'boot'), field(value, 'monotonic')];
  const [uptime, wall] = [field(value, 'uptime'), field(value, 'wall')];
  const provider = field(value, 'provider');
  if (typeof boot !== 'string' || !isNumber(monotonic)) return undefined;
  if (!isNumber(uptime) || !isNumber(wall)) return undefined;
  if (provider === undefined) return { boot, monotonic, uptime, wall };
  return isNumber(provider) ? { boot, monotonic, uptime, wall, provider } : undefined;
}

function boundsFrom(value: unknown): Canary['bounds'] | undefined {
  const [atLeast, atMost] = [field(value, 'atLeast'), field(value, 'atMost')];
  if (!isObject(value) || (atLeast !== undefined && !isAge(atLeast))) return undefined;
  if (atMost !== undefined && !isAge(atMost)) return undefined;
  return {
    atLeast,
    atMost,
  };
}

const isAge = (value: unknown): value is number =>
  isNumber(value) && value >= 0 && value <= oldestMs;
