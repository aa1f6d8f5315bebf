import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as github from '../../contract/report/github.ts';
import { junitXml } from '../../contract/report/junit.ts';
import { plain, type TerminalStyle, terminalText } from '../../contract/report/terminal.ts';
import { reportOf } from '../../pacts/verify/report/forms.ts';
import { type PactReport, pactsJson } from '../../pacts/verify/report/report.ts';
import { faulty } from '../faults/index.ts';
import { attributes, checkJunit, named, only, rootOf, textOf } from '../report/junit-reading.ts';
import {
  aged,
  callWithToken,
  interaction,
  jsonBody,
  pactOf,
  pending,
  sourceOf,
  withToken,
} from './pact-builder.ts';
import { defective, reported, verifying, withoutClock } from './verifying.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../schemas/pact-report.json', import.meta.url), 'utf8'),
);
const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

const table = (report: PactReport, style: TerminalStyle = plain()): string =>
  terminalText(reportOf(report), style);
const annotations = (report: PactReport): string => github.annotations(reportOf(report));
const stepSummary = (report: PactReport): string => github.stepSummary(reportOf(report));
function junitRoot(...report: Parameters<typeof reported>) {
  const xml = junitXml(reportOf(reported(...report)));
  checkJunit(xml);
  return rootOf(xml);
}
const errorsIn = (...report: Parameters<typeof reported>) =>
  named(junitRoot(...report), 'error').map(attributes);

const reference = (...clause: string[]) => ({ comments: { references: { spec: { clause } } } });
const expired = {
  ...callWithToken('an expired token', [aged(24)], { status: 401 }),
  ...reference('EXPIRY-2', 'ERROR-1'),
};
const pact = pactOf(callWithToken(), expired);
const leeway = { provider: faulty('leeway-of-a-second') };
const clockless = { aim: withoutClock };

test('a failure reads as in the gate: clause, state, request, expected and received', async () => {
  const run = await verifying(pact, leeway);
  expect(table(reported(run), plain(120))).toBe(`
a-consumer  a test
  ✓ a call
  ✗ an expired token  EXPIRY-2 ERROR-1

an expired token  (a-consumer)
  EXPIRY-2  Once 24 hours have elapsed a token is expired, at that very instant and after it (also ERROR-1)
  given     a token made some hours ago (hours 24)
  asked     GET /public-api/v1/widgets   Authorization: Bearer [secret]
  expected  401
  received  200
            the status: expected 401 but was 200
  body      {"widgets":[{"id":1,"name":"first"}]}
  again     npm run pact:verify -- --interaction 'an expired token'

✗ An interaction is not as the pact expects · 1 verified, 1 failed · ${run.requests} requests, 1.2 s · ${run.target}
`);
});

test('the differences of the status, a header and the body are named', async () => {
  const body = jsonBody({ widgets: 'many' });
  const response = { status: 201, headers: { 'X-Count': ['1'] }, body };
  const run = await verifying(pactOf(callWithToken('a call', undefined, response)));
  expect(run.results[0]?.mismatches).toMatchObject([
    { attribute: 'status', expected: '201', received: '200' },
    { what: expect.stringMatching(/^the (body at \$\.widgets|header X-Count): /) },
    { what: expect.stringMatching(/^the (body at \$\.widgets|header X-Count): /) },
  ]);
});

test('an unverified interaction is listed with its reason, once for those that share it', async () => {
  const another = { ...expired, description: 'another' };
  const bare = interaction('a call', [], { response: { status: 401 } });
  const run = await verifying(pactOf(expired, another, bare), clockless);
  expect(table(reported(run))).toContain(`
a-consumer  a test
  – an expired token  EXPIRY-2 ERROR-1
  – another  EXPIRY-2 ERROR-1
    no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE
  ✓ a call
  warning: a 401 is expected, and no state gives its cause: ask for a token, or
  for "a protected endpoint"

✓ No pact is broken · 1 verified, 2 unverified · `);
});

test('unverified interactions are listed even if there are no others', async () => {
  const calls = ['a widget exists', 'a gadget exists'].map((state) =>
    callWithToken(`a call when ${state}`, ['a valid token', state]),
  );
  const report = reported(await verifying(pactOf(...calls)));
  for (const text of [table(report, plain(600)), stepSummary(report)])
    expect(text).toMatch(/a call when a widget exists.*a call when a gadget exists/s);
  expect(table(report, plain(600))).toMatch(
    /\n! Nothing could be verified: the state "a widget exists" [^\n]* \(and 1 other reason\) · 0 verified, 2 unverified · /,
  );
});

test("below a failure stand the response's body, the likely cause and the warning", async () => {
  const scoped = { name: 'a valid token', params: { scope: 'read' } };
  const request = { ...withToken, path: '/public-api/v1/gone' };
  const bare = interaction('another', []);
  const dummy = { request: { headers: { Authorization: ['Bearer abc123'] } } };
  const run = await verifying(
    pactOf(interaction('a call', [scoped], { request }), bare, interaction('a dummy', [], dummy)),
  );
  const text = table(reported(run), plain(120));
  expect(text).toMatch(/\n {2}body {6}\{"/);
  expect(text).toContain(`
  likely    nothing is there, and no state of the provider creates it
  warning   the state "a valid token" takes no scope, so it is ignored
`);
  expect(text).toContain('\n  likely    the request has no Authorization');
  expect(text).toContain('✓ a dummy  with a valid token instead of "abc123"');
});

test('a pending pact is marked, and is counted separately at the end', async () => {
  const run = await verifying(pending(pact), leeway);
  const text = table(reported(run, { notes: ['published: it fails'] }));
  expect(text).toContain('\n  pending: no failure of it fails the run\n');
  expect(text).toContain('\nan expired token  (a-consumer, pending)\n');
  expect(text).toContain(
    '\n\npublished: it fails\n✓ Every pact that counts is kept · 1 verified, 1 failed that is pending · ',
  );
});

/** A pact with texts that would control a terminal or a CI, or that are very long. */
const long = { content: 'x'.repeat(9000), contentType: 'text/plain', encoded: false };
const hostile = pactOf({
  ...callWithToken(
    "\u001b[2J::error::you\r\n::warning::lose\u202e <b>*bold*</b> | `x` '; rm",
    [aged(24)],
    { status: 401, body: long },
  ),
  ...reference('::set-output name=a::b'),
});

test('no text of a pact controls the terminal, or commands a CI', async () => {
  const run = await verifying({ ...hostile, from: '::error::from' }, leeway);
  const report = reported(run);
  expect(run.endings).toEqual(['failed']);
  for (const text of [table(report, plain(60)), annotations(report), stepSummary(report)]) {
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(text.length).toBeLessThan(8000);
  }
  expect(table(report, plain(60))).not.toMatch(/^\s*(::|##\[)/m);
  expect(annotations(report)).toMatch(/^::error title=[^:\n]*::[^\n]*\n$/);
  expect(stepSummary(report)).toMatch(/^```text\n.*\n```\n$/s);
  expect(table(report, plain(1000))).toMatch(/ {2}again .*'\\''; rm'/);
});

test('each failure is an annotation on GitHub: an error, or a warning where it is pending', async () => {
  const run = await verifying([pact, pending(pact)], leeway);
  expect(annotations(reported(run)).trim().split('\n')).toEqual([
    expect.stringMatching(
      /^::error title=an expired token::\(a-consumer\)%0A {2}EXPIRY-2 .*%0A {2}received {2}200%0A/,
    ),
    expect.stringMatching(/^::warning title=an expired token \(pending\)::/),
  ]);
  expect(stepSummary(reported(run))).toContain('✗ An interaction is not as the pact expects');
});

test('in JUnit a suite is a pact, and a case is an interaction with its states', async () => {
  const root = junitRoot(await verifying([pact, pending(pact)], leeway));
  expect(named(root, 'testsuite').map((suite) => attributes(suite).name)).toEqual([
    'a-consumer  a test',
    'a-consumer  a test',
  ]);
  const name = 'an expired token, given a token made some hours ago (hours 24)';
  expect(named(root, 'testcase').slice(0, 2).map(attributes)).toEqual([
    { name: 'a call, given a valid token', classname: 'a-consumer', time: '0.000' },
    { name, classname: 'a-consumer', time: '0.000' },
  ]);
  expect(attributes(root)).toMatchObject({ tests: '4', failures: '1', errors: '0' });
  const message = 'the status: expected 401 but was 200';
  const failure = only(named(root, 'failure'));
  expect(attributes(failure)).toEqual({ type: 'violated', message });
  expect(textOf(failure)).toContain("again     npm run pact:verify -- --interaction 'an expired");
  expect(attributes(only(named(root, 'skipped')))).toEqual({
    type: 'pending',
    message: `pending: ${message}`,
  });
});

test('in JUnit what makes the run fail without a failure is an error', async () => {
  const timeless = await verifying(pact, clockless);
  expect(errorsIn(timeless)).toEqual([]);
  const about = (message: unknown) => expect.objectContaining({ type: 'unverified', message });
  expect(errorsIn(timeless, { exit: 2 })).toEqual([
    about(expect.stringContaining('Not everything could be verified: no test clock')),
  ]);
  expect(errorsIn(timeless, { exit: 2, unpublished: true })).toEqual([
    about('A result is not in the broker'),
  ]);
  const unread = sourceOf('{}');
  expect(errorsIn(await verifying([pact, unread]))).toEqual([
    about('Not everything could be verified: it names no consumer: consumer.name is missing'),
  ]);
  expect(errorsIn(await verifying([pact, pending(unread)]))).toEqual([]);
  const broken = await verifying(pact, defective);
  expect(errorsIn(broken)).toMatchObject([{ type: 'defect' }]);
  expect(table(reported(broken))).toContain(
    '\nDEFECT  the verification\n    Error: ::error::this state is broken\n',
  );
});

test('the JSON report conforms to its schema, whatever the result', async () => {
  for (const run of [
    await verifying(pact, leeway),
    await verifying(pact, clockless),
    await verifying(pact, { provider: { finish: () => ({ status: 503 }) } }),
    await verifying(pact, { provider: faulty('token-endpoint-fails') }),
    await verifying(pact, defective),
    await verifying(hostile),
  ]) {
    const document = JSON.parse(pactsJson(reported(run, { only: 'a' })));
    conforms(document);
    expect(conforms.errors, run.endings.join()).toBe(null);
    expect(document.exit).toBe(run.exit);
  }
});

test('the schema refuses every outcome that contradicts its reason and differences', async () => {
  const report = pactsJson(reported(await verifying(pact, leeway)));
  for (const [at, change, isRight] of [
    [0, {}, true],
    [0, { ending: 'failed' }, false],
    [0, { reason: 'none' }, false],
    [1, { ending: 'verified' }, false],
    [1, { mismatches: [] }, false],
  ] as const) {
    const document = JSON.parse(report);
    Object.assign(document.pacts[0].interactions[at], change);
    expect(conforms(document), JSON.stringify(change)).toBe(isRight);
  }
});
