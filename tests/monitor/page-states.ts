import { verdictOf } from '../../monitor/canary/verdict.ts';
import type { Run } from '../../monitor/round/run.ts';
import { type HalfHour, halfHourMs } from '../../monitor/status/speed.ts';
import type { CanaryCheckStatus, Status, TargetEvent } from '../../monitor/status/status.ts';
import type { MonitorView, TargetView } from '../../monitor/status/view.ts';
import { probes } from '../../probes/index.ts';
import { broken, defect, kept, placesFor, unreachable } from './runs.ts';
import { monitorOf, now, start, statusAfter, tokenOf, viewOf } from './statuses.ts';

const anHour = 3_600_000;
const places = placesFor(probes);

/** A run of each probe on each endpoint, some minutes after the start. */
const round = (
  minute: number,
  make: (probe: Run['result']['probe'], details: { at: number; endpoint: string }) => Run = kept,
): Run[] =>
  places.map(({ probe, endpoint }, index) =>
    make(probe, {
      at: start + minute * 60_000 + index,
      endpoint: `${endpoint.method} ${endpoint.path}`,
    }),
  );

/** Only one probe sees a fact, which changes after some minutes. */
const observing = (minute: number): Run[] =>
  round(minute, (probe, details) =>
    kept(probe, {
      ...details,
      observed:
        probe === places[0]?.probe
          ? [['OPEN-1', 'status of a token response', minute < 5 ? '200' : '201']]
          : [],
    }),
  );

const twoBroken = (minute: number): Run[] =>
  round(minute, (probe, details) => {
    if (probe.name === 'every-endpoint-is-guarded') return broken(probe, 'BEARER-2', details);
    if (probe.name === 'every-cause-gets-the-same-401') return broken(probe, 'ERROR-3', details);
    return kept(probe, details);
  });

const silent =
  (reason: 'timeout' | 'credentials'): typeof kept =>
  (probe, details) =>
    unreachable(probe, reason, details);

/** Two days with an outage, a slow evening, and a night without a measurement. */
export const halfHours = (slow = 1): HalfHour[] =>
  Array.from({ length: 96 }, (_, index): HalfHour => {
    const isAway = index > 39 && index < 43;
    const evening = index > 58 && index < 72 ? 0.22 : 0;
    const outcomes = { passed: isAway ? 0 : 30, failed: index === 66 ? 2 : 0 };
    return {
      from: start - (95 - index) * halfHourMs,
      ...outcomes,
      unreachable: isAway ? 30 : 0,
      ...(isAway
        ? {}
        : {
            p50Seconds: slow * (0.012 + (index % 5) / 1000 + evening / 6),
            p95Seconds: slow * (0.031 + (index % 7) / 500 + evening),
          }),
    };
  }).filter((_, index) => index < 14 || index > 26);

/** The same without a failure. */
const calmHalfHours = halfHours().map((one) => ({ ...one, passed: 30, failed: 0, unreachable: 0 }));

/** Earlier events, more than are shown at once. */
const events: TargetEvent[] = Array.from({ length: 13 }, (_, index) => {
  const from = start - (index + 1) * 37 * anHour;
  const until = from + 60_000 * 7 ** (index % 5);
  return index % 2 === 0
    ? { what: 'unreachable', detail: 'no answer within 10 s', from, until }
    : { what: 'violated', clause: 'BEARER-2', from, until };
});

/** The checks of three canaries of tokens that live this long, the latest first. */
const checksOf = (livesSeconds: number): CanaryCheckStatus[] =>
  [3600, 43_200, 82_800, 86_100, 86_370, 86_430, 86_700, 90_000, 176_400]
    .flatMap((age) => [age, age + 7, age + 14])
    .map((age) => {
      const admitted = age < livesSeconds;
      const milliseconds = { least: age * 1000, most: (age + 0.2) * 1000 };
      return {
        at: start + (age - 176_400) * 1000,
        leastSeconds: age,
        mostSeconds: age + 0.2,
        admitted,
        verdict: verdictOf(milliseconds, admitted, { toleranceMs: 5000 }),
      };
    })
    .reverse();

/** A target that was watched for days before. */
const grown = (status: Status, livesSeconds = 86_400, change: Partial<TargetView> = {}) => {
  const grownUp = viewOf(status, { token: tokenOf(livesSeconds), ...change });
  const endpoints = Object.fromEntries(
    grownUp.endpoints.map(({ name }, index) => [
      name,
      {
        last: {
          at: now - 12_000,
          outcome: 'passed',
          durationSeconds: 0.1,
          status: 200,
          isTls: true,
        },
        ...status.endpoints[name],
        halfHours: halfHours(index + 1),
      } as const,
    ]),
  );
  return {
    ...grownUp,
    labels: { team: 'payments', region: 'eu' },
    status: {
      ...status,
      endpoints,
      events: [...status.events, ...events],
      checks: checksOf(livesSeconds),
    },
  };
};

const goodStatus = statusAfter(observing(3), observing(7), observing(8));
export const good = grown(goodStatus);
export const waiting = viewOf(statusAfter());
export const bad = grown(statusAfter(observing(3), twoBroken(12), twoBroken(13)));
export const away = grown(
  statusAfter(observing(3), round(12, silent('timeout')), round(13, silent('timeout'))),
);
const partly = grown(
  statusAfter(
    observing(3),
    ...[12, 13].map((minute) =>
      round(minute, (probe, details) =>
        probe.stage === 'first' ? kept(probe, details) : unreachable(probe, 'reset', details),
      ),
    ),
  ),
);

export const inMaintenance: TargetView = {
  ...away,
  maintenance: { until: new Date(now + 2_700_000), note: 'the database moves house' },
};

/** The same target under another name. */
export const named = (
  target: TargetView,
  name: string,
  since = target.status.since,
): TargetView => ({
  ...target,
  status: {
    ...target.status,
    target: name,
    address: `https://${encodeURIComponent(name)}/`,
    since,
  },
});

const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
const attacked: TargetView = {
  ...named(bad, hostile),
  labels: { [hostile]: hostile },
  maintenance: { until: new Date(now), note: hostile },
  token: tokenOf(86_400, { off: hostile }),
  endpoints: [{ name: hostile, hasSchema: false }],
  status: JSON.parse(
    JSON.stringify({ ...bad.status, target: hostile, silence: { reason: 'timeout', detail: '' } }),
    (name, value) =>
      ['detail', 'received', 'when', 'fact', 'before', 'address'].includes(name) ? hostile : value,
  ),
};

/** Targets of which two are violated. */
const many = (number: number): TargetView[] => {
  const calm = { ...good, status: { ...good.status, endpoints: {} } };
  const endpoints = { all: { halfHours: calmHalfHours } };
  return Array.from({ length: number }, (_, index) => {
    const team = ['orders', 'payments', 'search', 'stock', 'mail'][index % 5];
    const kind = { 7: bad, 31: bad, 19: away, 23: inMaintenance }[index];
    const quiet = index % 9 === 4 ? good : { ...calm, status: { ...calm.status, endpoints } };
    const since = index === 31 ? now - anHour : undefined;
    return named(kind ?? quiet, `${team}-${index}.example.com`, since);
  });
};

const thirtyEndpoints = Array.from({ length: 30 }, (_, index) => ({
  name: `GET /public-api/v1/customers/{id}/orders-${index}`,
  hasSchema: false,
}));

/** What the page can show. */
export const states = {
  holds: monitorOf([good]),
  violated: monitorOf([bad]),
  unreachable: monitorOf([away]),
  partly: monitorOf([partly]),
  credentials: monitorOf([viewOf(statusAfter(round(13, silent('credentials'))))]),
  waiting: monitorOf([waiting]),
  defect: monitorOf([viewOf(statusAfter(observing(3), round(13, defect)))]),
  maintenance: monitorOf([inMaintenance]),
  late: monitorOf([grown(goodStatus, 86_500)]),
  early: monitorOf([grown(goodStatus, 80_000)]),
  thirty: monitorOf([
    grown(goodStatus, 86_400, { endpoints: thirtyEndpoints, stretchedToSeconds: 240 }),
  ]),
  hostile: monitorOf([attacked]),
  hostileAmongOthers: monitorOf([attacked, good]),
  fifty: monitorOf(many(50)),
  thousand: monitorOf(many(1000)),
} as const satisfies Record<string, MonitorView>;
