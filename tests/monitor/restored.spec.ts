import { expect, test } from '@playwright/test';
import { readPlace, restoreStatus } from '../../monitor/status/status.ts';
import { fresh, planFor, reducing, restarted } from './reducing.ts';
import { broken, kept, probeAbout, unreachable } from './runs.ts';

const refuses = probeAbout('refuses', ['BEARER-2']);
const plan = planFor([refuses]);
const place = 'refuses GET /public-api/v1/widgets';

/** A row with a violation. */
function row() {
  const reducer = reducing(plan);
  reducer.take(broken(refuses, 'BEARER-2', { at: 5 }));
  return reducer.status();
}

test('of a row that is no object, or of another address, nothing is restored', () => {
  const moved = { ...row(), address: 'http://new/' };
  for (const row of [undefined, 'text', moved]) expect(restoreStatus(row, fresh)).toEqual(fresh);
});

test('a row of an earlier version has what that one knew, and since when', () => {
  const { address, since, places } = row();
  const clauses = { 'BEARER-2': { verdict: 'violated', since: 5 } };
  const counters = { runs: { passed: 3, failed: 1, unreachable: 0, defect: 0 } };
  const early = { address, since, clauses, places, counters };
  const status = restarted(restoreStatus(early, fresh), plan, 20);
  expect(status.clauses['BEARER-2']).toMatchObject({ verdict: 'violated', since: 5 });
  expect(status.clauses['BEARER-1']).toMatchObject({ verdict: 'unverified', since: 0 });
  expect(status).toMatchObject({ state: 'violated', counters: { ...fresh.counters, ...counters } });
});

test('what a removed probe or endpoint has shown counts no more, and not when it returns either', () => {
  const none = planFor([]);
  const without = restarted(row(), none, 30);
  expect(without).toMatchObject({ state: 'unverified', events: [{ until: 30 }] });
  expect(without.places).toEqual({});
  expect(restarted(without, plan, 40)).toMatchObject({ state: 'waiting', since: 40 });
  const evidence = { 'EXPIRY-1': { clause: 'EXPIRY-1', at: 5, findings: [] } } as const;
  const shown = { ...fresh, evidence };
  expect(restarted(shown, { ...plan, hasCanaries: true }).evidence).toEqual(evidence);
  expect(restarted(shown, plan).evidence).toEqual({});
});

test('the next run of a place follows from its last one', () => {
  const list = { ...kept(refuses, { at: 5 }) };
  const part = { ...list, result: { ...list.result, nextRow: 6 } };
  const after = (...runs: Parameters<ReturnType<typeof reducing>['take']>) => {
    const reducer = reducing(plan);
    reducer.take(...runs);
    return readPlace(reducer.status(), place, 65);
  };
  const agoMs = 60;
  expect(readPlace(fresh, place, 65)).toBeUndefined();
  expect(after(kept(refuses, { at: 5 }))).toEqual({ agoMs });
  expect(after(part)).toEqual({ agoMs, nextRow: 6 });
  expect(after(broken(refuses, 'BEARER-2', { at: 5 }))).toEqual({ agoMs, failure: 'failed' });
  expect(after(unreachable(refuses, 'timeout', { at: 5 }))).toEqual({ agoMs, failure: 'unjudged' });
});
