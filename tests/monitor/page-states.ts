import { endpointName } from '../../contract/http/request.ts';
import { judgeAge } from '../../monitor/canary/verdict.ts';
import type { Run } from '../../monitor/round/run.ts';
import { type HalfHour, halfHourMs } from '../../monitor/status/speed.ts';
import type { CanaryCheckStatus, Status, TargetEvent } from '../../monitor/status/status.ts';
import type { MonitorView, TargetView } from '../../monitor/status/view.ts';
import { probes } from '../../probes/index.ts';
import { broken, defect, kept, placesFor, unreachable } from './runs.ts';
import { monitorWith, now, start, statusAfter, tokenWith, viewWith } from './statuses.ts';

/** A run of each probe on each endpoint, some minutes after the start. The first one sees a fact, which changes. */
const round = (minute: number, make: typeof kept = kept): Run[] =>
  placesFor(probes).map(({ probe, endpoint }, index) =>
    make(probe, {
      at: start + minute * 60_000 + index,
      endpoint: endpointName(endpoint),
      observed: index === 0 ? [['OPEN-1', 'status', minute < 5 ? '200' : '201']] : [],
    }),
  );

const twoBroken: typeof kept = (probe, details) => {
  if (probe.name === 'every-endpoint-is-guarded') return broken(probe, 'BEARER-2', details);
  if (probe.name === 'every-cause-gets-the-same-401') return broken(probe, 'ERROR-3', details);
  return kept(probe, details);
};

/** The connection of every refusal is reset. */
const withoutRefusals: typeof kept = (probe, details) =>
  probe.stage === 'first' ? kept(probe, details) : unreachable(probe, 'reset', details);

/** Two days with an outage, a slow evening with failures, and a night without a measurement. */
const halfHours = (slow: number): HalfHour[] =>
  Array.from({ length: 96 }, (_, index): HalfHour => {
    const from = start - (95 - index) * halfHourMs;
    if (index > 39 && index < 43) return { from, passed: 0, failed: 0, unreachable: 30 };
    const p50Seconds = slow * (index > 58 && index < 72 ? 0.05 : 0.012 + (index % 5) / 1000);
    const failed = index === 66 ? 2 : 0;
    return { from, passed: 30, failed, unreachable: 0, p50Seconds, p95Seconds: 3 * p50Seconds };
  }).filter((_, index) => index < 14 || index > 26);

/** Earlier outages, more than are shown at once. */
const events = Array.from({ length: 13 }, (_, index): TargetEvent => {
  const from = start - (index + 1) * 37 * 3_600_000;
  const until = from + 60_000 * 7 ** (index % 5);
  return { what: 'unreachable', detail: 'no answer within 10 s', from, until };
});

/** The checks of three canaries of tokens that live this long, the latest first. */
const checksFor = (livesSeconds: number): CanaryCheckStatus[] =>
  [3600, 43_200, 82_800, 86_100, 86_370, 86_430, 86_700, 90_000, 176_400]
    .flatMap((seconds) => [seconds, seconds + 7, seconds + 14])
    .map((leastSeconds) => {
      const admitted = leastSeconds < livesSeconds;
      const mostSeconds = leastSeconds + 0.2;
      const age = { least: leastSeconds * 1000, most: mostSeconds * 1000 };
      const verdict = judgeAge(age, admitted, { toleranceMs: 5000 });
      return { at: start + age.least - 176_400_000, leastSeconds, mostSeconds, admitted, verdict };
    })
    .reverse();

/** A target that was watched for days before. */
function grown(status: Status, livesSeconds = 86_400, change: Partial<TargetView> = {}) {
  const token = tokenWith(livesSeconds);
  const view = viewWith(status, { token, labels: { team: 'payments', region: 'eu' }, ...change });
  const outcome = { outcome: 'passed', durationSeconds: 0.1, status: 200, isTls: true } as const;
  const endpoints = view.endpoints.map(({ name }, index) => {
    const last = { at: now - 12_000, ...outcome, ...status.endpoints[name]?.last };
    return [name, { last, halfHours: halfHours(index + 1) }];
  });
  const past = { events: [...status.events, ...events], checks: checksFor(livesSeconds) };
  return { ...view, status: { ...status, endpoints: Object.fromEntries(endpoints), ...past } };
}

const goodStatus = statusAfter(round(3), round(7), round(8));
export const good = grown(goodStatus);
export const waiting = viewWith(statusAfter());
export const bad = grown(statusAfter(round(3), round(12, twoBroken), round(13, twoBroken)));
const partly = statusAfter(round(3), round(12, withoutRefusals), round(13, withoutRefusals));
const silent =
  (reason: 'timeout' | 'credentials'): typeof kept =>
  (probe, details) =>
    unreachable(probe, reason, details);
const outage = [3, 12, 13].map((minute) => round(minute, minute === 3 ? kept : silent('timeout')));
export const away = grown(statusAfter(...outage));
const maintenance = { from: 0, until: now + 2_700_000, note: 'the database moves house' };
export const inMaintenance = { ...away, maintenance };

/** The same target under another name. */
export const named = (target: TargetView, name: string, change?: Partial<Status>): TargetView => ({
  ...target,
  status: { ...target.status, target: name, ...change },
});

const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
/** Every text of a provider or a targets file is hostile. */
const attacked = JSON.parse(JSON.stringify(bad), (name, value) =>
  /^(target|address|detail|received|when|value|before|team|name|off)$/.test(name) ? hostile : value,
) as TargetView;
const off = tokenWith(86_400, { off: hostile });
const silence = { isEverywhere: true, reason: 'timeout', detail: hostile, since: start } as const;

/** Targets of which two are violated. */
const many = (number: number): TargetView[] =>
  Array.from({ length: number }, (_, index) => {
    const team = ['orders', 'payments', 'search', 'stock', 'mail'][index % 5];
    const target = { 7: bad, 31: bad, 19: away, 23: inMaintenance }[index] ?? good;
    const since = index === 31 ? start : target.status.since;
    return named(target, `${team}-${index}.example.com`, { since });
  });

const thirty = Array.from({ length: 30 }, (_, index) => {
  const name = `GET /public-api/v1/customers/{id}/orders-${index}`;
  return { name, hasSchema: false };
});

/** What the page can show. */
export const states = {
  holds: monitorWith([good]),
  violated: monitorWith([bad]),
  unreachable: monitorWith([away]),
  partly: monitorWith([grown(partly)]),
  credentials: monitorWith([viewWith(statusAfter(round(13, silent('credentials'))))]),
  waiting: monitorWith([waiting]),
  defect: monitorWith([viewWith(statusAfter(round(3), round(13, defect)))]),
  maintenance: monitorWith([inMaintenance]),
  late: monitorWith([grown(goodStatus, 86_500)]),
  early: monitorWith([grown(goodStatus, 80_000)]),
  thirty: monitorWith([grown(goodStatus, 86_400, { endpoints: thirty, stretchedToSeconds: 240 })]),
  hostile: monitorWith([{ ...named(attacked, hostile, { silence }), token: off }]),
  hostileAmongOthers: monitorWith([attacked, good]),
  fifty: monitorWith(many(50)),
  thousand: monitorWith(many(1000)),
} as const satisfies Record<string, MonitorView>;
