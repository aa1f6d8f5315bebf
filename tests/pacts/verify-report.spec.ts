import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as github from '../../contract/report/github.ts';
import { plain, terminalText } from '../../contract/report/terminal.ts';
import { createReport, pactsJson } from '../../pacts/verify/report.ts';
import { faulty } from '../faults/index.ts';
import { fromRoot } from '../process.ts';
import { aged, callWithToken, interaction, pactOf, pending, withToken } from './pact-builder.ts';
import { defective, reported, verifying, withoutClock } from './verifying.ts';

type Reported = Parameters<typeof reported>;

const table = (...run: Reported): string =>
  terminalText(createReport(reported(...run)), plain(120));
const reference = (...clause: string[]) => ({ comments: { references: { spec: { clause } } } });
const ofGet = { name: 'a protected endpoint', params: { method: 'GET' } };
const expired = {
  ...callWithToken('an expired token', [ofGet, aged(24)], { status: 401 }),
  ...reference('EXPIRY-2', 'ERROR-1'),
};
const pact = pactOf(callWithToken(), expired);
const leeway = { provider: faulty('leeway-of-a-second') };
const clockless = { aim: withoutClock };

test('a failure reads as in the gate: clause, state, request, expected and received', async () => {
  const run = await verifying(pact, leeway);
  expect(table(run)).toBe(`
a-consumer  a test
  ✓ a call
  ✗ an expired token  EXPIRY-2 ERROR-1

an expired token  (a-consumer)
  EXPIRY-2  Once 24 hours have elapsed a token is expired, at that very instant and after it (also ERROR-1)
  given     a protected endpoint (method GET)
            a token made some hours ago (hours 24)
  asked     GET /public-api/v1/widgets   Authorization: Bearer [secret]
  expected  401
  received  200
            the status: expected 401 but was 200
  body      {"widgets":[{"id":1,"name":"first"}]}
  again     npm run pact:verify -- --interaction 'an expired token'

✗ An interaction is not as the pact expects · 1 verified, 1 failed · ${run.requests} requests, 1.2 s · ${run.target}
`);
});

test('a status that differs stands above the differences of the body', async () => {
  const other = { status: 201, body: { content: { a: 1 }, contentType: 'application/json' } };
  const run = await verifying(pactOf(callWithToken('a call', undefined, other)));
  const attributes = run.results[0]?.mismatches.map(({ attribute }) => attribute);
  expect(attributes).toEqual(['status', 'body']);
});

test('what is unverified is listed with its reason, and what is pending is counted by itself', async () => {
  const another = { ...expired, description: 'another' };
  const bare = interaction('a call', [], { response: { status: 401 } });
  const message = { description: 'a message', type: 'Asynchronous/Messages' };
  const unread = { ...expired, description: 'unread', request: {}, pending: true };
  const run = await verifying(pactOf(unread, expired, another, bare, message), clockless);
  expect(table(run)).toContain(`
a-consumer  a test
  a message, which is not verified here: a message
  ! unread  EXPIRY-2 ERROR-1
    it has a request without a method
  – an expired token  EXPIRY-2 ERROR-1
  – another  EXPIRY-2 ERROR-1
    no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE
  ✓ a call
  warning: a 401 is expected, and no state gives its cause: ask for a token, or for "a protected endpoint"

✓ No pact is broken · 1 verified, 3 unverified · `);
  expect(table(run, { exit: 2 })).toContain('! Not everything could be verified: no test clock');
  const open = table(await verifying(pactOf(expired), clockless));
  expect(open).toContain('\n! Nothing could be verified: no test clock: set PUBLIC_API_CLOCK_URL ');
  const waiting = table(await verifying(pending(pact), leeway), { notes: ['published: it fails'] });
  expect(waiting).toContain('\n  pending: no failure of it fails the run\n');
  expect(waiting).toContain('\nan expired token  (a-consumer, pending)\n');
  expect(waiting).toContain(
    '\n\npublished: it fails\n✓ Every pact that counts is kept · 1 verified, 1 failed but pending · ',
  );
});

test("below a failure stand the response's body, the likely cause and the warning", async () => {
  const request = { ...withToken, path: '/public-api/v1/gone' };
  const bare = interaction('another', []);
  const dummy = { request: { headers: { Authorization: ['Bearer abc123'] } } };
  const pact = pactOf(
    interaction('a call', [{ name: 'a valid token', params: { scope: 'read' } }], { request }),
    bare,
    interaction('a dummy', [], dummy),
  );
  const text = table(await verifying(pact));
  expect(text).toMatch(/\n {2}body {6}\{"/);
  expect(text).toContain(`
  likely    nothing is there: no state has created what the request names
  warning   the state "a valid token" takes no scope, so it is ignored
`);
  expect(text.split('takes no scope')).toHaveLength(2);
  expect(text).toContain('✓ a dummy  with a valid token instead of "abc123"');
  expect(text).toContain(
    '\n✗ 2 interactions are not as the pact expects · 1 verified, 2 failed · ',
  );
});

/** A pact with texts that would control a terminal or a CI, or that are very long. */
const long = { content: 'x'.repeat(9000), contentType: 'text/plain', encoded: false };
const words = "\u001b[2J::error::you\r\n::warning::lose\u202e <b>*bold*</b> | `x` '; rm";
const hostile = pactOf({
  ...callWithToken(words, [aged(24)], { status: 401, body: long }),
  ...reference('::set-output name=a::b'),
});

test('no text of a pact controls the terminal, or commands a CI', async () => {
  const run = await verifying({ ...hostile, from: '::error::from' }, leeway);
  const report = createReport(reported(run));
  expect(run.endings).toEqual(['failed']);
  const annotations = github.annotations(report);
  for (const text of [table(run), annotations, github.stepSummary(report)]) {
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(text.length).toBeLessThan(8000);
  }
  expect(table(run)).not.toMatch(/^\s*(::|##\[)/m);
  expect(annotations).toMatch(/^::error title=[^:\n]*::[^\n]*\n$/);
  expect(table(run)).toMatch(/ {2}again .*'\\''; rm'/);
});

test('a suite is a pact, a case an interaction, and what fails the run otherwise an error', async () => {
  const { suites } = createReport(reported(await verifying([pact, pending(pact)], leeway)));
  const failed = {
    ...{ label: 'a-consumer', reason: 'the status: expected 401 but was 200' },
    text: 'an expired token, given a protected endpoint (method GET) and a token made some hours ago (hours 24)',
  };
  const heading = 'a-consumer  a test';
  const passed = { mark: 'holds', text: 'a call, given a valid token' };
  expect(suites).toMatchObject([
    { heading, items: [passed, { ...failed, mark: 'violated' }] },
    { heading, items: [passed, { ...failed, mark: 'known' }] },
  ]);
  const timeless = await verifying(pact, clockless);
  for (const [run, context, why] of [
    [timeless, { exit: 2 }, 'Not everything could be verified: no test clock'],
    [timeless, { exit: 2, unpublished: true }, 'A result is not in the broker'],
    [{ ...timeless, unjudged: 'it is gone' }, { exit: 1 }, 'it is gone'],
  ] satisfies [...Required<Reported>, string][])
    expect(createReport(reported(run, context)).incomplete).toContain(why);
  const broken = await verifying(pact, defective);
  expect(broken.endings[0]).toBe('unverified, a defect of this suite ended the run before it');
  expect(table(broken)).toMatch(/this state is broken.*\n! This suite has a defect · /s);
});

test('where the provider could not be judged the last line says it all, unless something was judged', async () => {
  const away = await verifying(pact, { provider: { finish: () => ({ status: 503 }) } });
  const why = `${away.target} could not be judged: ${away.unjudged}`;
  expect(table(away)).toBe(`\n! ${why} · 1 request, 1.2 s\n`);
  const lost = { ...(await verifying(pact, leeway)), unjudged: 'it is gone' };
  expect(table(lost)).toMatch(
    / {2}✗ an expired token .* · 1 verified, 1 failed · \d+ requests, 1.2 s\n$/s,
  );
});

test('the JSON report conforms to its schema, whatever the result', async () => {
  const schema = JSON.parse(readFileSync(fromRoot('schemas/pact-report.json'), 'utf8'));
  const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
  for (const run of [
    await verifying(pact, leeway),
    await verifying(pact, clockless),
    await verifying(pact, { provider: { finish: () => ({ status: 503 }) } }),
    await verifying(pact, defective),
    await verifying(hostile),
  ]) {
    const document = JSON.parse(pactsJson(reported(run, { only: 'a' })));
    conforms(document);
    expect(conforms.errors, run.endings.join()).toBe(null);
    expect(document.exit).toBe(run.exit);
  }
});
