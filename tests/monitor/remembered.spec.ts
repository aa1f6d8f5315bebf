import { expect, test } from '@playwright/test';
import { type Remembered, standingOf } from '../../monitor/standing.ts';
import { runFrom, stored } from '../../monitor/stored.ts';
import { broken, kept, probeAbout, slotsFor, unreachable } from './runs.ts';

const opens = probeAbout('opens', ['BEARER-1'], { once: true });
const alters = probeAbout('alters', ['BEARER-3'], { once: true });
const probes = [opens, alters];
const standing = (remembered?: Remembered) => standingOf(slotsFor(probes), probes, 0, remembered);

test('a run that has asked nobody is no sign of life', () => {
  const one = standing();
  one.take(kept(opens, { at: 1 }));
  one.take(kept(alters, { at: 2 }));
  one.take(unreachable(opens, 'timeout', { at: 3 }));
  one.take({ ...kept(alters, { at: 4 }), requests: 0 });
  expect(one.state()).toEqual({ is: 'unreachable', since: 3 });
  one.take(kept(alters, { at: 5 }));
  expect(one.state()).toEqual({ is: 'holds', since: 5 });
});

test('a run that has asked nobody ends the first round all the same', () => {
  const one = standing();
  one.take(kept(opens, { at: 1 }));
  one.take({ ...kept(alters, { at: 2 }), requests: 0 });
  expect(one.state().is).toBe('holds');
});

test('which run was the last is remembered, also when the wall clock was set back before it', () => {
  const runs = [kept(opens, { at: 9_000 }), unreachable(alters, 'timeout', { at: 5_000 })];
  const remembered = { runs, since: new Map(), facts: [] };
  expect(standing({ ...remembered, last: 'alters' }).state().is).toBe('unreachable');
  expect(standing({ ...remembered, last: 'opens' }).state().is).toBe('holds');
  expect(standing({ ...remembered, last: 'gone' }).state().is).toBe('holds');
});

test('a probe that was cut short after a finding proves its clauses no more when it is read back', () => {
  const both = probeAbout('both', ['BEARER-1', 'BEARER-3'], { once: true });
  const { outcome, ...run } = broken(both, 'BEARER-3');
  const detail = 'GET /public-api/v1/widgets: no complete answer in time (2000 ms)';
  const cut = { ...run, outcome: { ...outcome, reason: 'timeout' as const, detail } };
  const verdicts = (found: typeof cut | ReturnType<typeof runFrom>) =>
    standingOf(slotsFor([both]), [both], 0, {
      runs: found === undefined ? [] : [found],
      since: new Map(),
      facts: [],
    })
      .verdicts()
      .filter(({ clause: { id } }) => id.startsWith('BEARER-'))
      .map(({ clause, verdict }) => `${clause.id} ${verdict}`);
  const text = JSON.stringify(stored(cut));
  expect(verdicts(cut).slice(0, 3)).toEqual([
    'BEARER-1 unverified',
    'BEARER-2 unverified',
    'BEARER-3 violated',
  ]);
  expect(verdicts(runFrom(JSON.parse(text), cut.target, new Map([['both', both]])))).toEqual(
    verdicts(cut),
  );
});
