import * as v from 'valibot';
import { isObject } from '../../contract/json-value.ts';
import { moved, oldestMs, type Reading } from './age.ts';
import type { Canary } from './canary.ts';
import { canaryStates } from './verdict.ts';

/** Increase this when the format changes. */
const version = 1;

const number = v.pipe(v.number(), v.finite());
const age = v.pipe(v.number(), v.minValue(0), v.maxValue(oldestMs));

export const reading = v.object({
  boot: v.string(),
  monotonic: number,
  uptime: number,
  wall: number,
  provider: v.optional(number),
});

const row = v.object({
  version: v.literal(version),
  id: v.string(),
  controlStatus: number,
  madeAt: number,
  state: v.picklist(canaryStates),
  anchor: v.object({
    // What is not a number is not an age, and `moved` drops all such values.
    least: v.fallback(v.number(), Number.NaN),
    most: v.fallback(v.nullable(v.number(), Infinity), Number.NaN),
    s: reading,
    r: reading,
  }),
  bounds: v.pipe(
    v.custom<object>(isObject),
    v.object({ atLeast: v.optional(age), atMost: v.optional(age) }),
  ),
  climbed: age,
  admittedAt: number,
  doubtedUntil: v.optional(number),
  clocksDiffer: v.fallback(v.optional(v.object({ ms: age, at: number })), undefined),
});

/** A canary in the state file, in JSON: there Infinity is null. The sealed token is stored beside it. */
export const saved = (canary: Canary): object => ({ ...canary, version });

/**
 * Reads a canary back. An impossible age counts as unknown, which violates no clause; so does the time between
 * two boots of the machine.
 * @returns undefined if it is not a canary of this version
 */
export function restored(value: unknown, now: Reading): Canary | undefined {
  const { success, output } = v.safeParse(row, value);
  if (!success) return undefined;
  const { version: _, ...canary } = output;
  return { ...canary, anchor: moved(canary.anchor, now) };
}
