import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { type Context, createReport } from '../../contract/report/contract-report.ts';
import { detectStyle, plain, terminalText } from '../../contract/report/terminal.ts';
import * as rounds from './rounds.ts';
import { terminal } from './terminal.ts';

const shown = (
  round: typeof rounds.held,
  columns = 80,
  context: Context = rounds.context,
): string => terminalText(createReport(round, context), plain(columns));

const all = mustHold.length;

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

test('every clause is listed with its sign, its id and its sentence', () => {
  const text = shown(rounds.violated);
  for (const lines of [
    '  ✓ TOKEN-2   Only a valid pair of API key and secret key gets a token',
    '  ✗ BEARER-4  A valid token under another scheme, or under none, is refused',
    '  ✓ BEARER-6  A refused request changes nothing: tokens that were valid before\n              it still are',
    '\n  ✓ ERROR-1   A refused request is answered with status 401',
  ])
    expect(text).toContain(`\n${lines}\n`);
});

test('a failure shows when, request, expected, received, and the command that repeats it', () => {
  const finding = rounds.finding('EXPIRY-2', rounds.onWidgets);
  expect(shown(rounds.roundOf({ exit: 1, findings: [finding] }), 100)).toContain(`
EXPIRY-2  Once 24 hours have elapsed a token is expired, at that very instant and after it
  at 24 h 00 min 00.000 s after the token was made
  asked     GET /public-api/v1/widgets   Authorization: Bearer [secret]
  expected  401 {"success":false,"message":"Invalid or expired access token."}
  received  200 application/json, 48 bytes
  again     npm run gate -- EXPIRY-2
`);
});

test('a diagnosis is above the findings', () => {
  const heading = 'A valid token under another scheme, or under none, is refused';
  const expected = `\nBEARER-4  ${heading}\n  ${rounds.diagnosis}\n  the scheme is Basic\n`;
  expect(shown(rounds.diagnosed)).toContain(expected);
});

test('a doubt comes first and last, and has a sign of its own', () => {
  const text = shown(rounds.doubtful, 120);
  expect(text).toContain(`\nEXPIRY-2 is doubtful: ${rounds.claim}\n`);
  expect(text.indexOf('EXPIRY-2 is doubtful')).toBeLessThan(text.indexOf('TOKEN-1'));
  expect(text).toContain('\n  ? EXPIRY-2  ');
  expect(lastLine(text)).toContain(`! EXPIRY-2 is doubtful: ${rounds.claim} · `);
  expect(lastLine(text)).toContain(`${all - 7} held, 7 unverified · `);
});

test('a prevented clause is a warning, and a clause that lacks a setting is not', () => {
  const text = shown(rounds.prevented, 120);
  expect(text).toContain('\n  ! BEARER-5  ');
  expect(text).toContain('\n  – EXPIRY-1  ');
  expect(text).toContain(`\n              probe-of-bearer-5: ${rounds.nothingProven}\n`);
  expect(lastLine(text)).toMatch(
    new RegExp(`^! No clause violated · ${all - 8} held, 8 unverified · `),
  );
});

test('equal failures are printed once, with the first few of the other places', () => {
  const text = shown(rounds.violated);
  expect(text).toContain(`
  received  200 application/json, 48 bytes
  also      the scheme is Digest
            the scheme is Token
            the scheme is MAC
            and 8 more like this
  again     npm run gate -- BEARER-4
`);
  expect(text).toContain('\n  also      at 24 h 00 min 30.000 s after the token was made\n');
});

test('a reason that clauses share is printed once', () => {
  const text = shown(rounds.withoutClock);
  expect(text).toContain('  – EXPIRY-3  Using a token does not move its expiry\n');
  expect(text.split(rounds.noClock)).toHaveLength(2);
  expect(text).toContain(`and 2038\n              ${rounds.noClock}\n`);
});

test('observations follow', () => {
  const observations = ['admitted', 'refused'].map((value, index) => ({
    id: 'OPEN-6' as const,
    fact: `spelling ${index}`,
    value,
  }));
  expect(shown(rounds.roundOf({ exit: 0, observations }))).toContain(
    `
Observed, not specified by the contract
  OPEN-6    spelling 0: admitted
  OPEN-6    spelling 1: refused
`,
  );
});

test('the last line has the verdict, the clauses, the requests, the seconds and the target', () => {
  const cost = `1,234 requests, 1.2 s · ${rounds.context.target}`;
  expect(lastLine(shown(rounds.held))).toBe(`✓ Contract holds · ${all} held · ${cost}`);
  const few = { ...rounds.held, clauses: rounds.held.clauses.slice(0, 2) };
  const strict = rounds.strictWithoutClock;
  for (const [round, words] of [
    [few, '✓ Contract holds as far as selected · 2 held'],
    [rounds.violated, `✗ Contract violated · ${all - 2} held, 2 violated`],
    [rounds.withoutClock, `! No clause violated · ${all - 7} held, 7 unverified`],
    [strict, `! Not verified, which --strict refuses · ${all - 7} held, 7 unverified`],
    [rounds.defective, `! This suite has a defect · ${all - 1} held, 1 unverified`],
  ] as const)
    expect(lastLine(shown(round))).toBe(`${words} · ${cost}`);
});

test('a provider that could not be judged is one line, without table and stack', () => {
  expect(shown(rounds.unjudged, 40, { ...rounds.context, target: 'sandbox' })).toBe(
    `\n! sandbox could not be judged: ${rounds.unreachable} · 1 request, 1.2 s\n`,
  );
});

test('a defect is reported as a defect of this suite, with its stack', () => {
  const text = shown(rounds.defective);
  expect(text).toContain(
    '\nDefect of this suite in probe-of-bearer-3 on GET /public-api/v1/widgets\n',
  );
  expect(text).toContain('    at Object.run (probes/refused-under-another-scheme.ts:14:9)\n');
  expect(text).toContain('a defect of the suite, not of the provider');
});

test('only the last line and a long word may be wider than the terminal', () => {
  for (const columns of [40, 80, 120]) {
    const lines = shown(rounds.hostile, columns).trimEnd().split('\n').slice(0, -1);
    const wide = lines.filter((line) => [...line].length > columns);
    // A label, and the word.
    for (const line of wide) expect(line.trim().split(/ +/).length).toBeLessThanOrEqual(2);
  }
});

test('no line controls a terminal or commands a CI', () => {
  for (const columns of [40, 61, 80, 120]) {
    const text = shown(rounds.hostile, columns);
    expect(text.match(/[^\P{C}\n]/u)).toBe(null);
    expect(text.match(/^\s*::.*/m)).toBe(null);
    expect(text.match(/##(vso|teamcity)?\[/)).toBe(null);
  }
});

test.describe('colour', () => {
  const at = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

  /** A text in colour, painted in its own process because Node reads the environment variables itself. */
  const painted = (stream: string, env: NodeJS.ProcessEnv): string => {
    const script = `
      import { detectStyle } from ${at('../../contract/report/terminal.ts')};
      import { terminal } from ${at('./terminal.ts')};
      process.stdout.write(detectStyle(${stream}).paint('red', 'x'));`;
    const { PATH } = process.env;
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH, TERM: 'xterm-256color', ...env },
      encoding: 'utf8',
    }).stdout;
  };
  const red = '\u001b[31mx\u001b[39m';

  test('is used on a terminal, unless NO_COLOR is set', () => {
    expect(painted('terminal(80)[0]', {})).toBe(red);
    expect(painted('terminal(80)[0]', { NO_COLOR: '1' })).toBe('x');
  });

  test('is off for other outputs, unless FORCE_COLOR is set', () => {
    expect(painted('process.stdout', {})).toBe('x');
    expect(painted('process.stdout', { FORCE_COLOR: '1' })).toBe(red);
  });
});

test('the width is that of the terminal, up to a readable limit', () => {
  const columns = (given: number | undefined): number => detectStyle(terminal(given)[0]).columns;
  expect([undefined, 0, 20, 100, 300].map(columns)).toEqual([80, 80, 40, 100, 120]);
});
