/** Numbers in buckets: how many were at most each of `processingBounds`, and the sum and the number of all. */
export interface Distribution {
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** Typical response times of an API in seconds, from unnoticeable to hopeless. */
export const processingBounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

export const noDurations: Distribution = {
  counts: processingBounds.map(() => 0),
  sum: 0,
  count: 0,
};

/** The distribution after one more value. */
export const withValue = ({ counts, sum, count }: Distribution, seconds: number): Distribution => ({
  counts: counts.map(
    (number, index) => number + (seconds <= (processingBounds[index] ?? 0) ? 1 : 0),
  ),
  sum: sum + seconds,
  count: count + 1,
});

/** The control of one endpoint in half an hour. */
export interface HalfHour {
  readonly from: number;
  readonly passed: number;
  readonly failed: number;
  readonly unreachable: number;
  /** Of the answers, from the first byte sent to the last byte received; absent without one. */
  readonly p50Seconds?: number;
  readonly p95Seconds?: number;
  /** The number of answers by their duration: only of the latest half hour. */
  readonly buckets?: Readonly<Record<number, number>>;
}

export const halfHourMs = 1_800_000;
const maxHalfHours = 96;

/** Buckets are 9 % apart, so a quantile is accurate to about 4 %. */
const bucketsPerDoubling = 8;
const minSeconds = 0.0001;

const findBucket = (seconds: number): number =>
  Math.max(0, Math.round(Math.log2(seconds / minSeconds) * bucketsPerDoubling));

const bucketSeconds = (bucket: number): number =>
  Number((minSeconds * 2 ** (bucket / bucketsPerDoubling)).toPrecision(3));

/** The half hours after a run. A wall clock that jumps removes none. @param seconds of its answer */
export function withRun(
  halfHours: readonly HalfHour[],
  at: number,
  outcome: 'passed' | 'failed' | 'unreachable',
  seconds?: number,
): readonly HalfHour[] {
  const from = Math.floor(at / halfHourMs) * halfHourMs;
  const last = halfHours.at(-1);
  const isSame = last?.from === from;
  const none: HalfHour = { from, passed: 0, failed: 0, unreachable: 0 };
  const present = isSame ? last : none;
  const earlier = isSame
    ? halfHours.slice(0, -1)
    : halfHours.map(({ buckets: _, ...half }) => half);
  const buckets = { ...present.buckets };
  if (seconds !== undefined) {
    const bucket = findBucket(seconds);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  const runs = present[outcome] + 1;
  const now = { ...present, [outcome]: runs, buckets, ...computeQuantiles(buckets) };
  return [...earlier, now].slice(-maxHalfHours);
}

function computeQuantiles(buckets: Readonly<Record<number, number>>) {
  const sorted = Object.entries(buckets).map(([bucket, count]) => [Number(bucket), count] as const);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return {};
  const quantile = (share: number): number => {
    let countSoFar = 0;
    for (const [bucket, count] of sorted) {
      countSoFar += count;
      if (countSoFar >= share * total) return bucketSeconds(bucket);
    }
    return 0;
  };
  return { p50Seconds: quantile(0.5), p95Seconds: quantile(0.95) };
}
