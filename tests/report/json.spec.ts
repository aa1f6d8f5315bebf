import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { roundJson } from '../../contract/report/contract-report.ts';
import * as rounds from './rounds.ts';

const file = new URL('../../schemas/gate-report.json', import.meta.url);
const schema = JSON.parse(readFileSync(file, 'utf8'));
const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

const parsed = (round: typeof rounds.held) =>
  JSON.parse(JSON.stringify(roundJson(round, rounds.context)));

/** One clause of a parsed report. */
const clauseOf = (report: ReturnType<typeof parsed>, id: string) =>
  report.clauses.find((clause: { id: string }) => clause.id === id);

for (const [name, round] of Object.entries(rounds.all))
  test(`a round that is ${name} conforms to its schema`, () => {
    conforms(parsed(round));
    expect(conforms.errors).toBe(null);
  });

test('the schema refuses every verdict that contradicts its findings and reason', () => {
  const spoilt = (change: object): boolean => {
    const report = parsed(rounds.violated);
    Object.assign(clauseOf(report, 'BEARER-4'), change);
    return conforms(report);
  };
  const unverified = { verdict: 'unverified', findings: [], reason: 'none' };
  expect(spoilt({ verdict: 'violated' })).toBe(true);
  expect(spoilt({ ...unverified, cause: 'prevented' })).toBe(true);
  for (const change of [
    { verdict: 'holds' },
    { findings: [] },
    { reason: 'none' },
    { verdict: 'unverified', findings: [] },
    unverified,
    { cause: 'prevented' },
    { id: 'OPEN-1' },
  ])
    expect(spoilt(change), JSON.stringify(change)).toBe(false);
});

test('the fields are in the documented order, followed by further ones', () => {
  expect(Object.keys(parsed(rounds.partlyUnjudged))).toEqual([
    ...['target', 'startedAt', 'finishedAt', 'exit', 'clauses', 'checks', 'observations'],
    ...['unjudged', 'defects', 'endpoints', 'requests', 'version'],
  ]);
  expect(parsed(rounds.violated)).toMatchObject({
    target: 'https://api.example.test/v2',
    startedAt: '2026-03-01T12:00:00.000Z',
    finishedAt: '2026-03-01T12:00:01.204Z',
    exit: 1,
    endpoints: [rounds.onWidgets, rounds.onOrders],
    requests: 1234,
    version: 1,
  });
  expect(parsed(rounds.violated)).not.toHaveProperty('unjudged');
});

test('a violated clause has its findings with every field, and the other places of each', () => {
  const report = parsed(rounds.violated);
  expect(clauseOf(report, 'EXPIRY-2')).toEqual({
    id: 'EXPIRY-2',
    text: 'Once 24 hours have elapsed a token is expired, at that very instant and after it',
    verdict: 'violated',
    findings: [
      {
        probe: 'probe-of-expiry-2',
        endpoint: rounds.onWidgets,
        when: 'at 24 h 00 min 00.000 s after the token was made',
        asked: 'GET /public-api/v1/widgets   Authorization: Bearer [secret]',
        expected: '401 {"success":false,"message":"Invalid or expired access token."}',
        received: '200 application/json, 48 bytes',
        times: 2,
        also: [
          {
            probe: 'probe-of-expiry-2',
            endpoint: rounds.onWidgets,
            when: 'at 24 h 00 min 30.000 s after the token was made',
          },
        ],
      },
    ],
  });
  const [finding, ...others] = clauseOf(report, 'BEARER-4').findings;
  expect(finding.times).toBe(12);
  expect(finding.also).toHaveLength(11);
  expect(others).toEqual([]);
});

test('a defect is included with its stack', () => {
  expect(parsed(rounds.defective).defects[0]).toEqual({
    probe: 'probe-of-bearer-3',
    endpoint: rounds.onWidgets,
    detail: rounds.stack,
  });
});
