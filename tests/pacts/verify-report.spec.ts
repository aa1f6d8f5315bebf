import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as github from '../../contract/report/github.ts';
import { plain, type TerminalStyle, terminalText } from '../../contract/report/terminal.ts';
import { reportOf } from '../../pacts/verify/report/forms.ts';
import { type PactReport, pactsJson } from '../../pacts/verify/report/report.ts';
import { faulty } from '../faults/index.ts';
import { reported } from './reporting.ts';
import {
  aged,
  callWithToken,
  interaction,
  pactOf,
  pending,
  verifying,
  withoutClock,
  withToken,
} from './verifying.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../schemas/pact-report.json', import.meta.url), 'utf8'),
);
const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

const table = (report: PactReport, style: TerminalStyle): string =>
  terminalText(reportOf(report), style);
const annotations = (report: PactReport): string => github.annotations(reportOf(report));
const stepSummary = (report: PactReport): string => github.stepSummary(reportOf(report));

const refused = { response: { status: 401 } };
const reference = (...clause: string[]) => ({ comments: { references: { spec: { clause } } } });
const expired = {
  ...callWithToken('an expired token', [aged(24)], { status: 401 }),
  ...reference('EXPIRY-2', 'ERROR-1'),
};
const pact = pactOf(callWithToken(), expired);

test('a failure reads as in the gate: clause, state, request, expected and received', async () => {
  const run = await verifying(pact, { provider: faulty('leeway-of-a-second') });
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

test('an unverified interaction is listed with its reason, once for those that share it', async () => {
  const another = { ...expired, description: 'another' };
  const pact = pactOf(expired, another, interaction('a call', [], refused));
  const run = await verifying(pact, { aim: withoutClock });
  expect(table(reported(run), plain())).toContain(`
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
    /the state "a widget exists" is not one of .*the state "a gadget exists" is not one of .*\n! Nothing could be verified: the state "a widget exists" [^\n]* \(and 1 other reason\) · 0 verified, 2 unverified · /s,
  );
});

test("below a failure stand the response's body, the likely cause and the warning", async () => {
  const scoped = { name: 'a valid token', params: { scope: 'read' } };
  const request = { ...withToken, path: '/public-api/v1/gone' };
  const bare = interaction('another', []);
  const run = await verifying(pactOf(interaction('a call', [scoped], { request }), bare));
  const text = table(reported(run), plain(120));
  expect(text).toMatch(/\n {2}body {6}\{"/);
  expect(text).toContain(`
  likely    nothing is there, and no state of the provider creates it
  warning   the state "a valid token" takes no scope, so it is ignored
`);
  expect(text).toContain('\n  likely    the request has no Authorization');
});

test('a pending pact is marked, and is counted separately at the end', async () => {
  const run = await verifying(pending(pact), { provider: faulty('leeway-of-a-second') });
  const text = table(reported(run, { notes: ['published: it fails'] }), plain());
  expect(text).toContain('\n  pending: no failure of it fails the run\n');
  expect(text).toContain('\nan expired token  (a-consumer, pending)\n');
  expect(text).toContain(
    '\n\npublished: it fails\n✓ Every pact that counts is kept · 1 verified, 1 failed that is pending · ',
  );
});

test('a defect has its stack', async () => {
  const broken = await verifying(pact, {
    isDefective: true,
    onVisit: () => {
      throw new Error('::error::this state is broken');
    },
  });
  const text = table(reported(broken), plain());
  expect(text).toContain('\nDEFECT  the verification\n    Error: ::error::this state is broken\n');
  expect(text).toContain('\n! This suite has a defect · 0 verified, 2 unverified · ');
});

/** A pact with texts that would control a terminal or a CI, or that are very long. */
const hostile = pactOf({
  ...callWithToken(
    "\u001b[2J::error::you\r\n::warning::lose\u202e <b>*bold*</b> | `x` '; rm",
    [aged(24)],
    {
      status: 401,
      body: { content: 'x'.repeat(9000), contentType: 'text/plain', encoded: false },
    },
  ),
  ...reference('::set-output name=a::b'),
});

test('no text of a pact controls the terminal, or commands a CI', async () => {
  const source = { ...hostile, from: '::error::from' };
  const run = await verifying(source, { provider: faulty('leeway-of-a-second') });
  const report = reported(run);
  expect(report.pacts[0]?.interactions[0]?.ending).toBe('failed');
  for (const text of [table(report, plain(60)), annotations(report), stepSummary(report)]) {
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(text.length).toBeLessThan(8000);
  }
  const commands = (text: string) => text.split('\n').filter((line) => /^\s*(::|##\[)/.test(line));
  expect(commands(table(report, plain(60)))).toEqual([]);
  expect(commands(annotations(report))).toHaveLength(1);
  expect(annotations(report)).toMatch(/^::error title=[^:\n]*::[^\n]*\n$/);
  expect(stepSummary(report)).toMatch(/^```text\n.*\n```\n$/s);
  const again = table(report, plain(1000))
    .split('\n')
    .find((line) => line.includes('again'));
  expect(again).toContain("'\\''; rm'");
});

test('each failure is an annotation on GitHub: an error, or a warning where it is pending', async () => {
  const run = await verifying([pact, pending(pact)], { provider: faulty('leeway-of-a-second') });
  const lines = annotations(reported(run)).trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(
      /^::error title=an expired token::\(a-consumer\)%0A {2}EXPIRY-2 .*%0A {2}received {2}200%0A/,
    ),
    expect.stringMatching(/^::warning title=an expired token \(pending\)::/),
  ]);
  expect(stepSummary(reported(run))).toContain('✗ An interaction is not as the pact expects');
});

test('the JSON report conforms to its schema, whatever the result', async () => {
  const runs = {
    kept: await verifying(pact),
    broken: await verifying(pact, { provider: faulty('leeway-of-a-second') }),
    'without a clock': await verifying(pact, { aim: withoutClock }),
    unjudged: await verifying(pact, { provider: { finish: () => ({ status: 503 }) } }),
    'without a token': await verifying(pact, { provider: faulty('token-endpoint-fails') }),
    defective: await verifying(pact, {
      isDefective: true,
      onVisit: () => {
        throw new Error('broken');
      },
    }),
    hostile: await verifying(hostile),
  };
  for (const [what, run] of Object.entries(runs)) {
    const document = JSON.parse(pactsJson(reported(run, { only: 'a' })));
    conforms(document);
    expect(conforms.errors, what).toBe(null);
    expect(document.exit).toBe(run.exit);
  }
});

test('the schema refuses every outcome that contradicts its reason and differences', async () => {
  const run = await verifying(pact, { provider: faulty('leeway-of-a-second') });
  const spoilt = (at: number, change: object): boolean => {
    const document = JSON.parse(pactsJson(reported(run)));
    Object.assign(document.pacts[0].interactions[at], change);
    return conforms(document);
  };
  expect([spoilt(0, {}), spoilt(1, {})]).toEqual([true, true]);
  expect(spoilt(0, { ending: 'failed' })).toBe(false);
  expect(spoilt(0, { reason: 'none' })).toBe(false);
  expect(spoilt(1, { ending: 'verified' })).toBe(false);
  expect(spoilt(1, { mismatches: [] })).toBe(false);
});
