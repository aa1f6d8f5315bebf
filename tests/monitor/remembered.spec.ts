import { expect, test } from '@playwright/test';
import { ContractStatus, type Remembered } from '../../monitor/target/contract-status.ts';
import type { Run } from '../../monitor/round/run.ts';
import { runFrom, stored } from '../../monitor/watch/stored.ts';
import { broken, kept, placesFor, probeAbout, unreachable } from './runs.ts';

const opens = probeAbout('opens', ['BEARER-1'], { scope: 'service' });
const alters = probeAbout('alters', ['BEARER-3'], { scope: 'service' });
const probes = [opens, alters];
const standing = (remembered?: Remembered) =>
  new ContractStatus(placesFor(probes), probes, 0, remembered);

/** What a state file gives after a restart. */
const rememberedOf = (one: ContractStatus) => ({
  runs: one.latest(),
  since: new Map(),
  facts: one.facts(),
  ...JSON.parse(JSON.stringify(one.saved())),
});

test('a run without requests does not show that the provider is alive', () => {
  const one = standing();
  one.take(kept(opens, { at: 1 }));
  one.take(kept(alters, { at: 2 }));
  one.take(unreachable(opens, 'timeout', { at: 2 }));
  one.take(unreachable(opens, 'timeout', { at: 3 }));
  one.take({ ...kept(alters, { at: 4 }), requests: 0 });
  expect(one.state()).toEqual({ is: 'unreachable', since: 3 });
  one.take(kept(alters, { at: 5 }));
  expect(one.state()).toEqual({ is: 'partly', since: 5 });
  one.take(kept(opens, { at: 6 }));
  expect(one.state()).toEqual({ is: 'holds', since: 6 });
});

test('no answer is missing where nothing is left to request', () => {
  const one = standing();
  one.take(kept(opens, { at: 1 }));
  one.take(kept(alters, { at: 1 }));
  for (const at of [2, 3]) one.take(unreachable(alters, 'timeout', { at }));
  one.take(kept(opens, { at: 4 }));
  expect(one.state().is).toBe('partly');
  one.take({ ...kept(alters, { at: 5 }), requests: 0 });
  expect(one.state()).toEqual({ is: 'holds', since: 5 });
});

test('a run without requests still ends the first round', () => {
  const one = standing();
  one.take(kept(opens, { at: 1 }));
  one.take({ ...kept(alters, { at: 2 }), requests: 0 });
  expect(one.state().is).toBe('holds');
});

test('a provider without answers is remembered, also when the wall clock was set back', () => {
  const one = standing();
  for (const run of [kept(opens, { at: 9_000 }), kept(alters, { at: 9_000 })]) one.take(run);
  for (const at of [5_000, 6_000]) one.take(unreachable(alters, 'timeout', { at }));
  expect(one.state()).toEqual({ is: 'unreachable', since: 6_000 });
  const { is, since } = one.state();
  const remembered = { ...rememberedOf(one), state: { is, since } };
  expect(standing(remembered).state()).toEqual({ is, since });
  expect(standing({ ...remembered, answers: {} }).state().is).toBe('holds');
  expect(standing({ ...remembered, answers: 'damaged' }).state().is).toBe('holds');
});

test('a restart in an outage of one endpoint does not change a fact that differs between endpoints', () => {
  const each = probeAbout('each', ['BEARER-1']);
  const one = new ContractStatus(placesFor([each]), [each], 0);
  const reports = 'POST /public-api/v1/reports';
  const observed = (value: string) => [['OPEN-10', 'headers on the end', value]] as const;
  one.take(kept(each, { observed: observed('none') }));
  one.take(kept(each, { endpoint: reports, observed: observed('sunset') }));
  one.take(unreachable(each, 'timeout', { endpoint: reports }));
  const remembered = rememberedOf(one);
  const again = new ContractStatus(placesFor([each]), [each], 0, remembered);
  const changes = again.take(kept(each, { observed: observed('none') }));
  expect(changes.filter(({ is }) => is === 'fact')).toEqual([]);
  const widgets = placesFor([each]).slice(0, 1);
  const without = new ContractStatus(widgets, [each], 0, remembered);
  without.take(kept(each, { observed: observed('none') }));
  expect(without.facts()).toMatchObject([{ value: 'none' }]);
});

test('a run that is cut short changes no fact that it did not observe, and neither does a restart after it', () => {
  const each = probeAbout('each', ['BEARER-1']);
  const places = placesFor([each]);
  const one = new ContractStatus(places, [each], 0);
  const reports = 'POST /public-api/v1/reports';
  const all = (value: string) =>
    [
      ['OPEN-6', 'a tab', value],
      ['OPEN-6', 'blanks', value],
    ] as const;
  one.take(kept(each, { observed: all('refused') }));
  one.take(kept(each, { endpoint: reports, observed: all('admitted') }));
  const before = one.facts();
  for (const at of [2, 3]) {
    const observed = all('admitted').slice(0, 1);
    const taken = one.take(unreachable(each, 'timeout', { endpoint: reports, at, observed }));
    expect(taken.filter(({ is }) => is === 'fact')).toEqual([]);
  }
  expect(one.facts()).toEqual(before);
  const remembered = rememberedOf(one);
  expect(new ContractStatus(places, [each], 0, remembered).facts()).toEqual(before);
});

test('a fact of an endpoint that is not watched any more is not listed', () => {
  const each = probeAbout('each', ['BEARER-1']);
  const one = new ContractStatus(placesFor([each]), [each], 0);
  const reports = 'POST /public-api/v1/reports';
  one.take(kept(each, { observed: [['OPEN-7', 'GET', '200']] }));
  one.take(kept(each, { endpoint: reports, observed: [['OPEN-7', 'POST', '404']] }));
  const remembered = rememberedOf(one);
  const widgets = placesFor([each]).slice(0, 1);
  const without = new ContractStatus(widgets, [each], 0, { ...remembered, runs: [] });
  expect(without.facts()).toMatchObject([{ fact: 'GET', value: '200' }]);
});

test('a probe that was cut short after a finding proves its clauses no more when restored', () => {
  const both = probeAbout('both', ['BEARER-1', 'BEARER-3'], { scope: 'service' });
  const { result, ...run } = broken(both, 'BEARER-3');
  const detail = 'GET /public-api/v1/widgets: no complete answer in time (2000 ms)';
  const cut = { ...run, result: { ...result, reason: 'timeout' as const, detail } };
  const verdicts = (found: typeof cut | ReturnType<typeof runFrom>) =>
    new ContractStatus(placesFor([both]), [both], 0, {
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

test('an endpoint that is added or removed does not change a fact that differs between endpoints', () => {
  const each = probeAbout('each', ['BEARER-1']);
  const all = placesFor([each]);
  const change = (of: ContractStatus, run: Run) => of.take(run).filter(({ is }) => is === 'fact');
  const seen = (endpoint: string, value: string, at: number) =>
    kept(each, { endpoint, at, observed: [['OPEN-10', 'headers on the end', value]] });
  const [widgets, reports] = ['GET /public-api/v1/widgets', 'POST /public-api/v1/reports'] as const;

  const one = new ContractStatus(all, [each], 0);
  one.take(seen(widgets, 'none', 1));
  expect(change(one, seen(reports, 'sunset', 2))).toEqual([]);
  expect(one.facts()).toMatchObject([{ value: 'none, sunset' }]);
  const remembered = { ...rememberedOf(one), runs: one.latest().slice(0, 1) };
  const without = new ContractStatus(all.slice(0, 1), [each], 0, remembered);
  expect(change(without, seen(widgets, 'none', 3))).toEqual([]);
  expect(without.facts()).toMatchObject([{ value: 'none' }]);
  expect(change(without, seen(widgets, 'sunset', 4))).toEqual([]);
  expect(change(without, seen(widgets, 'sunset', 5))).toMatchObject([
    { now: { value: 'sunset', before: 'none' } },
  ]);
});
