import { field, isNumber, isObject, numberIn, textIn } from '../../contract/json-value.ts';
import { type Anchor, moved, oldestMs, type Reading } from './age.ts';
import { canaryStates } from './verdict.ts';
import type { Canary, ClockDifference } from './canary.ts';

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
  const id = textIn(value, 'id');
  const endpoint = textIn(value, 'endpoint');
  const controlStatus = numberIn(value, 'controlStatus');
  const madeAt = numberIn(value, 'madeAt');
  const climbed = field(value, 'climbed');
  const admittedAt = numberIn(value, 'admittedAt');
  const doubtedUntil = field(value, 'doubtedUntil');
  const state = canaryStates.find((one) => one === field(value, 'state'));
  const anchor = anchorFrom(field(value, 'anchor'));
  const bounds = field(value, 'bounds');
  if (id === undefined || endpoint === undefined || controlStatus === undefined) return undefined;
  if (madeAt === undefined || admittedAt === undefined || !isAge(climbed)) return undefined;
  if (doubtedUntil !== undefined && !isNumber(doubtedUntil)) return undefined;
  if (state === undefined || anchor === undefined || !isBounds(bounds)) return undefined;
  return {
    id,
    endpoint,
    controlStatus,
    madeAt,
    state,
    bounds,
    climbed,
    admittedAt,
    doubtedUntil,
    anchor: moved(anchor, now),
    clocksDiffer: differenceFrom(value, now),
  };
}

/** Rows of earlier versions have only the difference. */
function differenceFrom(value: unknown, now: Reading): ClockDifference | undefined {
  const difference = field(value, 'clocksDiffer');
  const ms = field(difference, 'ms') ?? field(value, 'clocksDifferMs');
  const at = field(difference, 'at') ?? now.uptime;
  return isAge(ms) && ms > 0 && isNumber(at) ? { ms, at } : undefined;
}

/** Increase this when the format changes. */
const version = 1;

function anchorFrom(value: unknown): Anchor | undefined {
  const s = field(value, 's');
  const r = field(value, 'r');
  if (!isReading(s) || !isReading(r)) return undefined;
  // A value that is not a number is not an age, and `moved` drops all such values.
  const least = numberIn(value, 'least') ?? Number.NaN;
  if (field(value, 'most') === null) return { least, most: Infinity, s, r };
  return { least, most: numberIn(value, 'most') ?? Number.NaN, s, r };
}

export const isReading = (value: unknown): value is Reading =>
  isObject(value) &&
  typeof value.boot === 'string' &&
  [value.monotonic, value.uptime, value.wall].every(isNumber) &&
  (value.provider === undefined || isNumber(value.provider));

const isBounds = (value: unknown): value is Canary['bounds'] =>
  isObject(value) && [value.atLeast, value.atMost].every((one) => one === undefined || isAge(one));

const isAge = (value: unknown): value is number =>
  isNumber(value) && value >= 0 && value <= oldestMs;
