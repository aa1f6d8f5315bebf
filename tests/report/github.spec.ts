import { expect, test } from '@playwright/test';
import { createReport } from '../../contract/report/contract-report.ts';
import { annotations, stepSummary } from '../../contract/report/github.ts';
import * as rounds from './rounds.ts';

const { context } = rounds;
const commands = (round: typeof rounds.held): string[] =>
  annotations(createReport(round, context)).split('\n').slice(0, -1);

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
  also      at 24 h 00 min 30.000 s after the token was made
  again     npm run gate -- EXPIRY-2`,
    ],
  ]);
});

test('a diagnosis is above the first failure', () => {
  const [[, , message] = []] = commands(rounds.diagnosed).map(read);
  expect(message).toMatch(
    new RegExp(`refused\\n {2}${rounds.diagnosis}\\n {2}the scheme is Basic`),
  );
});

test('a contract that holds has no annotation', () => {
  expect(commands(rounds.held)).toEqual([]);
});

const expiry = [1, 2, 3, 4, 5, 6, 7].map((number) => `EXPIRY-${number}`).join(', ');
const lacking = ['notice', `${expiry} (unverified)`, rounds.noClock];

test('clauses that lack a setting are a notice, one for each reason', () => {
  expect(commands(rounds.withoutClock).map(read)).toEqual([lacking]);
  expect(commands(rounds.strictWithoutClock).map(read)).toEqual([
    ['error', 'No complete verdict', 'Not verified, which --strict refuses'],
    lacking,
  ]);
});

test('a doubt is an error, once', () => {
  const [first, second, ...others] = commands(rounds.doubtful).map(read);
  expect(first).toEqual(['error', 'EXPIRY-2 (doubtful)', rounds.claim]);
  expect(second).toEqual(['notice', expect.anything(), rounds.noClock]);
  expect(others).toEqual([]);
});

test('a prevented clause is a warning', () => {
  const [warning, ...others] = commands(rounds.prevented).map(read);
  expect(warning?.slice(0, 2)).toEqual(['warning', 'BEARER-5 (prevented)']);
  expect(warning?.[2]).toMatch(new RegExp(`^probe-of-bearer-5: .*${rounds.nothingProven}$`));
  expect(others).toEqual([lacking]);
});

test('a provider that could not be judged is one error and nothing else', () => {
  expect(commands(rounds.unjudged).map(read)).toEqual([
    [
      'error',
      'No complete verdict',
      `${context.target} could not be judged: ${rounds.unreachable}`,
    ],
  ]);
});

test('hostile text starts no workflow command', () => {
  const lines = commands(rounds.hostile);
  for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r\n]*::/);
  expect(lines).toHaveLength(4);
  expect(lines.map((line) => read(line)[1])).toEqual([
    'No complete verdict',
    'BEARER-2',
    'ERROR-3',
    'TOKEN-3 (prevented)',
  ]);
});

test('the summary is what a terminal shows, in a block that no text of it ends', () => {
  const summary = stepSummary(createReport(rounds.violated, context));
  expect(summary).toMatch(/^\n+ {6}✓ TOKEN-1 /);
  expect(summary).toMatch(/\n {4}✗ Contract violated · .*\n$/);
  expect(summary).toContain('\n    EXPIRY-2  Once 24 hours have elapsed');
  expect(stepSummary(createReport(rounds.hostile, context))).toMatch(/^\n(( {4}.*)?\n)+$/);
});

test('a known deviation is a warning with its reason, and no failure', () => {
  expect(commands(rounds.known).map(read)).toEqual([
    ['warning', 'BEARER-4 (known)', 'mended in spring'],
  ]);
});
