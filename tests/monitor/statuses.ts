import type { TokenStatus } from '../../monitor/canary/canary-status.ts';
import type { CanaryCheckStatus } from '../../monitor/canary/check-log.ts';
import { ContractStatus } from '../../monitor/target/contract-status.ts';
import type { Run } from '../../monitor/round/run.ts';
import { History } from '../../monitor/watch/history.ts';
import type { TallyStatus } from '../../monitor/watch/past.ts';
import { type Status, statusOf, type TargetStatus } from '../../monitor/watch/status.ts';
import { probes } from '../../probes/index.ts';
import { placesFor, target } from './runs.ts';

/** Midnight of a day, when the monitor of these tests started. */
export const start = Date.UTC(2027, 2, 1);

const aMinute = 60_000;
const anHour = 60 * aMinute;

/** A quarter of an hour after the start. */
export const now = new Date(start + 15 * aMinute);

/** The monitor's status after these runs, a quarter of an hour after its start. */
export function statusWith(runs: readonly Run[]): Status {
  return statusAbout([targetAfter(runs)]);
}

/** The monitor's status with these targets. */
export const statusAbout = (targets: readonly TargetStatus[]): Status => ({
  version: '1.2.3',
  startedAt: new Date(start),
  now,
  draining: false,
  missedTicks: 0,
  targets,
});

/** The status of a target after these runs. */
export function targetAfter(runs: readonly Run[]): TargetStatus {
  const places = placesFor(probes);
  const standing = new ContractStatus(places, probes, start);
  const histories = new Map(places.map(({ probe }) => [probe.name, new History()]));
  for (const run of runs) {
    standing.take(run);
    histories.get(run.result.probe.name)?.add(run);
  }
  return statusOf({ target, places, standing, histories }, now.getTime());
}

/** Two days in which a provider was sometimes unreachable, and sometimes violated the contract. */
export const hours: TargetStatus['hours'] = Array.from({ length: 48 }, (_, index) =>
  tally(new Date(start - (47 - index) * anHour), 720, {
    ...(index === 47 ? { kept: 175, broken: 5 } : {}),
    ...(index === 20 ? { kept: 700, unreachable: 20 } : {}),
    ...(index === 21 ? { kept: 0, unreachable: 720 } : {}),
    ...(index === 33 ? { kept: 715, broken: 5 } : {}),
    ...(index === 40 ? { kept: 718, defect: 2 } : {}),
  }),
).filter((_, index) => index !== 8 && index !== 9);

function tally(from: Date, kept: number, change: Partial<TallyStatus>): TallyStatus {
  return { from, kept, broken: 0, unreachable: 0, defect: 0, ...change };
}

/** Two days with a slow evening, and a night without a measurement. */
export const latency: TargetStatus['latency'] = Array.from({ length: 96 }, (_, index) => ({
  from: new Date(start - (95 - index) * (anHour / 2)),
  requests: 60,
  p50Seconds: 0.012 + (index % 5) / 1000 + (index > 60 && index < 70 ? 0.04 : 0),
  p95Seconds: 0.031 + (index % 7) / 500 + (index > 58 && index < 72 ? 0.22 : 0),
})).filter((_, index) => (index < 14 || index > 26) && index !== 80 && index !== 82);

/** A violation that is still open, and earlier events: more than are shown at once. */
export const events: TargetStatus['events'] = Array.from({ length: 14 }, (_, index) => {
  const from = new Date(start + 720_000 - index * 37 * anHour);
  const what = (['violated', 'unreachable', 'partly'] as const)[index % 3] ?? 'violated';
  const durationSeconds = index === 0 ? 180 : 60 * 7 ** (index % 5);
  return {
    what,
    from,
    durationSeconds,
    until: index === 0 ? undefined : new Date(from.getTime() + durationSeconds * 1000),
    ...(what === 'violated' ? { clause: 'BEARER-2' } : { detail: 'no answer within 10 s' }),
  };
});

/** The check times of a canary, as its age in seconds. */
const checkTimes = [3600, 43_200, 82_800, 86_100, 86_370, 86_430, 86_700, 90_000, 176_400];

/** Canaries of a provider whose tokens live this long. */
export function tokenOf(livesSeconds: number): TokenStatus {
  const tolerance = 5;
  const checks = checkTimes.flatMap((seconds, step) =>
    [0, 1, 2].slice(0, step < 3 ? 2 : 3).map((canary): CanaryCheckStatus => {
      const leastSeconds = seconds + canary * 7 + 0.1;
      const admitted = leastSeconds < livesSeconds;
      const late = admitted && leastSeconds > 86_400 + tolerance;
      const early = !admitted && leastSeconds + 0.2 < 86_400 - tolerance;
      return {
        at: new Date(start + (seconds - 176_400) * 1000 + canary * anHour),
        leastSeconds,
        mostSeconds: leastSeconds + 0.2,
        admitted,
        verdict: late ? 'late_accept' : early ? 'early_reject' : 'ok',
      };
    }),
  );
  const alive = checks.filter(({ admitted }) => admitted);
  const dead = checks.filter(({ admitted }) => !admitted);
  return {
    canaries: {
      alive: 3,
      expired: 12,
      failed: Math.abs(livesSeconds - 86_400) > 5 ? 2 : 0,
      lost: 1,
    },
    toleranceSeconds: tolerance,
    atLeastSeconds: Math.max(0, ...alive.map(({ leastSeconds }) => leastSeconds)),
    atMostSeconds: Math.min(...dead.map(({ leastSeconds }) => leastSeconds + 0.2)),
    checks: checks.reverse(),
  };
}
