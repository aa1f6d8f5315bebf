import type { Round } from '../contract/round.ts';
import { monitored } from '../monitor/plan.ts';
import type {
  CanaryCheckStatus,
  ProbeStatus,
  RunStatus,
  Status,
  TallyStatus,
  TargetStatus,
  TokenStatus,
} from '../monitor/status.ts';
import { probes } from '../probes/index.ts';

const aMinute = 60_000;
const anHour = 60 * aMinute;
const aDay = 24 * anHour;

/** When the picture is taken, and since when the provider of the picture gives its tokens a leeway. */
const now = Date.UTC(2026, 9, 14, 9, 42);
const brokenSince = now - 73 * aMinute;

/** What canaries prove in production; other clauses about time are left to the gate. */
const byCanaries: readonly string[] = ['EXPIRY-1', 'EXPIRY-2'];

/**
 * What a monitor would show of a provider after some months, when tokens have begun to live too long: what is judged
 * comes from a real round, and the past is an example.
 */
export function exampleStatus(round: Round): Status {
  return {
    version: '0.1.0',
    startedAt: new Date(now - 300 * aDay),
    now: new Date(now),
    draining: false,
    runs: {
      expected: 5_184_000,
      run: 5_184_000,
      missed: 0,
      skipped: 0,
      waiting: 0,
      because: { overlap: 0, suspended: 0, draining: 0 },
    },
    targets: [targetOf(round)],
  };
}

const targetOf = (round: Round): TargetStatus => ({
  name: 'payments',
  address: 'https://api.example.com/',
  labels: { region: 'eu-central' },
  state: 'broken',
  since: new Date(brokenSince),
  clauses: clausesOf(round),
  probes: monitored(probes).map((probe, index) => probeOf(round, probe, index)),
  observations: round.observations.map((one) => ({ ...one, since: new Date(now - 300 * aDay) })),
  failures: [],
  token,
  hours: past(48, anHour, 720, [11, 30]),
  days: past(300, aDay, 17_280, [41, 120, 121, 233]),
  changes: [
    { at: new Date(brokenSince), clause: 'EXPIRY-2', verdict: 'violated', before: 'holds' },
  ],
});

/** As the monitor sees them: what only a test clock can show is unverified, and one finding is enough for a picture. */
function clausesOf({ clauses }: Round): TargetStatus['clauses'] {
  const inProduction = monitored(probes);
  return clauses.map(({ clause: { id, text }, findings }) => {
    const since = new Date(now - 40 * aDay);
    if (byCanaries.includes(id) && findings.length > 0) {
      const at = new Date(brokenSince);
      return { id, text, verdict: 'violated', since: at, findings: findings.slice(0, 1) };
    }
    const seen = byCanaries.includes(id) || inProduction.some((one) => one.clauses.includes(id));
    return { id, text, verdict: seen ? 'holds' : 'unverified', since, findings: [] };
  });
}

function probeOf(round: Round, probe: (typeof probes)[number], index: number): ProbeStatus {
  const outcome = round.outcomes.find((one) => one.probe.name === probe.name);
  const durationSeconds = 0.041 + ((index * 7) % 11) / 1000;
  const last: RunStatus = {
    probe: probe.name,
    endpoint: outcome?.endpoint ?? '',
    startedAt: new Date(now - (index + 1) * 4000),
    ending: outcome?.ending ?? 'kept',
    durationSeconds,
    phases: {
      resolve: 0.0012,
      connect: 0.0061,
      tls: 0.0123,
      processing: durationSeconds - 0.022,
      transfer: 0.0017,
    },
    requests: 2,
    findings: [],
  };
  const runs = Array.from({ length: 30 }, (_, run) => ({
    startedAt: now - (30 - run) * aMinute,
    ending: (run + index) % 37 === 3 ? ('unreachable' as const) : ('kept' as const),
    durationSeconds,
  }));
  const { name, clauses, everySeconds = 60 } = probe;
  return { name, clauses, everySeconds, last, runs };
}

/** Ages in seconds at which canaries were seen; those below the last but three were admitted. */
const seen = [3600, 43_200, 82_800, 86_100, 86_370, 86_430, 86_690, 90_000, 90_010];

const token: TokenStatus = {
  canaries: { alive: 4, expired: 38, failed: 1, lost: 0 },
  toleranceSeconds: 5,
  atLeastSeconds: 86_690.2,
  atMostSeconds: 86_702,
  checks: [...seen, 86_702].map((age): CanaryCheckStatus => {
    const admitted = age < 86_700;
    const late = admitted && age > 86_405;
    return {
      at: new Date(brokenSince - (90_000 - age) * 1000),
      leastSeconds: age,
      mostSeconds: age + 0.2,
      admitted,
      verdict: late ? 'late_accept' : 'ok',
    };
  }),
};

/** So many hours or days, of which these had an outage and the last one a breach. */
const past = (
  length: number,
  ms: number,
  kept: number,
  outages: readonly number[],
): TallyStatus[] =>
  Array.from({ length }, (_, index) => {
    const from = new Date(Math.floor(now / ms) * ms - (length - 1 - index) * ms);
    const broken = index === length - 1 ? 6 : 0;
    const unreachable = outages.includes(index) ? Math.floor(kept / 6) : 0;
    return { from, kept: kept - broken - unreachable, broken, unreachable, defect: 0 };
  });
