import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { annotations, stepSummary } from '../../contract/report/github.ts';
import { reportOf } from '../../contract/report/report.ts';
import { stepSummaryText } from '../../contract/report/workflow.ts';
import * as rounds from './rounds.ts';

const { context } = rounds;
const strict = { ...context, strict: true };
const commands = (round: typeof rounds.held, given = context): string[] =>
  annotations(reportOf(round, given)).split('\n').slice(0, -1);

/** Reads a workflow command and undoes the escaping, as GitHub's runner does. */
const read = (command: string): readonly [kind: string, title: string, message: string] => {
  const [, kind = '', title = '', message = ''] =
    /^::(\w+) title=([^:,]*)::(.*)$/.exec(command) ?? [];
  const plain = (text: string): string =>
    text
      .replaceAll('%2C', ',')
      .replaceAll('%3A', ':')
      .replaceAll('%0A', '\n')
      .replaceAll('%0D', '\r')
      .replaceAll('%25', '%');
  return [kind, plain(title), plain(message)];
};

test('a violated clause is one error, with its sentence and its first failure', () => {
  expect(commands(rounds.violated).map(read)).toEqual([
    ['error', 'BEARER-4', expect.stringContaining('the scheme is Basic\n')],
    [
      'error',
      'EXPIRY-2',
      `Once 24 hours have elapsed a token is expired, at that very instant and after it
  at 24 h 00 min 00.000 s after the token was made
  asked     GET /public-api/v1/widgets   Authorization: Bearer [secret]
  expected  401 {"success":false,"message":"Invalid or expired access token."}
  received  200 application/json, 48 bytes
  and 1 more like this, the last at 24 h 00 min 30.000 s after the token was made
  again     npm run gate -- EXPIRY-2`,
    ],
  ]);
});

test('a contract that holds has no annotation', () => {
  expect(annotations(reportOf(rounds.held, strict))).toBe('');
});

test('clauses that lack a setting are warnings in strict mode only, and one for each reason', () => {
  const expiry = [1, 2, 3, 4, 5, 6, 7].map((number) => `EXPIRY-${number}`);
  expect(commands(rounds.withoutClock)).toEqual([]);
  expect(commands(rounds.strictWithoutClock, strict).map(read)).toEqual([
    ['warning', `${expiry.join(', ')} unverified`, rounds.noClock],
  ]);
});

test('a prevented clause is a warning without strict mode too', () => {
  expect(commands(rounds.prevented).map(read)).toEqual([
    ['warning', 'BEARER-5 unverified', `probe-of-bearer-5: ${rounds.nothingProven}`],
  ]);
});

test('a provider that could not be judged is one error and nothing else', () => {
  expect(commands(rounds.unjudged, strict).map(read)).toEqual([
    ['error', 'The provider could not be judged', rounds.unreachable],
  ]);
});

test('a defect is one error in one line, and a warning for each clause that it leaves open', () => {
  expect(commands(rounds.defective).map(read)).toEqual([
    [
      'error',
      'Defect of this suite in probe-of-bearer-3',
      "TypeError: Cannot read properties of undefined (reading 'status')",
    ],
    [
      'warning',
      'BEARER-3 unverified',
      "probe-of-bearer-3: defect: TypeError: Cannot read properties of undefined (reading 'status')",
    ],
  ]);
});

test("the last error counts the others above GitHub's limit", () => {
  const round = rounds.roundOf({ exit: 1, findings: rounds.onEveryClause() });
  const message = commands(round).map(read);
  expect(message).toHaveLength(10);
  expect(message.at(-1)?.[1]).toBe(`${mustHold.length - 9} more`);
});

test('hostile text starts no workflow command', () => {
  const lines = annotations(reportOf(rounds.hostile, strict)).split('\n').slice(0, -1);
  for (const line of lines) expect(line).toMatch(/^::(error|warning) title=[^:,\r\n]*::/);
  expect(lines).toHaveLength(4);
  expect(lines.map((line) => read(line)[1])).toEqual([
    'The provider could not be judged',
    'BEARER-2',
    'ERROR-3',
    'TOKEN-3 unverified',
  ]);
});

test('text that GitHub would decode arrives unchanged', () => {
  const received = 'at 100%: %0A::error::owned, 50%25';
  const finding = rounds.finding('ERROR-1', rounds.onWidgets, { received });
  const [error, ...others] = commands(rounds.roundOf({ exit: 1, findings: [finding] }));
  expect(others).toEqual([]);
  expect(read(error ?? '')[2]).toContain(`  received  ${received}\n`);
});

test('the summary has the verdict, the clauses and the failures', () => {
  const summary = stepSummary(reportOf(rounds.violated, context));
  expect(summary).toMatch(/^## ❌ The contract is violated in 2 clauses\n\n/);
  expect(summary).toContain(`${mustHold.length - 2} held, 2 violated · 1,234 requests · 1.2 s · `);
  expect(summary).toContain(
    '| ✅ holds | TOKEN-2 | Only a valid pair of API key and secret key gets a token |\n',
  );
  expect(summary).toContain('| ❌ violated | BEARER-4 | A valid token under another scheme, or');
  expect(summary).toContain('<details><summary><b>EXPIRY-2</b> Once 24 hours');
  expect(summary).toContain('  received  200 application/json, 48 bytes\n');
  expect(summary).toContain('Observed, not specified by the contract</summary>');
});

test('the summary states why a clause is unverified, and why a provider could not be judged', () => {
  const reason = 'no test clock&#58; set PUBLIC&#95;API&#95;CLOCK&#95;URL or';
  expect(stepSummary(reportOf(rounds.withoutClock, context))).toContain(`<br><sub>${reason}`);
  const unjudged = stepSummary(reportOf(rounds.unjudged, context));
  expect(unjudged).toContain('## ⚠️ The provider could not be judged\n');
  expect(unjudged).toContain('no connection &#40;ECONNREFUSED&#41;');
  expect(unjudged).not.toContain('| Clause |');
  expect(unjudged).not.toContain('unverified');
});

test('the summary distinguishes prevented clauses from those that lack a setting', () => {
  const summary = stepSummary(reportOf(rounds.prevented, context));
  expect(summary).toMatch(/^## ⚠️ No clause is violated, 8 could not be verified\n/);
  expect(summary).toContain(`${mustHold.length - 8} held, 8 unverified (1 prevented) · `);
  expect(summary).toContain('| ⚠️ unverified (prevented) | BEARER-5 | ');
  expect(summary).toContain('| ➖ unverified | EXPIRY-1 | ');
});

test('the summary shows a defect with its stack', () => {
  const summary = stepSummary(reportOf(rounds.defective, context));
  expect(summary).toContain('<b>Defect of this suite</b> in probe&#45;of&#45;bearer&#45;3');
  expect(summary).toContain('    at attempt (contract/round/attempt.ts:47:5)\n');
});

test('hostile text stays text in the summary', () => {
  const summary = stepSummary(reportOf(rounds.hostile, context));
  const tags = new Set(summary.match(/<[^\d\s][^>]*>/g));
  expect([...tags].sort()).toEqual([
    ...['</b>', '</details>', '</pre>', '</sub>', '</summary>'],
    ...['<b>', '<br>', '<details>', '<pre>', '<sub>', '<summary>'],
  ]);
  const outside = summary.replace(/<pre>[\s\S]*?<\/pre>/g, '');
  expect(outside.match(/[`*[\]!]|:\/\//)).toBe(null);
  for (const row of outside.match(/^\|.*$/gm) ?? []) expect(row.split('|')).toHaveLength(5);
});

test('the summary stays far below the mebibyte that GitHub accepts', () => {
  const long = '<'.repeat(3_000);
  const round = rounds.roundOf({
    exit: 1,
    findings: ['one', 'two', 'three'].flatMap((when) =>
      rounds.onEveryClause({ when, asked: long, expected: long, received: long }),
    ),
  });
  const summary = stepSummary(reportOf(round, context));
  expect(Buffer.byteLength(summary)).toBeLessThan(256 * 1024);
  expect(summary).toMatch(/<\/details>\n\nThe rest is in gate\.html\.\n$/);
});

test('a summary with a table of thousands of lines leaves room for the failures', () => {
  const table = Array.from({ length: 20_000 }, (_, index) => `| ✅ verified | call ${index} |`);
  const summary = stepSummaryText({
    level: 'violated',
    headline: 'An interaction fails',
    facts: ['1 failed'],
    head: ['A pact', table.join('\n')],
    blocks: ['the failure'],
    where: 'in pacts.json',
  });
  expect(Buffer.byteLength(summary)).toBeLessThan(256 * 1024);
  expect(summary).toMatch(
    /^## ❌ An interaction fails\n\n1 failed\n\nA pact\n\n\| ✅ verified \| call 0 \|/,
  );
  expect(summary).toMatch(/call \d+ \|\n\nthe failure\n\nThe rest is in pacts\.json\.\n$/);
});
