import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import type { Probe } from '../../contract/probe.ts';
import {
  type Change,
  ContractStatus,
  type Remembered,
} from '../../monitor/target/contract-status.ts';
import { broken, defect, kept, placesFor, probeAbout, target, unreachable } from './runs.ts';

const opens = probeAbout('opens', ['BEARER-1'], { scope: 'service' });
const refuses = probeAbout('refuses', ['BEARER-2'], { scope: 'service' });
const probes = [opens, refuses];

const standing = (all: readonly Probe[] = probes, remembered?: Remembered): ContractStatus =>
  new ContractStatus(placesFor(all), all, 0, remembered);

const clause = (of: ContractStatus, id: string) =>
  of.verdicts().find((one) => one.clause.id === id) ?? { verdict: 'no such clause' };

/** Changes in short form: `state holds`, `BEARER-1 violated`. */
const brief = (changes: readonly Change[]): string[] =>
  changes.map((change) => {
    if (change.is === 'state') return `state ${change.to}`;
    return change.is === 'verdict'
      ? `${change.now.clause.id} ${change.now.verdict}`
      : `${change.now.id} ${change.now.value}`;
  });

test('every clause that must hold is unknown before any run', () => {
  const none = standing();
  expect(none.verdicts()).toHaveLength(mustHold.length);
  expect(new Set(none.verdicts().map(({ verdict }) => verdict))).toEqual(new Set(['unverified']));
  expect(clause(none, 'BEARER-1')).toMatchObject({ reason: 'not run yet', since: 0 });
  expect(none.state()).toEqual({ is: 'waiting', since: 0 });
});

test('a clause that production cannot verify has a reason', () => {
  const some = standing([
    ...probes,
    probeAbout('timed', ['EXPIRY-1'], { stage: 'simulated' }),
    probeAbout('wrong', ['TOKEN-2'], { stage: 'wrong-credentials' }),
  ]);
  expect(clause(some, 'EXPIRY-1')).toMatchObject({ reason: 'takes simulated time: npm run gate' });
  expect(clause(some, 'TOKEN-2')).toMatchObject({
    reason: 'takes wrong credentials, which may lock an account: npm run gate',
  });
  expect(clause(some, 'ERROR-1')).toMatchObject({
    reason: 'no probe about it runs in production: npm run gate',
  });
});

test('the contract holds once every probe has run', () => {
  const one = standing();
  expect(brief(one.take(kept(opens, { at: 5 })))).toEqual(['BEARER-1 holds']);
  expect(one.state().is).toBe('waiting');
  expect(brief(one.take(kept(refuses, { at: 6 })))).toEqual(['state holds', 'BEARER-2 holds']);
  expect(one.state()).toEqual({ is: 'holds', since: 6 });
  expect(clause(one, 'BEARER-1')).toMatchObject({ since: 5 });
  expect(brief(one.take(kept(opens, { at: 7 })))).toEqual([]);
});

test('a breach is reported once, keeps its beginning, and ends with the first passing run', () => {
  const one = standing();
  one.take(kept(opens));
  one.take(kept(refuses));
  expect(brief(one.take(broken(refuses, 'BEARER-2', { at: 10 })))).toEqual([
    'state broken',
    'BEARER-2 violated',
  ]);
  expect(brief(one.take(broken(refuses, 'BEARER-2', { at: 20 })))).toEqual([]);
  expect(clause(one, 'BEARER-2')).toMatchObject({ verdict: 'violated', since: 10 });
  expect(one.state()).toEqual({ is: 'broken', since: 10 });
  expect(brief(one.take(kept(refuses, { at: 30 })))).toEqual(['state holds', 'BEARER-2 holds']);
  expect(clause(one, 'BEARER-2')).toMatchObject({ verdict: 'holds', since: 30, findings: [] });
});

test('a clause that a probe about another clause found violated becomes unverified again afterwards', () => {
  const one = standing();
  one.take(broken(refuses, 'ERROR-3'));
  expect(clause(one, 'ERROR-3')).toMatchObject({ verdict: 'violated' });
  one.take(kept(refuses));
  expect(clause(one, 'ERROR-3')).toMatchObject({ verdict: 'unverified' });
});

test('an outage violates no clause: what it hides is unverified, with the reason', () => {
  const one = standing();
  one.take(kept(opens));
  one.take(kept(refuses));
  one.take(unreachable(opens, 'timeout', { at: 8 }));
  expect(one.state().is).toBe('holds');
  const [state] = one.take(unreachable(opens, 'timeout', { at: 9 }));
  expect(state).toEqual({
    is: 'state',
    from: 'holds',
    to: 'unreachable',
    why: 'GET /public-api/v1/widgets: no complete answer in time (2000 ms)',
  });
  expect(clause(one, 'BEARER-1')).toMatchObject({
    verdict: 'unverified',
    reason: 'opens: unreachable: GET /public-api/v1/widgets: no complete answer in time (2000 ms)',
  });
  expect(clause(one, 'BEARER-2')).toMatchObject({ verdict: 'holds' });
});

test('an outage does not clear a violation', () => {
  const one = standing();
  one.take(broken(refuses, 'BEARER-2'));
  one.take(unreachable(opens));
  expect(one.state().is).toBe('broken');
});

test('a defect violates no clause', () => {
  const one = standing();
  one.take(kept(opens));
  one.take(defect(refuses));
  expect(clause(one, 'BEARER-2')).toMatchObject({ verdict: 'unverified' });
  expect(one.state().is).toBe('holds');
});

test('the contract does not hold where nothing is proven', () => {
  const one = standing();
  for (const probe of probes) one.take(kept(probe, { unproven: 'it answers 404 to everybody' }));
  expect(one.state().is).toBe('unverified');
  expect(clause(one, 'BEARER-1')).toMatchObject({ reason: 'opens: it answers 404 to everybody' });
});

test('a clause holds only when its probe passed on every endpoint', () => {
  const each = probeAbout('each', ['BEARER-1']);
  const one = standing([each]);
  const reports = { endpoint: 'POST /public-api/v1/reports' };
  one.take(kept(each));
  expect(clause(one, 'BEARER-1')).toMatchObject({ verdict: 'unverified', reason: 'not run yet' });
  one.take(kept(each, reports));
  expect(clause(one, 'BEARER-1')).toMatchObject({ verdict: 'holds' });
  one.take(broken(each, 'BEARER-1', reports));
  one.take(kept(each));
  expect(clause(one, 'BEARER-1')).toMatchObject({ verdict: 'violated' });
});

test('a violation on one endpoint is a violation, even if the other endpoints are unknown', () => {
  const each = probeAbout('each', ['BEARER-1']);
  const one = standing([each]);
  one.take(broken(each, 'BEARER-1'));
  expect(clause(one, 'BEARER-1')).toMatchObject({ verdict: 'violated' });
});

test('a breach found by a prerequisite probe disturbs the other probes, and only those', () => {
  const first = probeAbout('first', ['EXPIRY-4', 'BEARER-1'], { stage: 'first' });
  const one = standing([first, ...probes]);
  const [widgets, reports] = target.endpoints;
  if (widgets === undefined || reports === undefined) throw new Error('no endpoint');
  expect(one.disturbed(opens, widgets)).toBeUndefined();
  one.take(broken(first, 'EXPIRY-4'));
  expect(one.disturbed(opens, reports)).toBe(
    'EXPIRY-4 is broken, which may be why a valid token was refused',
  );
  expect(one.disturbed(first, reports)).toBeUndefined();
  one.take(broken(first, 'BEARER-1'));
  expect(one.disturbed(opens, widgets)).toContain('BEARER-1 is broken');
  expect(one.disturbed(opens, reports)).toBeUndefined();
  one.take(kept(first));
  one.take(broken(opens, 'BEARER-6'));
  expect(one.disturbed(refuses, widgets)).toBeUndefined();
});

test('an open fact is remembered through outages, and its change is reported with the earlier value', () => {
  const one = standing();
  const saying = (value: string, at: number) =>
    kept(opens, { at, observed: [['OPEN-1', 'status of a token response', value]] });
  expect(brief(one.take(saying('200', 1)))).not.toContain('OPEN-1 200');
  one.take(unreachable(opens));
  expect(one.facts()).toMatchObject([{ value: '200', since: 1 }]);
  expect(brief(one.take(saying('200', 2)))).not.toContain('OPEN-1 200');
  expect(brief(one.take(saying('201', 3)))).not.toContain('OPEN-1 201');
  expect(brief(one.take(saying('201', 4)))).toContain('OPEN-1 201');
  expect(one.facts()).toMatchObject([{ value: '201', since: 4, before: '200' }]);
});

/** How often a fact with these successive values changes, and its value at the end. */
function changesOf(values: readonly string[]): [changes: number, value: string | undefined] {
  let one = standing();
  let changes = 0;
  for (const [at, value] of values.entries()) {
    const run = kept(opens, { at, observed: [['OPEN-3', 'message of a token response', value]] });
    changes += one.take(run).filter(({ is }) => is === 'fact').length;
    // A restart after every run must not change the result.
    const saved = JSON.parse(JSON.stringify(one.saved()));
    one = standing(probes, { runs: one.latest(), since: new Map(), facts: one.facts(), ...saved });
  }
  return [changes, one.facts()[0]?.value];
}

test('a value that is seen once does not change a fact', () => {
  expect(changesOf(['ok', 'ok', 'oops', 'ok', 'oh', 'ok'])).toEqual([0, 'ok']);
});

test('a fact with another value in each run is reported as varying, once', () => {
  const nonces = Array.from({ length: 500 }, (_, count) => `request ${count}`);
  expect(changesOf(nonces)).toEqual([1, 'varies from answer to answer']);
});

test('a fact that keeps changing is reported as varying', () => {
  const hours = Array.from({ length: 500 }, (_, count) => `it is ${Math.floor(count / 6)} o'clock`);
  expect(changesOf(hours)).toEqual([4, 'varies from answer to answer']);
});

test('a fact that has settled has its value again', () => {
  const values = ['a', 'b', 'c', 'd', ...Array.from({ length: 300 }, () => 'ok')];
  expect(changesOf(values)).toEqual([2, 'ok']);
  const weekly = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((value) =>
    Array.from({ length: 1008 }, () => value),
  );
  expect(changesOf(weekly)).toEqual([6, 'g']);
});

test('a missing token in a rare probe is outdated by a later run that gets one', () => {
  const issues = probeAbout('issues', ['TOKEN-1'], { scope: 'service' });
  const wrong = probeAbout('wrong', ['TOKEN-2'], { scope: 'service', everySeconds: 3600 });
  const one = standing([issues, wrong]);
  one.take(kept(issues, { at: 1 }));
  one.take(broken(wrong, 'TOKEN-1', { at: 2, unproven: 'no token was issued' }));
  expect(clause(one, 'TOKEN-1')).toMatchObject({ verdict: 'violated' });
  expect(brief(one.take(kept(issues, { at: 3 })))).toContain('TOKEN-1 holds');
  expect(clause(one, 'TOKEN-2')).toMatchObject({ verdict: 'unverified' });
  one.take(broken(wrong, 'TOKEN-2', { at: 4 }));
  one.take(kept(issues, { at: 5 }));
  expect(clause(one, 'TOKEN-2')).toMatchObject({ verdict: 'violated' });
});

test('an outage on one endpoint does not change a fact that differs from endpoint to endpoint', () => {
  const each = probeAbout('each', ['BEARER-1']);
  const one = standing([each]);
  const reports = 'POST /public-api/v1/reports';
  one.take(kept(each, { observed: [['OPEN-5', 'caching', 'none']] }));
  one.take(kept(each, { endpoint: reports, observed: [['OPEN-5', 'caching', 'private']] }));
  expect(one.facts()).toMatchObject([{ value: 'none, private' }]);
  one.take(unreachable(each));
  one.take(kept(each, { endpoint: reports, observed: [['OPEN-5', 'caching', 'private']] }));
  expect(one.facts()).toMatchObject([{ value: 'none, private' }]);
});

test('facts are sorted in the order of the contract', () => {
  const one = standing();
  const observed = (['OPEN-10', 'OPEN-2', 'OPEN-1'] as const).map(
    (id) => [id, 'a fact', 'a value'] as const,
  );
  one.take(kept(opens, { observed }));
  expect(one.facts().map(({ id }) => id)).toEqual(['OPEN-1', 'OPEN-2', 'OPEN-10']);
});

test('a probe that proves nothing, and then proves nothing for another reason, changes the reason', () => {
  const one = standing();
  const unproven = (why: string, at: number) => kept(opens, { at, unproven: why });
  one.take(unproven('no JWT', 1));
  expect(clause(one, 'BEARER-1')).toMatchObject({ reason: 'opens: no JWT' });
  expect(brief(one.take(unproven('no JWT', 2)))).toEqual([]);
  one.take(unproven('another reason', 3));
  expect(clause(one, 'BEARER-1')).toMatchObject({ reason: 'opens: another reason', since: 0 });
  expect(brief(one.take(kept(opens, { at: 4 })))).toEqual(['BEARER-1 holds']);
});

test('a probe passes when its latest run on every endpoint has passed', () => {
  const twice = probeAbout('twice', ['BEARER-1']);
  const one = standing([twice, refuses]);
  one.take(kept(twice, { at: 1, endpoint: 'GET /a' }));
  one.take(broken(refuses, 'BEARER-2', { at: 2 }));
  expect([one.passes(twice), one.passes(refuses)]).toEqual([true, false]);
  one.take(unreachable(twice, 'timeout', { at: 3, endpoint: 'GET /b' }));
  expect(one.passes(twice)).toBe(false);
  one.take(kept(twice, { at: 4, endpoint: 'GET /b' }));
  expect(one.passes(twice)).toBe(true);
});
