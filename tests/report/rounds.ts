import { type MustId, mustHold } from '../../contract/clauses.ts';
import type { Finding, Observation } from '../../contract/finding.ts';
import { ledger } from '../../contract/finding.ts';
import type { Probe } from '../../contract/probe.ts';
import type { Context } from '../../contract/report/contract-report.ts';
import type { Outcome, ProbeResult } from '../../contract/round/attempt.ts';
import type { Round } from '../../contract/round/verdict.ts';
import { verdicts, withDoubts } from '../../contract/round/verdict.ts';
import { printable } from '../../contract/secrets/printable.ts';

/** Hand-made rounds, so that every format is tested with the same few stories. */

const tokenEndpoint = 'POST /public-api/v1/auth/token';
export const onWidgets = 'GET /public-api/v1/widgets';
export const onOrders = 'POST /public-api/v1/orders';

export const context: Context = {
  target: 'https://api.example.test/v2',
  endpoints: [onWidgets, onOrders],
  again: 'npm run gate --',
};

/** One probe for each clause. Those of TOKEN run once, and those of EXPIRY need a clock. */
const probes: readonly Probe[] = mustHold.map(({ id }) => ({
  name: `probe-of-${id.toLowerCase()}`,
  clauses: [id],
  scope: id.startsWith('TOKEN') ? 'service' : 'core',
  stage: id.startsWith('EXPIRY') ? 'simulated' : 'present',
  run: () => Promise.reject(new Error('these rounds are made by hand')),
}));

const refusal = '401 {"success":false,"message":"Invalid or expired access token."}';

/** A finding as the judge records it. */
export function finding(clause: MustId, endpoint: string, message: Partial<Finding> = {}): Finding {
  return {
    clause,
    probe: `probe-of-${clause.toLowerCase()}`,
    endpoint,
    when: 'at 24 h 00 min 00.000 s after the token was made',
    asked: `${endpoint}   Authorization: Bearer [secret]`,
    expected: refusal,
    received: '200 application/json, 48 bytes',
    ...message,
  };
}

const observations: readonly Observation[] = [
  { id: 'OPEN-1', fact: 'status of a successful token response', value: '201' },
  { id: 'OPEN-4', fact: 'form of the token', value: 'JWT, 3 parts, HS256' },
  { id: 'OPEN-6', fact: 'bearer in small letters', value: 'admitted' },
];

/** The differences of a round from one in which everything passes. */
export interface Story {
  readonly findings?: readonly Finding[];
  readonly observations?: readonly Observation[];
  readonly without?: (probe: Probe) => boolean;
  readonly notRun?: string;
  readonly outcome?: (probe: Probe, endpoint: string) => Partial<ProbeResult> | undefined;
  readonly unjudged?: string;
  readonly exit: Round['exit'];
  readonly requests?: number;
}

/** A round in which every probe ran as the story specifies. */
export function roundOf(story: Story): Round {
  const run = probes.filter((probe) => story.without?.(probe) !== true);
  const results = run.flatMap((probe, place) =>
    endpointsOf(probe).map((endpoint, index): ProbeResult => {
      const findings = (story.findings ?? []).filter(
        (result) => result.probe === probe.name && result.endpoint === endpoint,
      );
      const outcome: Outcome = findings.length > 0 ? 'failed' : 'passed';
      return {
        probe,
        endpoint,
        outcome,
        findings,
        observations: place + index === 0 ? (story.observations ?? observations) : [],
        durationSeconds: 0.012 * (place + 1),
        ...story.outcome?.(probe, endpoint),
      };
    }),
  );
  return {
    startedAt: new Date('2026-03-01T12:00:00.000Z'),
    finishedAt: new Date('2026-03-01T12:00:01.204Z'),
    clauses: verdicts(probes, results, {
      cause:
        story.unjudged === undefined && story.notRun === noClock ? 'unconfigured' : 'prevented',
      reason: story.unjudged ?? story.notRun ?? 'it was not run',
    }),
    results,
    observations: ledger(results),
    requests: story.requests ?? 1_234,
    exit: story.exit,
    unjudged: story.unjudged,
  };
}

const endpointsOf = (probe: Probe): string[] =>
  probe.scope === 'service' ? [tokenEndpoint] : [onWidgets, onOrders];

export const noClock = 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';
const needsClock = (probe: Probe): boolean => probe.stage === 'simulated';

export const held = roundOf({ exit: 0 });

export const withoutClock = roundOf({ exit: 0, without: needsClock, notRun: noClock });

export const nothingProven = 'with and without a valid token the endpoint answers 404';

/** A round without a clock, in which one more probe proved nothing on one of the endpoints. */
export const prevented = roundOf({
  exit: 0,
  without: needsClock,
  notRun: noClock,
  outcome: ({ name }, endpoint) =>
    name === 'probe-of-bearer-5' && endpoint === onOrders ? { unproven: nothingProven } : undefined,
});

export const strictWithoutClock = roundOf({ exit: 2, without: needsClock, notRun: noClock });

export const claim = 'the provider says that its tokens live 30 d (expiresIn), not 24 hours';

/** A round without a clock, whose provider contradicts EXPIRY-2. */
export const doubtful: Round = {
  ...withoutClock,
  exit: 2,
  clauses: withDoubts(withoutClock.clauses, [{ doubts: { 'EXPIRY-2': claim } }]),
};

/** Two clauses, two endpoints: all schemes are admitted, and on one endpoint tokens expire a minute late. */
export const violated = roundOf({
  exit: 1,
  findings: [
    ...['Basic', 'Digest', 'Token', 'MAC', 'ApiKey', 'Negotiate'].flatMap((scheme) =>
      [onWidgets, onOrders].map((endpoint) =>
        finding('BEARER-4', endpoint, {
          when: `the scheme is ${scheme}`,
          asked: `${endpoint}   Authorization: ${scheme} [secret]`,
          received: `200 application/json, ${endpoint === onWidgets ? 48 : 112} bytes`,
        }),
      ),
    ),
    finding('EXPIRY-2', onWidgets),
    finding('EXPIRY-2', onWidgets, { when: 'at 24 h 00 min 30.000 s after the token was made' }),
  ],
});

/** Its team tolerates the only deviation. */
export const known = roundOf({
  exit: 0,
  findings: [finding('BEARER-4', onWidgets, { known: 'mended in spring' })],
});
export const diagnosis = 'Only GET /public-api/v1/widgets';

/** The same, with what the findings have in common. */
export const diagnosed: Round = {
  ...violated,
  clauses: violated.clauses.map((verdict) =>
    verdict.clause.id === 'BEARER-4' ? { ...verdict, diagnosis } : verdict,
  ),
};

export const unreachable = 'POST /public-api/v1/auth/token: no connection (ECONNREFUSED)';

/** The address does not answer: no probe ran. */
const nothing = { without: () => true, observations: [], requests: 1 };
export const unjudged = roundOf({ exit: 2, unjudged: unreachable, ...nothing });

/** The provider stopped answering half-way through. */
export const partlyUnjudged = roundOf({
  exit: 2,
  unjudged: `${onOrders}: no complete answer in time (10000 ms)`,
  outcome: (probe, endpoint) =>
    probe.name === 'probe-of-bearer-6' && endpoint === onOrders
      ? {
          outcome: 'unreachable',
          reason: 'timeout',
          detail: `${onOrders}: no complete answer in time (10000 ms)`,
        }
      : undefined,
});

export const stack = [
  "TypeError: Cannot read properties of undefined (reading 'status')",
  '    at Object.run (probes/refused-under-another-scheme.ts:14:9)',
  '    at attempt (contract/round/attempt.ts:47:5)',
  `    at ${'a very long name of a function '.repeat(6)}(contract/round/round.ts:180:22)`,
].join('\n');

/** One of our own probes has a defect. */
export const defective = roundOf({
  exit: 3,
  outcome: (probe) =>
    probe.name === 'probe-of-bearer-3' ? { outcome: 'defect', detail: stack } : undefined,
});

/** Texts that try to escape from any format that they are put into, without the characters that a judge removes. */
const hostileTexts = [
  ']]><failure message="owned"/>',
  '<script>alert(1)</script>',
  '\u001b[31mred\u001b[0m\u0007\u0000\ufffe\ud800',
  '::error::owned',
  `${'word '.repeat(30)}${'\u3000::error::owned '.repeat(12)}`,
  '##[error]owned ##vso[task.setvariable variable=x]1',
  '| pipe `code` ```fence``` **bold** [link](https://evil.example) ![i](https://evil.example/i.png)',
  '</pre></details><img src=x onerror=alert(1)>',
  '\n::add-mask::x\r\n::stop-commands::y',
  '100% %0A %3A , :',
  'http://evil.example/?a=1&b="2"&c=\'3\'',
].map(printable);

/** A provider that writes such texts everywhere, a thousand times, and one very long text. */
export const hostile = roundOf({
  exit: 1,
  findings: Array.from({ length: 1_000 }, (_, index) => {
    const text = hostileTexts[index % hostileTexts.length] ?? '';
    return finding(index % 2 === 0 ? 'ERROR-3' : 'BEARER-2', index % 3 ? onWidgets : onOrders, {
      when: index % 7 === 0 ? `${text} ${index}` : text,
      asked: `${onWidgets}   X-Odd: ${text}`,
      ...(index === 5 ? { seen: '1 of 3 requests' } : {}),
      received:
        index === 4
          ? `${'word'.repeat(100)}${' long'.repeat(10_000)}`
          : `401 with the message ${text}`,
    });
  }),
  observations: hostileTexts.map((value, at) => ({ id: 'OPEN-3', fact: `text ${at}`, value })),
  outcome: (probe) =>
    probe.name === 'probe-of-token-3'
      ? { outcome: 'unreachable', reason: 'protocol', detail: hostileTexts.join(' ') }
      : undefined,
  unjudged: hostileTexts.join(' '),
});

/** All of these rounds, by name. */
export const all = {
  held,
  violated,
  'without a clock': withoutClock,
  prevented,
  doubtful,
  diagnosed,
  unjudged,
  'partly unjudged': partlyUnjudged,
  defective,
  hostile,
};
