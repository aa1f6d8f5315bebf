import { expect, test } from '@playwright/test';
import type { Probe } from '../../contract/probe.ts';
import { type Place, placesOf } from '../../monitor/round/plan.ts';
import type { Run } from '../../monitor/round/run.ts';
import { Agenda } from '../../monitor/watch/agenda.ts';
import { broken, kept, probeAbout, target, unreachable } from './runs.ts';

const probe = (name: string, everySeconds: number, more: Partial<Probe> = {}): Probe =>
  probeAbout(name, ['BEARER-1'], { scope: 'service', everySeconds, ...more });

const minute = 60_000;

/** The agenda of these probes at a tick a minute. @param before when each ran before this start, in minutes */
function agendaOf(
  probes: readonly Probe[],
  { before = {}, runs = [] }: { before?: Record<string, number>; runs?: readonly Run[] } = {},
) {
  const places = placesOf({ ...target, intrusive: true }, probes, 60);
  const sinceLast = (key: string): number | undefined => {
    const minutes = before[key];
    return minutes === undefined ? undefined : minutes * minute;
  };
  const agenda = new Agenda({ name: 'target', places, tickSeconds: 60, runs, sinceLast });
  const run = (place: Place, ends: (of: Probe) => Run = kept): void =>
    agenda.take(place, ends(place.probe));
  /** The ticks at which each probe runs, by its name. */
  const ticks = (count: number): Record<string, number[]> => {
    const done: Record<string, number[]> = {};
    for (let tick = 0; tick < count; tick += 1)
      for (const place of agenda.due(tick)) {
        done[place.key] = [...(done[place.key] ?? []), tick];
        run(place);
      }
    return done;
  };
  return { agenda, places, run, ticks };
}

const gaps = (ticks: readonly number[]): number[] =>
  ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0));

test('a place is due at once, and then at every tick of its period', () => {
  const { quick = [], slow = [] } = agendaOf([probe('quick', 60), probe('slow', 600)]).ticks(60);
  expect(quick).toHaveLength(60);
  expect(slow[0]).toBe(0);
  expect(new Set(gaps(slow.slice(1)))).toEqual(new Set([10]));
});

test('places of a long period are spread over the ticks', () => {
  const rare = Array.from({ length: 40 }, (_, index) => probe(`p-${index}`, 600));
  const { quick: _, ...done } = agendaOf([...rare, probe('quick', 60)]).ticks(30);
  expect(new Set(Object.values(done).map(([, tick]) => tick)).size).toBeGreaterThan(7);
  expect(Object.values(agendaOf(rare).ticks(30))).toEqual(rare.map(() => [0, 10, 20]));
});

test('after a restart a place is due a period after its last run, if that is known', () => {
  const [one, other, third] = [probe('one', 600), probe('other', 600), probe('third', 600)];
  const known = { before: { one: 4, other: 30, third: 1 }, runs: [kept(one), kept(other)] };
  const { ticks } = agendaOf([one, other, third], known);
  const done = ticks(10);
  expect(done.one).toEqual([6]);
  expect(done.other?.[0]).toBe(0);
  expect(done.third?.[0]).toBe(0);
});

test('wrong credentials are sent once in a period, although the last result is not known', () => {
  const wrong = probe('wrong', 3600, { stage: 'wrong-credentials' });
  expect(agendaOf([wrong], { before: { wrong: 0 } }).ticks(59)).toEqual({});
  expect(agendaOf([wrong]).ticks(121)).toEqual({ wrong: [0, 60, 120] });
});

test('what fails runs again once before the next tick, and what could not be judged when something recovers', () => {
  const { agenda, places, run } = agendaOf([probe('a', 60), probe('b', 3600)]);
  const [a, b] = places;
  if (a === undefined || b === undefined) throw new Error('two places');
  expect(agenda.due(0)).toEqual([a, b]);
  expect(agenda.againMs()).toBeUndefined();
  run(a, unreachable);
  run(b, unreachable);
  expect(agenda.againMs()).toBe(15_000);
  expect(agenda.due()).toEqual([a, b]);
  run(a, unreachable);
  run(b, unreachable);
  expect(agenda.againMs()).toBeUndefined();
  expect(agenda.due(1)).toEqual([a]);
  run(a);
  expect(agenda.due()).toEqual([b]);
});

test('refused credentials are not sent again early, and a discarded run is repeated', () => {
  const { agenda, places, run } = agendaOf([probe('a', 60)]);
  const [a] = places;
  if (a === undefined) throw new Error('a place');
  run(a, (of) => unreachable(of, 'credentials'));
  expect(agenda.againMs()).toBeUndefined();
  agenda.discard(a);
  expect(agenda.due()).toEqual([a]);
});

test('what failed before a restart runs again at once', () => {
  const slow = probe('slow', 3600);
  const { ticks } = agendaOf([slow], { before: { slow: 1 }, runs: [broken(slow, 'BEARER-1')] });
  expect(ticks(2)).toEqual({ slow: [0] });
});
