import { expect, test } from '@playwright/test';
import type { Finding } from '../../contract/finding.ts';
import { commandFor, folds } from '../../contract/report/failure.ts';
import { matrix } from '../../contract/report/matrix.ts';
import { headline, levelOf, reportOf } from '../../contract/report/report.ts';
import * as rounds from './rounds.ts';

const { context, finding, onOrders, onWidgets, roundOf } = rounds;

test('no text of a report holds a secret, whatever part of the round contained it', () => {
  const secret = 'Tr0mbone-Lilac-77';
  const round = rounds.quoting(secret, (text) => text.replaceAll(secret, '[secret]'));
  const report = reportOf(round, {
    ...context,
    target: `https://${secret}.example`,
    endpoints: [{ method: 'GET', path: `/public-api/v1/${secret}` }],
  });
  expect(JSON.stringify(report)).toContain('[secret]');
  expect(JSON.stringify(report)).not.toContain(secret);
  // A command with a masked part would be a different command, so the report does not show it.
  const findings = report.clauses.flatMap((clause) => clause.findings);
  expect(findings.map(({ curl }) => curl)).toEqual([undefined]);
});

test('no text of a report holds a control character, except the lines of a stack', () => {
  const texts = JSON.stringify(reportOf(rounds.hostile, context)).replaceAll(/\\[\\"]/g, '');
  expect(texts.match(/.{0,9}(\\|\p{C}).{0,9}/u)).toBe(null);
  const [defect] = reportOf(rounds.defective, context).defects;
  expect(defect?.detail).toBe(rounds.stack);
});

test('each exit code has its own headline', () => {
  const output = (round: typeof rounds.held): string => headline(reportOf(round, context));
  expect(output(rounds.held)).toBe('The contract holds');
  expect(output(rounds.withoutClock)).toBe('No clause is violated, 7 could not be verified');
  expect(output(rounds.violated)).toBe('The contract is violated in 2 clauses');
  expect(output(rounds.unjudged)).toBe('The provider could not be judged');
  expect(output(rounds.partlyUnjudged)).toBe('The provider could not be judged completely');
  const strict = '7 clauses could not be verified, which --strict refuses';
  expect(output(rounds.strictWithoutClock)).toBe(strict);
  expect(output(rounds.defective)).toBe('This suite has a defect, its verdict is incomplete');
});

test('a round of a few clauses claims only what it has judged', () => {
  const few = { ...rounds.held, clauses: rounds.held.clauses.slice(0, 2) };
  expect(headline(reportOf(few, context))).toBe('The contract holds as far as selected');
  const none = { ...rounds.held, clauses: [] };
  expect(headline(reportOf(none, context))).toBe('Nothing was judged, only observed');
});

test('the green headline requires that no clause was prevented, and few are unverified', () => {
  const level = (round: typeof rounds.held): string => levelOf(reportOf(round, context));
  const lacking = (share: number): typeof rounds.held => {
    const clauses = rounds.withoutClock.clauses.slice(-7 - share);
    return { ...rounds.withoutClock, clauses };
  };
  expect(level(rounds.held)).toBe('ok');
  expect(level({ ...rounds.held, clauses: [] })).toBe('ok');
  // 7 of 21 and 7 of 14 clauses lack a clock, and then 1 of 15.
  expect(level(rounds.withoutClock)).toBe('warning');
  expect(level(lacking(7))).toBe('warning');
  expect(level({ ...rounds.held, clauses: rounds.withoutClock.clauses.slice(0, 15) })).toBe('ok');
  const oneOf14 = rounds.prevented.clauses.slice(0, 14);
  expect(level({ ...rounds.prevented, clauses: oneOf14 })).toBe('warning');
  expect(level(rounds.violated)).toBe('violated');
  expect(level(rounds.unjudged)).toBe('warning');
  expect(level(rounds.defective)).toBe('defect');
});

test('the printed command names the probes with findings', () => {
  const again = (...probes: readonly string[]): string[] => {
    const findings = probes.map((probe) => finding('ERROR-1', onWidgets, { probe }));
    const report = reportOf(roundOf({ exit: 1, findings }), context);
    return report.clauses
      .filter(({ verdict }) => verdict === 'violated')
      .map((verdict) => commandFor(verdict, report));
  };
  const own = 'probe-of-error-1';
  const others = ['probe-of-error-2', 'probe-of-error-3', 'probe-of-error-4', 'probe-of-bearer-1'];
  expect(again(own)).toEqual(['npm run gate -- ERROR-1']);
  expect(again('probe-of-error-4')).toEqual(['npm run gate -- probe-of-error-4']);
  expect(again(own, 'probe-of-error-4')).toEqual(['npm run gate -- ERROR-1']);
  // The probes are in the order of the contract, at most three.
  const three = 'probe-of-bearer-1 probe-of-error-2 probe-of-error-3';
  expect(again(...others)).toEqual([`npm run gate -- ${three}`]);
});

test.describe('the folding of findings', () => {
  const shape = (findings: readonly Finding[]) =>
    folds(findings).map(({ more, last, alsoOn }) => ({ more, last, alsoOn }));

  test('joins findings that differ only in probe, endpoint, size and kind of success', () => {
    expect(
      shape([
        finding('BEARER-4', onWidgets),
        finding('BEARER-4', onWidgets, { probe: 'another' }),
        finding('BEARER-4', onOrders, { received: '202 application/json, 1 byte' }),
      ]),
    ).toEqual([{ more: 2, last: undefined, alsoOn: [onOrders] }]);
  });

  test('joins findings that differ only in numbers of the occasion, and shows the last one', () => {
    const last = 'at 24 h 00 min 30.000 s after the token was made';
    expect(
      shape([finding('EXPIRY-2', onWidgets), finding('EXPIRY-2', onWidgets, { when: last })]),
    ).toEqual([{ more: 1, last, alsoOn: [] }]);
  });

  test('separates permanent findings from intermittent ones', () => {
    const seen = { seen: '1 of 3 requests' };
    const both = [onWidgets, onOrders].map((endpoint) => finding('BEARER-4', endpoint, seen));
    const [permanent, intermittent, ...others] = shape([finding('BEARER-4', onWidgets), ...both]);
    expect(permanent).toEqual({ more: 0, last: undefined, alsoOn: [] });
    expect(intermittent).toEqual({ more: 1, last: undefined, alsoOn: [onOrders] });
    expect(others).toEqual([]);
  });

  test('separates findings with another cause, expectation or refusal', () => {
    expect(
      shape([
        finding('ERROR-1', onWidgets, { received: '403 text/html, 1 byte' }),
        finding('ERROR-1', onWidgets, { received: '400 text/html, 1 byte' }),
        finding('ERROR-1', onWidgets, { received: '403 text/html, 1 byte', when: 'no token' }),
        finding('ERROR-1', onWidgets, { received: '403 text/html, 1 byte', expected: 'another' }),
      ]),
    ).toHaveLength(4);
  });
});

test.describe('the matrix', () => {
  const rowOf = (round: typeof rounds.held, id: string) => {
    const row = matrix(reportOf(round, context)).find(({ clause }) => clause.clause.id === id);
    if (row === undefined) throw new Error(`no row ${id}`);
    return 'whole' in row ? row.whole : row.cells;
  };

  test('has a cell per endpoint, which counts its own findings', () => {
    expect(rowOf(rounds.violated, 'EXPIRY-2')).toEqual([
      { verdict: 'violated', findings: 2 },
      { verdict: 'holds', findings: 0 },
    ]);
  });

  test('has one cell for a service-wide run, and for a missing run', () => {
    expect(rowOf(rounds.violated, 'TOKEN-1')).toEqual({ verdict: 'holds', findings: 0 });
    const missing = { verdict: 'unverified', cause: 'unconfigured', findings: 0 };
    expect(rowOf(rounds.withoutClock, 'EXPIRY-1')).toEqual(missing);
  });

  test('shows no endpoint as passed that disappeared, or on which nothing was proven', () => {
    const held = { verdict: 'holds', findings: 0 };
    const away = { verdict: 'unverified', cause: 'prevented', findings: 0 };
    expect(rowOf(rounds.partlyUnjudged, 'BEARER-6')).toEqual([held, away]);
    const unproven = roundOf({
      exit: 0,
      outcome: ({ name }, endpoint) =>
        name === 'probe-of-error-1' && endpoint === onOrders ? { unproven: 'why' } : undefined,
    });
    expect(rowOf(unproven, 'ERROR-1')).toEqual([held, away]);
  });

  test('counts a finding that a probe of another clause made', () => {
    const astray = finding('ERROR-1', onOrders, { probe: 'probe-of-error-4' });
    const round = roundOf({ exit: 1, findings: [astray] });
    expect(rowOf(round, 'ERROR-1')).toEqual([
      { verdict: 'holds', findings: 0 },
      { verdict: 'violated', findings: 1 },
    ]);
  });

  test('counts a service-wide violation on every endpoint', () => {
    const token = 'POST /public-api/v1/auth/token';
    const found = finding('BEARER-6', token, { probe: 'probe-of-token-2' });
    const round = roundOf({ exit: 1, findings: [found] });
    const broken = { verdict: 'violated', findings: 1 };
    expect(rowOf(round, 'BEARER-6')).toEqual([broken, broken]);
  });
});
