import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { createReport } from '../../contract/report/contract-report.ts';
import { junitXml } from '../../contract/report/junit.ts';
import { attributes, checkJunit, named, only, rootOf, textOf } from './junit-reading.ts';
import * as rounds from './rounds.ts';

const { context } = rounds;
const xmlOf = (round: typeof rounds.held): string => junitXml(createReport(round, context));

const strict = { 'strict without a clock': rounds.strictWithoutClock };
for (const [name, round] of Object.entries({ ...rounds.all, ...strict }))
  test(`a round that is ${name} conforms to the schema of Jenkins, with sums that add up`, () => {
    checkJunit(xmlOf(round));
  });

test('a suite is a clause, and a case is a run of a probe on an endpoint', () => {
  const suites = named(rootOf(xmlOf(rounds.held)), 'testsuite');
  expect(suites.map((suite) => attributes(suite).name)).toEqual(
    mustHold.map(({ id, text }) => `${id} ${text}`),
  );
  expect(named(suites[5] ?? {}, 'testcase').map(attributes)).toEqual(
    [rounds.onWidgets, rounds.onOrders].map((endpoint) => ({
      name: `probe-of-bearer-2 on ${endpoint}`,
      classname: 'BEARER-2',
    })),
  );
  expect(named(suites[5] ?? {}, 'property').map(attributes)).toEqual([
    { name: 'target', value: context.target },
  ]);
});

test('a run that found a violation is a failure with the whole failure text', () => {
  const failures = named(rootOf(xmlOf(rounds.violated)), 'failure');
  expect(failures).toHaveLength(3);
  const [bearer = {}, , expiry = {}] = failures;
  expect(attributes(expiry)).toEqual({
    type: 'violated',
    message:
      'at 24 h 00 min 00.000 s after the token was made: expected 401 {"success":false,"message":"Invalid or expired access token."}, received 200 application/json, 48 bytes',
  });
  expect(textOf(expiry)).toBe(
    [
      '  at 24 h 00 min 00.000 s after the token was made',
      '  asked     GET /public-api/v1/widgets   Authorization: Bearer [secret]',
      '  expected  401 {"success":false,"message":"Invalid or expired access token."}',
      '  received  200 application/json, 48 bytes',
      '  also      at 24 h 00 min 30.000 s after the token was made',
      '  again     npm run gate -- EXPIRY-2',
    ].join('\n'),
  );
  expect(textOf(bearer).match(/the scheme is/g)).toHaveLength(4);
});

test('a run that proved nothing is skipped, and so is a clause whose probes were not run', () => {
  const skipped = named(rootOf(xmlOf(rounds.prevented)), 'skipped').map(attributes);
  expect(skipped).toEqual([
    { type: 'prevented', message: `prevented: probe-of-bearer-5: ${rounds.nothingProven}` },
    ...Array.from({ length: 7 }, () => ({
      type: 'unverified',
      message: `unverified: ${rounds.noClock}`,
    })),
  ]);
});

test('a diagnosis is above what each run of its clause found', () => {
  const failures = named(rootOf(xmlOf(rounds.diagnosed)), 'failure').map(textOf);
  const begins = (text: string) => text.startsWith(`  ${rounds.diagnosis}\n  the scheme is`);
  expect(failures.map(begins)).toEqual([true, true, false]);
});

test('a doubt is skipped, and an error of the run', () => {
  const root = rootOf(xmlOf(rounds.doubtful));
  const message = `EXPIRY-2 is doubtful: ${rounds.claim}`;
  expect(named(root, 'error').map(attributes)).toEqual([{ type: 'incomplete', message }]);
  expect(named(root, 'skipped').map(attributes)).toContainEqual({
    type: 'doubtful',
    message: `doubtful: ${rounds.claim}`,
  });
});

test('clauses that strict mode refuses are an error, because skipped cases are green', () => {
  const error = only(named(rootOf(xmlOf(rounds.strictWithoutClock)), 'error'));
  expect(attributes(error).message).toBe('Not verified, which --strict refuses');
  expect(named(rootOf(xmlOf(rounds.withoutClock)), 'error')).toEqual([]);
});

test('hostile text stays text, and ends no element', () => {
  const root = rootOf(xmlOf(rounds.hostile));
  expect(named(root, 'failure').length).toBeGreaterThan(2);
  expect(named(root, 'script')).toEqual([]);
  const text = named(root, 'failure').map(textOf).join();
  for (const hostile of [']]><failure message="owned"/>', '<script>alert(1)</script>'])
    expect(text.includes(hostile)).toBe(true);
});
