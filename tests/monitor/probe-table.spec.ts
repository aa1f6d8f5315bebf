import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { plain } from '../../contract/report/terminal.ts';
import { PayloadMismatchError } from '../../contract/round/attempt.ts';
import { documentOf } from '../../monitor/probe/document.ts';
import { type RoundOptions, roundOn, type TargetRound } from '../../monitor/probe/round.ts';
import { table } from '../../monitor/probe/table.ts';
import type { Run } from '../../monitor/round/run.ts';
import { reduce } from '../../monitor/status/reduce.ts';
import { newStatus } from '../../monitor/status/status.ts';
import { broken, defect, kept, placesFor, probeAbout, target, unreachable } from './runs.ts';

const usual = probeAbout('usual', ['BEARER-2']);
const other = probeAbout('other', ['BEARER-3'], { scope: 'service' });

const onReports = { endpoint: 'POST /public-api/v1/reports' };
const onToken = { endpoint: 'POST /public-api/v1/auth/token' };

/** A round with these runs. */
function roundOf(runs: readonly Run[], more: Partial<TargetRound> = {}): TargetRound {
  const probes = [usual, other];
  const plan = { places: placesFor(probes), probes, hasCanaries: false };
  const status = reduce(newStatus(target.name, '', 0), { at: 0, runs }, plan);
  return {
    target,
    startedAt: new Date(0),
    finishedAt: new Date(250),
    runs,
    status,
    clauses: mustHold
      .filter(({ id }) => ['BEARER-2', 'BEARER-3'].includes(id))
      .map((clause) => ({ clause, ...status.clauses[clause.id] })),
    observations: [],
    requests: 7,
    exit: 0,
    ...more,
  };
}

const shown = (rounds: readonly TargetRound[], columns = 80): string =>
  table(rounds, { alone: rounds.length === 1, tookSeconds: 0.26 }, plain(columns));

test('runs are listed below their endpoint, with their sign and duration', () => {
  const runs = [kept(other, onToken), kept(usual), kept(usual, onReports)];
  expect(shown([roundOf(runs)])).toBe(
    [
      '',
      'POST /public-api/v1/auth/token',
      '  ✓   7.1 ms  other',
      '',
      'GET /public-api/v1/widgets',
      '  ✓   7.1 ms  usual',
      '',
      'POST /public-api/v1/reports',
      '  ✓   7.1 ms  usual',
      '',
      '✓ No clause violated · 2 held · 7 requests, 0.26 s',
      '',
    ].join('\n'),
  );
});

test('a breach is named beside its run, and explained below in the words of the contract', () => {
  const runs = [kept(other, onToken), broken(usual, 'BEARER-2'), kept(usual, onReports)];
  const text = shown([roundOf(runs, { exit: 1 })]);
  expect(text).toContain('  ✗   7.1 ms  usual  BEARER-2\n');
  expect(text).toContain(
    [
      'BEARER-2  Without the token in the Authorization header a request is refused,',
      'wherever else a token travels',
      '  no token was sent',
      '  asked     GET /public-api/v1/widgets',
      '  expected  401 {"success":false,"message":"Invalid or expired access token."}',
      '  received  200 application/json, 48 bytes <script>alert(1)</script>',
      '  again     npm run probe -- BEARER-2',
      '',
      '✗ Contract violated · 1 held, 1 violated · 7 requests, 0.26 s',
      '',
    ].join('\n'),
  );
});

test('the fifth and later different breaches are counted, with a hint at --json', () => {
  const found = broken(usual, 'BEARER-2');
  const [one] = found.result.findings;
  const findings = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((received) =>
    one ? [{ ...one, received }] : [],
  );
  const run = { ...found, result: { ...found.result, findings } };
  expect(shown([roundOf([run], { exit: 1 })])).toContain(
    '\n  and 2 further findings, all of them in --json\n',
  );
});

test('a reason that several consecutive runs share is printed below the last of them', () => {
  const away = unreachable(usual, 'timeout');
  const unproven = kept(usual, { ...onReports, unproven: 'the control was not admitted' });
  const text = shown([
    roundOf([kept(other, onToken), away, away, unproven], { exit: 2, unjudged: 'x' }),
  ]);
  expect(text).toContain(
    [
      '  !   7.1 ms  usual',
      '  !   7.1 ms  usual',
      '              GET /public-api/v1/widgets: no complete answer in time (2000 ms)',
      '',
      'POST /public-api/v1/reports',
      '  !   7.1 ms  usual',
      '              the control was not admitted',
      '',
    ].join('\n'),
  );
  expect(text).toContain('! under-test could not be judged completely: x · 1 held, 1 unverified');
});

test('a shared reason is the only line where every run has the same outcome', () => {
  const away = unreachable(usual, 'timeout');
  const unjudged = away.result.detail ?? '';
  expect(shown([roundOf([away, away], { exit: 2, unjudged })]).trim()).toBe(
    `! under-test could not be judged: ${unjudged} · 7 requests, 0.26 s`,
  );
});

test('a defect shows its stack, and is reported as a defect of this suite', () => {
  const text = shown([roundOf([defect(usual)], { exit: 3 })]);
  expect(text).toContain(
    '\nDEFECT  usual on GET /public-api/v1/widgets\n    TypeError: a mistake\n',
  );
  expect(text).toContain('! This suite has a defect · ');
});

test('each of several targets has its name as heading, and a last line counts them', () => {
  const rounds = [
    roundOf([kept(other, onToken)]),
    roundOf([broken(usual, 'BEARER-2')], { exit: 1, target: { ...target, name: 'bad' } }),
  ];
  const text = shown(rounds);
  expect(text).toContain('\nunder-test  http://127.0.0.1:1/\n');
  expect(text).toContain('\nbad  http://127.0.0.1:1/\n');
  expect(text).toContain('again     npm run probe -- --target bad BEARER-2');
  expect(text).toContain(
    '\n✗ Contract violated · 0 held, 1 violated, 1 unverified (all prevented) · 7 requests, 0.25 s\n',
  );
  expect(text.trimEnd().split('\n').at(-1)).toBe(
    '2 targets · 1 without a violation, 1 violated · 14 requests, 0.26 s',
  );
});

test('control characters of a provider are removed from table and document', async () => {
  const options: RoundOptions = {
    probes: [
      probeAbout('usual', ['BEARER-2'], {
        run: () => Promise.reject(new PayloadMismatchError('a\u001b[31m red \r::error::word')),
      }),
    ],
  };
  const round = await roundOn(target, options);
  expect(JSON.stringify(JSON.parse(documentOf([round], 1)))).not.toMatch(/\\u001b|\\r|\\n/);
  expect(shown([round])).not.toMatch(/\u001b|\r/);
});
