import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { junitXml } from '../../contract/report/junit.ts';
import { reportOf } from '../../contract/report/report.ts';
import { attributes, checkJunit, named, only, rootOf, textOf } from './junit-reading.ts';
import * as rounds from './rounds.ts';

const xmlOf = (round: typeof rounds.held): string => junitXml(reportOf(round, rounds.context));

const strict = { 'strict without a clock': rounds.strictWithoutClock };
for (const [name, round] of Object.entries({ ...rounds.all, ...strict }))
  test(`a round that is ${name} conforms to the schema of Jenkins, with sums that add up`, () => {
    const xml = xmlOf(round);
    checkJunit(xml);
    const root = rootOf(xml);
    for (const suite of [root, ...named(root, 'testsuite')])
      expect(attributes(suite).time).toMatch(/^[0-9]+\.[0-9]{3}$/);
  });

test('a suite is an area, and a case is a clause', () => {
  const root = rootOf(xmlOf(rounds.held));
  const suites = named(root, 'testsuite');
  expect(suites.map((one) => attributes(one).name)).toEqual(['TOKEN', 'BEARER', 'ERROR', 'EXPIRY']);
  for (const suite of suites) {
    const own = mustHold.filter(({ id }) => id.startsWith(`${attributes(suite).name}-`));
    expect(named(suite, 'testcase')).toHaveLength(own.length);
  }
  expect(attributes(named(root, 'testcase')[1] ?? {})).toEqual({
    name: 'TOKEN-2 Only a valid pair of API key and secret key gets a token',
    classname: 'TOKEN',
    time: '0.024',
  });
});

test('every suite names the target', () => {
  const suites = named(rootOf(xmlOf(rounds.held)), 'testsuite');
  for (const suite of suites)
    expect(named(suite, 'property').map(attributes)).toEqual([
      { name: 'target', value: 'https://api.example.test/v2' },
      { name: 'endpoints', value: `${rounds.onWidgets}, ${rounds.onOrders}` },
      { name: 'requests', value: '1234' },
    ]);
});

test('a violated clause is a failure with the whole failure text', () => {
  const failures = named(rootOf(xmlOf(rounds.violated)), 'failure');
  expect(failures).toHaveLength(2);
  const [bearer = {}, expiry = {}] = failures;
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
      '  and 1 more like this, the last at 24 h 00 min 30.000 s after the token was made',
      '  again     npm run gate -- EXPIRY-2',
    ].join('\n'),
  );
  expect(textOf(bearer).match(/the scheme is/g)).toHaveLength(6);
});

test('an unverified clause is skipped with its cause and its reason', () => {
  const skipped = named(rootOf(xmlOf(rounds.prevented)), 'skipped');
  const lacking = { type: 'unconfigured', message: `unconfigured: ${rounds.noClock}` };
  expect(skipped.map(attributes)).toEqual([
    { type: 'prevented', message: `prevented: probe-of-bearer-5: ${rounds.nothingProven}` },
    ...Array.from({ length: 7 }, () => lacking),
  ]);
});

test('the message of a failure begins with its occasion, and states its frequency', () => {
  const message = { when: 'the scheme is Basic', seen: '1 of 3 requests' };
  const seen = rounds.finding('BEARER-4', rounds.onWidgets, message);
  const round = rounds.roundOf({ exit: 1, findings: [seen] });
  const failure = only(named(rootOf(xmlOf(round)), 'failure'));
  expect(attributes(failure).message).toMatch(
    /^the scheme is Basic: expected 401 .*, received 200 .*, seen in 1 of 3 requests$/,
  );
  expect(textOf(failure)).toContain('\n  seen      1 of 3 requests\n');
});

test('a provider that could not be judged is an error, and is in every system-err', () => {
  const root = rootOf(xmlOf(rounds.unjudged));
  const error = only(named(root, 'error'));
  expect(attributes(error)).toEqual({ type: 'unjudged', message: rounds.unreachable });
  expect(named(root, 'system-err').map(textOf)).toEqual(
    named(root, 'testsuite').map(() => rounds.unreachable),
  );
});

test('clauses that strict mode refuses are errors, because skipped cases are green', () => {
  const error = only(named(rootOf(xmlOf(rounds.strictWithoutClock)), 'error'));
  expect(attributes(error).message).toContain('7 clauses could not be verified');
  expect(named(rootOf(xmlOf(rounds.withoutClock)), 'error')).toEqual([]);
});

test('a defect is an error with its stack', () => {
  const errors = named(rootOf(xmlOf(rounds.defective)), 'error');
  expect(errors.map((error) => attributes(error).type)).toEqual(['defect', 'defect']);
  expect(textOf(errors[0] ?? {})).toBe(rounds.stack);
});

test('hostile text stays text, and ends no element', () => {
  const root = rootOf(xmlOf(rounds.hostile));
  expect(named(root, 'failure')).toHaveLength(2);
  expect(named(root, 'script')).toEqual([]);
  const text = named(root, 'failure').map(textOf).join();
  for (const hostile of [']]><failure message="owned"/>', '<script>alert(1)</script>'])
    expect(text.includes(hostile)).toBe(true);
});
