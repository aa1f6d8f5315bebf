import { expect, test } from '@playwright/test';
import type { MustId } from '../../contract/clauses.ts';
import type { Finding, Observation } from '../../contract/finding.ts';
import { ledger } from '../../contract/finding.ts';
import type { Probe } from '../../contract/probe.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import { verdicts } from '../../contract/round/verdict.ts';

const probe = (name: string, clauses: Probe['clauses'], more: Partial<Probe> = {}): Probe => ({
  name,
  clauses,
  scope: 'core',
  stage: 'present',
  run: async () => {},
  ...more,
});

const one = probe('one', ['BEARER-2', 'ERROR-1']);
const other = probe('other', ['BEARER-2']);

const result = (of: Probe, more: Partial<ProbeResult> = {}): ProbeResult => ({
  probe: of,
  endpoint: 'GET /public-api/v1/widgets',
  outcome: 'passed',
  findings: [],
  observations: [],
  durationSeconds: 0,
  ...more,
});

const nothing = { endpoint: '', when: '', asked: '', expected: '', received: '' };
const finding = (clause: MustId): Finding => ({ clause, probe: 'one', ...nothing });

const broken = (of: Probe, ...clauses: MustId[]): ProbeResult =>
  result(of, { outcome: 'failed', findings: clauses.map(finding) });

const lost = 'GET /x: too late';
const unreachable = { outcome: 'unreachable', reason: 'timeout', detail: lost } as const;

const runsOn =
  (endpoints: number) =>
  ({ scope }: Probe): number =>
    scope === 'service' ? 1 : endpoints;

/** Each verdict as `BEARER-2 holds`, or with its reason. `reason` is that of a clause that lacks a setting. */
const message = (list: readonly Probe[], of: ProbeResult[], reason: string, endpoints = 1) =>
  verdicts(list, of, { cause: 'unconfigured', reason }, runsOn(endpoints)).map((one) => {
    const why = one.reason === undefined ? [] : [`(${one.reason})`];
    return [one.clause.id, one.verdict, ...why, ...one.findings.map((f) => f.clause)].join(' ');
  });

const cases: [what: string, probes: Probe[], results: ProbeResult[], expected: string[]][] = [
  ['nothing was asked for', [], [], []],
  ['all kept', [one, other], [result(one), result(other)], ['BEARER-2 holds', 'ERROR-1 holds']],
  [
    'one of two breaks it',
    [one, other],
    [result(one), broken(other, 'BEARER-2')],
    ['BEARER-2 violated BEARER-2', 'ERROR-1 holds'],
  ],
  [
    'a clause that no probe is about is broken on the way',
    [other],
    [broken(other, 'ERROR-3', 'ERROR-3')],
    ['BEARER-2 holds', 'ERROR-3 violated ERROR-3 ERROR-3'],
  ],
  [
    'one of two proved nothing',
    [one, other],
    [result(one), result(other, { unproven: 'both answer 404' })],
    ['BEARER-2 unverified (other: both answer 404)', 'ERROR-1 holds'],
  ],
  [
    'the provider was not reached',
    [other],
    [result(other, unreachable)],
    ['BEARER-2 unverified (other: unreachable: GET /x: too late)'],
  ],
  [
    'a defect of ours, with one line',
    [other],
    [result(other, { outcome: 'defect', detail: 'TypeError: no\n    at line 1' })],
    ['BEARER-2 unverified (other: defect: TypeError: no)'],
  ],
  [
    'broken before it was cut short',
    [one],
    [{ ...broken(one, 'ERROR-1'), ...unreachable, outcome: 'failed' }],
    ['BEARER-2 unverified (one: unreachable: GET /x: too late)', 'ERROR-1 violated ERROR-1'],
  ],
];

for (const [what, probes, results, expected] of cases)
  test(`the verdict where ${what}`, () => {
    expect(message(probes, results, 'no clock')).toEqual(expected);
  });

test('a probe that has not run on every endpoint proves nothing', () => {
  const once = probe('once', ['TOKEN-1'], { scope: 'service' });
  const results = [result(once), result(one), result(one), result(other)];
  expect(message([once, one, other], results, 'the clock failed', 2)).toEqual([
    'TOKEN-1 holds',
    'BEARER-2 unverified (the clock failed)',
    'ERROR-1 holds',
  ]);
});

test('the reason names which of several endpoints proved nothing', () => {
  const orders = 'GET /public-api/v1/orders';
  const results = [result(other), result(other, { endpoint: orders, unproven: 'both answer 404' })];
  expect(message([other], results, 'no clock', 2)).toEqual([
    `BEARER-2 unverified (other: ${orders}: both answer 404)`,
  ]);
});

test('only clauses about time, and those that nothing else proves, are unverified without a clock', () => {
  const atPresent = probe('at present', ['ERROR-1', 'EXPIRY-4']);
  const hourly = probe('hourly', ['ERROR-1', 'ERROR-2', 'EXPIRY-4'], { stage: 'simulated' });
  const both = [atPresent, hourly];
  expect(message(both, [result(atPresent)], 'no clock')).toEqual([
    'ERROR-1 holds',
    'ERROR-2 unverified (no clock)',
    'EXPIRY-4 unverified (no clock)',
  ]);
  const unproven = result(hourly, { unproven: 'no control' });
  expect(message(both, [result(atPresent), unproven], 'no clock')).toEqual(
    ['ERROR-1', 'ERROR-2', 'EXPIRY-4'].map((id) => `${id} unverified (hourly: no control)`),
  );
});

test('a prevented clause is reported separately, and precedes a missing setting', () => {
  const timed = probe('timed', ['BEARER-2']);
  const lacking = { cause: 'unconfigured', reason: 'no clock' } as const;
  const causes = (...results: ProbeResult[]) =>
    verdicts([timed, other], results, lacking).map(({ cause, reason }) => [cause, reason]);
  expect(causes(result(other))).toEqual([['unconfigured', 'no clock']]);
  expect(causes(result(timed), result(other))).toEqual([[undefined, undefined]]);
  for (const outcome of [
    { unproven: 'both answer 404' },
    { outcome: 'defect', detail: 'TypeError' },
    unreachable,
  ] as const)
    expect(causes(result(other, outcome))).toMatchObject([
      ['prevented', expect.stringMatching(/^other/)],
    ]);
});

test('the findings of a clause are sorted by the age of the token, those without an age first', () => {
  const at = (when: string): Finding => ({ ...finding('BEARER-2'), when });
  const whens = [
    'at 2 d 0 h 00 min 00.000 s after the token was made, it has expired',
    'at 24 h 00 min 01.000 s after the token was made',
    'no token was sent',
    'at 24 h 00 min 00.000 s after the token was made, second',
    'at 24 h 00 min 00.000 s after the token was made, third',
  ];
  const results = [result(other, { outcome: 'failed', findings: whens.map(at) })];
  const [verdict] = verdicts([other], results, { cause: 'prevented', reason: '' });
  expect(verdict?.findings.map(({ when }) => whens.indexOf(when))).toEqual([2, 3, 4, 1, 0]);
});

test('the ledger lists each fact once, with all observed values, sorted by id', () => {
  const seen = (...observations: Observation[]): ProbeResult => result(one, { observations });
  const status = (value: string) => ({ id: 'OPEN-2', fact: 'status', value }) as const;
  expect(
    ledger([
      seen({ id: 'OPEN-10', fact: 'events', value: 'none' }, status('422')),
      seen(status('400'), status('422')),
      seen({ id: 'OPEN-2', fact: 'body', value: 'JSON' }),
    ]),
  ).toEqual([
    { id: 'OPEN-2', fact: 'body', value: 'JSON' },
    { id: 'OPEN-2', fact: 'status', value: '400, 422' },
    { id: 'OPEN-10', fact: 'events', value: 'none' },
  ]);
});
