import { expect, test } from '@playwright/test';
import type { Finding } from '../../contract/finding.ts';
import { createReport } from '../../contract/report/contract-report.ts';
import { mergeFindings } from '../../contract/report/findings.ts';
import type { Round } from '../../contract/round/verdict.ts';
import * as rounds from './rounds.ts';

const { context, finding, onOrders, onWidgets, roundOf } = rounds;

const verdictOn = (round: Round): string => createReport(round, context).closing[0];

test('each exit code has its own verdict', () => {
  expect(verdictOn(rounds.held)).toBe('Contract holds');
  expect(verdictOn(rounds.withoutClock)).toBe('No clause violated');
  expect(verdictOn(rounds.violated)).toBe('Contract violated');
  const { target } = context;
  expect(verdictOn(rounds.unjudged)).toBe(`${target} could not be judged: ${rounds.unreachable}`);
  expect(verdictOn(rounds.partlyUnjudged)).toContain(`${target} could not be judged completely: `);
  expect(verdictOn(rounds.strictWithoutClock)).toBe('Not verified, which --strict refuses');
  expect(verdictOn(rounds.defective)).toBe('This suite has a defect');
});

test('a round of a few clauses claims only what it has judged', () => {
  const few = { ...rounds.held, clauses: rounds.held.clauses.slice(0, 2) };
  expect(verdictOn(few)).toBe('Contract holds as far as selected');
});

test('a tick requires that no clause is unverified', () => {
  const mark = (round: Round): string => createReport(round, context).mark;
  expect(mark(rounds.held)).toBe('holds');
  expect(mark({ ...rounds.held, clauses: [] })).toBe('holds');
  expect(mark(rounds.withoutClock)).toBe('prevented');
  const oneLacking = rounds.withoutClock.clauses.slice(0, 15);
  expect(mark({ ...rounds.held, clauses: oneLacking })).toBe('prevented');
  expect(mark(rounds.violated)).toBe('violated');
  expect(mark(rounds.unjudged)).toBe('prevented');
  expect(mark(rounds.defective)).toBe('defect');
});

test('the printed command names the probes with findings', () => {
  const again = (...probes: readonly string[]): string[] => {
    const findings = probes.map((probe) => finding('ERROR-1', onWidgets, { probe }));
    const { failures } = createReport(roundOf({ exit: 1, findings }), context);
    const rows = failures.flatMap(({ evidence = [] }) => evidence.flat());
    return rows.filter(([label]) => label === 'again').map(([, text]) => text);
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

test.describe('findings', () => {
  const shape = (findings: readonly Finding[]) =>
    mergeFindings(findings).map(({ times = 1, also = [] }) => [
      times,
      ...also.map(({ when }) => when),
    ]);
  const when = 'at 24 h 00 min 00.000 s after the token was made';

  test('with the same expectation and answer are one, whatever their probe, endpoint and occasion', () => {
    const findings = [
      finding('BEARER-4', onWidgets),
      finding('BEARER-4', onWidgets, { probe: 'another' }),
      finding('BEARER-4', onOrders, { received: '202 application/json, 1 byte', when: 'no token' }),
    ];
    expect(mergeFindings(findings)).toMatchObject([
      {
        probe: 'probe-of-bearer-4',
        endpoint: onWidgets,
        when,
        received: '200 application/json, 48 bytes',
        times: 3,
        also: [
          { probe: 'another', endpoint: onWidgets, when },
          { probe: 'probe-of-bearer-4', endpoint: onOrders, when: 'no token' },
        ],
      },
    ]);
  });

  test('list at most fifty places', () => {
    const late = Array.from({ length: 90 }, (_, at) =>
      finding('EXPIRY-2', onWidgets, { when: `at ${at} s` }),
    );
    const [[times, first, ...others] = []] = shape([...late, finding('EXPIRY-2', onOrders)]);
    expect({ times, first }).toEqual({ times: 91, first: 'at 1 s' });
    expect(others).toHaveLength(49);
  });

  test('are separate if they are intermittent, or have another expectation or refusal', () => {
    const seen = { seen: '1 of 3 requests' };
    const refused = { received: '403 text/html, 1 byte' };
    const findings = [
      finding('ERROR-1', onWidgets),
      finding('ERROR-1', onWidgets, seen),
      finding('ERROR-1', onOrders, { seen: '2 of 3 requests' }),
      finding('ERROR-1', onWidgets, refused),
      finding('ERROR-1', onWidgets, { received: '400 text/html, 1 byte' }),
      finding('ERROR-1', onWidgets, { ...refused, expected: 'another' }),
    ];
    expect(shape(findings).map(([times]) => times)).toEqual([1, 2, 1, 1, 1]);
  });
});
