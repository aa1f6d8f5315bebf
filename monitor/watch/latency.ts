import { field, isNumber } from '../../contract/json-value.ts';
import { control } from '../metrics/record.ts';
import { orUndefined } from '../state/opening.ts';
import type { StateStore } from '../state/state.ts';
import type { Run } from '../round/run.ts';
import { listOf } from './stored.ts';

/** The latency in seconds of requests with a valid token, in one interval. */
export interface LatencyInterval {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly requests: number;
  readonly p50Seconds: number;
  readonly p95Seconds: number;
}

/** An interval is half an hour. Intervals are kept for two days. */
export const latencyIntervalMs = 1_800_000;
const keptMs = 48 * 3_600_000;

/** Buckets are 9 % apart, so a quantile is accurate to about 4 %. */
const bucketsPerDoubling = 8;
const leastSeconds = 0.0001;

const bucketOf = (seconds: number): number =>
  Math.max(0, Math.round(Math.log2(seconds / leastSeconds) * bucketsPerDoubling));

const secondsOf = (bucket: number): number =>
  Number((leastSeconds * 2 ** (bucket / bucketsPerDoubling)).toPrecision(3));

/** Two entries are stored: the buckets of the current interval, and the quantiles of earlier ones. */
const kind = 'latency';
type State = Pick<StateStore, 'entries' | 'put'>;

/**
 * The latency of one target, measured with the control: the request with only a valid token that the metrics
 * `probe_http_…` show too. It runs from the first byte sent to the last byte received. DNS lookup, connecting and
 * TLS are excluded, because a kept connection does not need them. Only the buckets of the current interval are in
 * memory.
 */
export class Latency {
  readonly #target: string;
  readonly #state: State;
  #from: number | undefined;
  #counts = new Map<number, number>();

  /** @param target its name @throws StateOpenError */
  constructor(target: string, state: State) {
    this.#target = target;
    this.#state = state;
    const present = presentIn(state.entries(target, kind).get('present'));
    if (present === undefined) return;
    this.#from = present.from;
    this.#counts = new Map(present.counts);
  }

  /** @param retainedNow the instant from which the age of stored intervals counts (milliseconds since 1970) */
  take({ startedAt, result, authorised }: Run, retainedNow = startedAt): void {
    if (result.probe.name !== control || authorised?.phases === undefined) return;
    const from = Math.floor(startedAt / latencyIntervalMs) * latencyIntervalMs;
    if (from !== this.#from) this.#begin(from, retainedNow);
    const { processing, transfer } = authorised.phases;
    const bucket = bucketOf(processing + transfer);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    const present = { from, counts: [...this.#counts] };
    this.#state.put(this.#target, kind, 'present', present);
  }

  /** Ends the current interval and begins a new one. */
  #begin(from: number, retainedNow: number): void {
    const earlier = orUndefined(() => latencyIn(this.#state, this.#target));
    this.#from = from;
    this.#counts = new Map();
    if (earlier === undefined) return;
    // The clock of this run may be wrong.
    const isRecent = (one: LatencyInterval): boolean =>
      [from, retainedNow].some((now) => Math.abs(now - one.from) <= keptMs);
    const kept = earlier.filter((one) => one.from !== from && isRecent(one));
    this.#state.put(this.#target, kind, 'earlier', kept.map(packed));
  }
}

/** The last two days, oldest first, without intervals that have no measurement. @param now milliseconds since 1970 */
export const latencyOf = (
  state: Pick<State, 'entries'>,
  target: string,
  now: number,
): LatencyInterval[] =>
  (orUndefined(() => latencyIn(state, target)) ?? []).filter(({ from }) => from > now - keptMs);

function latencyIn(state: Pick<State, 'entries'>, target: string): LatencyInterval[] {
  const entries = state.entries(target, kind);
  const present = presentIn(entries.get('present'));
  const all = new Map(
    listOf(entries.get('earlier'), isPacked).map((row) => [row[0], unpacked(row)] as const),
  );
  if (present !== undefined) all.set(present.from, summaryOf(present));
  return [...all.values()].sort((one, other) => one.from - other.from);
}

interface Present {
  readonly from: number;
  /** The number of requests in each bucket. */
  readonly counts: ReadonlyMap<number, number>;
}

function summaryOf({ from, counts }: Present): LatencyInterval {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const requests = sorted.reduce((sum, [, count]) => sum + count, 0);
  const quantile = (share: number): number => {
    let seen = 0;
    for (const [bucket, count] of sorted) {
      seen += count;
      if (seen >= share * requests) return secondsOf(bucket);
    }
    return 0;
  };
  return { from, requests, p50Seconds: quantile(0.5), p95Seconds: quantile(0.95) };
}

type Packed = readonly [from: number, requests: number, p50Seconds: number, p95Seconds: number];

const packed = ({ from, requests, p50Seconds, p95Seconds }: LatencyInterval): Packed => [
  from,
  requests,
  p50Seconds,
  p95Seconds,
];

const unpacked = ([from, requests, p50Seconds, p95Seconds]: Packed): LatencyInterval => ({
  from,
  requests,
  p50Seconds,
  p95Seconds,
});

const isPacked = (value: unknown): value is Packed =>
  Array.isArray(value) && value.length === 4 && value.every(isNumber);

const isCount = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(isNumber);

/** Parses the current interval, which another version of the monitor or a damaged disk may have written. */
function presentIn(value: unknown): Present | undefined {
  const from = field(value, 'from');
  const counts = new Map(listOf(field(value, 'counts'), isCount));
  return isNumber(from) && counts.size > 0 ? { from, counts } : undefined;
}
