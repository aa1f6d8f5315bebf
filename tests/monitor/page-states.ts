import type { Run } from '../../monitor/round/run.ts';
import type { Status, TargetStatus } from '../../monitor/watch/status.ts';
import { probes } from '../../probes/index.ts';
import { broken, defect, kept, placesFor, unreachable } from './runs.ts';
import {
  events,
  hours,
  latency,
  now,
  start,
  statusAbout,
  targetAfter,
  tokenOf,
} from './statuses.ts';

const slots = placesFor(probes);

/** One run of each slot, some minutes after the start. */
const round = (minute: number, make: (slot: (typeof slots)[number], at: number) => Run): Run[] =>
  slots.map((slot, index) => make(slot, start + minute * 60_000 + index));

const message = (slot: (typeof slots)[number], at: number) => ({
  at,
  endpoint: `${slot.endpoint.method} ${slot.endpoint.path}`,
});

const allKept = (minute: number): Run[] =>
  round(minute, (slot, at) =>
    kept(slot.probe, {
      ...message(slot, at),
      // Only one probe sees this fact.
      observed:
        slot === slots[0]
          ? [['OPEN-1', 'status of a token response', minute < 5 ? '200' : '201']]
          : [],
    }),
  );

const twoBroken = (minute: number): Run[] =>
  round(minute, (slot, at) =>
    slot.probe.name === 'every-endpoint-is-guarded'
      ? broken(slot.probe, 'BEARER-2', message(slot, at))
      : slot.probe.name === 'every-cause-gets-the-same-401'
        ? broken(slot.probe, 'ERROR-3', message(slot, at))
        : kept(slot.probe, message(slot, at)),
  );

const anHourAgo = new Date(now.getTime() - 3_600_000);

const grown = {
  hours,
  latency,
  events: events?.slice(1),
  token: tokenOf(86_400),
  labels: { team: 'payments', region: 'eu' },
};

export const good: TargetStatus = {
  ...targetAfter([...allKept(3), ...allKept(7), ...allKept(8)]),
  ...grown,
};

/** Before the first run. */
export const waiting: TargetStatus = targetAfter([]);

/** A target without a past failure. */
const calm: TargetStatus = {
  ...good,
  hours: (hours ?? []).map((one) => ({
    ...one,
    kept: 720,
    broken: 0,
    unreachable: 0,
    defect: 0,
  })),
};

export const bad: TargetStatus = {
  ...targetAfter([...allKept(3), ...twoBroken(12), ...twoBroken(13)]),
  ...grown,
  events,
};

export const away: TargetStatus = {
  ...targetAfter([
    ...allKept(3),
    ...round(12, (slot, at) => unreachable(slot.probe, 'timeout', message(slot, at))),
    ...round(13, (slot, at) => unreachable(slot.probe, 'timeout', message(slot, at))),
  ]),
  ...grown,
};

/** A round in which the connection of every refusal is reset. */
const noRefusals = (minute: number): Run[] =>
  round(minute, (slot, at) =>
    slot.probe.stage === 'first'
      ? kept(slot.probe, message(slot, at))
      : unreachable(slot.probe, 'reset', message(slot, at)),
  );

/** Some probes get answers, and others do not. */
const partly: TargetStatus = {
  ...targetAfter([...allKept(3), ...noRefusals(12), ...noRefusals(13)]),
  ...grown,
};

export const inMaintenance: TargetStatus = {
  ...away,
  maintenance: { until: new Date(now.getTime() + 2_700_000), note: 'the database moves house' },
};

const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';

const attacked: TargetStatus = {
  ...bad,
  name: hostile,
  address: `http://127.0.0.1/${hostile}`,
  labels: { [hostile]: hostile },
  maintenance: { until: now, note: hostile },
  unreachable: { reason: 'timeout', detail: hostile },
  token: { ...grown.token, off: hostile },
  clauses: bad.clauses.map((clause) => ({
    ...clause,
    reason: hostile,
    findings: clause.findings.map((one) => ({ ...one, when: hostile, received: hostile })),
  })),
  observations: [{ id: 'OPEN-1', fact: hostile, value: hostile, before: hostile, since: now }],
};

/** Fifty targets, of which two are broken. */
const fifty = (number = 50): TargetStatus[] =>
  Array.from({ length: number }, (_, index): TargetStatus => {
    const name = `${['orders', 'payments', 'search', 'stock', 'mail'][index % 5]}-${index}.example.com`;
    const kind =
      { 7: bad, 31: bad, 19: away, 23: inMaintenance }[index] ?? (index % 9 === 4 ? good : calm);
    const since = index === 31 ? anHourAgo : kind.since;
    return { ...kind, name, since, address: `https://${name}/` };
  });

/** The states of the page, by what they show. */
export const states = {
  holds: statusAbout([good]),
  broken: statusAbout([bad]),
  unreachable: statusAbout([away]),
  partly: statusAbout([partly]),
  unmeasured: statusAbout([{ ...good, latency: [], events: [] }]),
  credentials: statusAbout([
    targetAfter(round(13, (slot, at) => unreachable(slot.probe, 'credentials', message(slot, at)))),
  ]),
  waiting: statusAbout([waiting]),
  defect: statusAbout([
    targetAfter([...allKept(3), ...round(13, (slot, at) => defect(slot.probe, message(slot, at)))]),
  ]),
  maintenance: statusAbout([inMaintenance]),
  late: statusAbout([{ ...good, token: tokenOf(86_500) }]),
  early: statusAbout([{ ...good, token: tokenOf(80_000) }]),
  hostile: statusAbout([attacked]),
  hostileAmongOthers: statusAbout([attacked, good]),
  fifty: statusAbout(fifty()),
  fiftyWell: statusAbout(fifty().map((one) => ({ ...good, name: one.name }))),
  thousand: statusAbout(fifty(1000)),
} as const satisfies Record<string, Status>;
