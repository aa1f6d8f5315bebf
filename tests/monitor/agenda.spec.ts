import { expect, test } from '@playwright/test';
import type { Probe } from '../../contract/probe.ts';
import { Agenda } from '../../monitor/round/agenda.ts';
import { Allowance } from '../../monitor/round/allowance.ts';
import { type Place, planPlaces, selectMonitored } from '../../monitor/round/plan.ts';
import type { Run } from '../../monitor/round/run.ts';
import { reduce } from '../../monitor/status/reduce.ts';
import { readPlace } from '../../monitor/status/status.ts';
import { probes } from '../../probes/index.ts';
import { fresh } from './reducing.ts';
import { broken, kept, probeAbout, target, unreachable } from './runs.ts';

const minute = 60_000;

const probe = (name: string, everySeconds: number, more: Partial<Probe> = {}): Probe =>
  probeAbout(name, ['BEARER-1'], { everySeconds, ...more });
const list = (name: string): Probe => probe(name, 86_400, { scope: 'service' });

const part = ({ result, ...run }: Run, nextRow: number): Run => ({
  ...run,
  result: { ...result, nextRow },
});

/** The agenda of these probes on one endpoint, at a tick a minute. @param earlier runs before a restart */
function createAgenda(own: readonly Probe[], earlier: readonly Run[] = []) {
  let now = 0;
  const [endpoint] = target.endpoints;
  const places = planPlaces({ ...target, endpoints: [endpoint], intrusive: true }, own, 60);
  const plan = { places, probes: own, hasCanaries: false };
  let status = earlier.reduce((before, run) => reduce(before, run, plan), fresh);
  const agenda = new Agenda({
    places,
    tickSeconds: 60,
    readPlace: (key) => readPlace(status, key, now),
    now: () => now,
  });
  const run = (place: Place | undefined, ends: (of: Probe) => Run = kept): void => {
    if (place === undefined) throw new Error('no such place');
    const ended = ends(place.probe);
    for (let count = 0; count < ended.requests; count += 1) agenda.allowance.noteRequest();
    agenda.record(place, ended);
    status = reduce(status, { ...ended, startedAt: now }, plan);
  };
  /** The ticks at which each probe runs, by its name. */
  const ticks = (count: number): Record<string, number[]> => {
    const done: Record<string, number[]> = {};
    for (let tick = 0; tick < count; tick += 1, now += minute)
      for (const { place } of agenda.due(tick)) {
        const { name } = place.probe;
        done[name] = [...(done[name] ?? []), tick];
        run(place);
      }
    return done;
  };
  const names = (tick?: number) => agenda.due(tick).map(({ place }) => place.probe.name);
  return { agenda, places, run, ticks, names };
}

test('probes that need simulated time, lock accounts or have no period are not monitored', () => {
  const { everySeconds: _, ...unpaced } = probe('c', 1);
  const some = [probe('a', 60, { stage: 'simulated' }), unpaced, probe('d', 60)];
  const wrong = probe('b', 60, { stage: 'wrong-credentials' });
  const names = (allowed?: boolean) =>
    selectMonitored([...some, wrong], allowed).map(({ name }) => name);
  expect(names()).toEqual(['d']);
  expect(names(true)).toEqual(['d', 'b']);
  for (const { name, stage } of selectMonitored(probes))
    expect(stage, name).toMatch(/^(first|present|disturbing)$/);
});

test('a probe has a place for each endpoint, one of the service has one, and the period scales them all', () => {
  const own = [probe('each', 60), probe('whole', 600, { scope: 'service' })];
  const all = (seconds: number) => planPlaces(target, own, seconds);
  const keys = ['each GET /public-api/v1/widgets', 'each POST /public-api/v1/reports', 'whole'];
  expect(all(60).map(({ key }) => key)).toEqual(keys);
  const periods = (seconds: number) => all(seconds).map(({ everySeconds }) => everySeconds);
  expect(periods(60)).toEqual([60, 60, 600]);
  expect(periods(1)).toEqual([1, 1, 10]);
  expect(planPlaces(target, [list('day')], 7200)[0]?.everySeconds).toBe(86_400);
});

test('a place is due at once and then at every tick of its period, and after a restart a period after its last run', () => {
  const own = [probe('quick', 60), probe('slow', 600)];
  const { quick = [], slow } = createAgenda(own).ticks(30);
  expect(quick).toHaveLength(30);
  expect(slow).toEqual([0, 10, 20]);
  const ago = (minutes: number) => ({ at: -minutes * minute });
  const known = own.map((of, index) => kept(of, ago(index * 4)));
  expect(createAgenda(own, known).ticks(10).slow).toEqual([6]);
  const failed = own.map((of) => broken(of, 'BEARER-1', ago(1)));
  expect(createAgenda(own, failed).ticks(2).slow).toEqual([0]);
});

test('wrong credentials are sent once in a period, also after a restart', () => {
  const wrong = probe('wrong', 3600, { stage: 'wrong-credentials' });
  expect(createAgenda([wrong]).ticks(121)).toEqual({ wrong: [0, 60, 120] });
  for (const ended of [kept(wrong), broken(wrong, 'BEARER-1'), unreachable(wrong)])
    expect(createAgenda([wrong], [ended]).ticks(59)).toEqual({});
});

test('what fails runs again once in 15 s, and what got no answer when another place recovers', () => {
  const { agenda, places, run, names } = createAgenda([probe('a', 60), probe('b', 3600)]);
  const [a, b] = places;
  expect(names(0)).toEqual(['a', 'b']);
  expect(agenda.retryDelayMs()).toBeUndefined();
  run(a, unreachable);
  run(b, unreachable);
  expect(agenda.retryDelayMs()).toBe(15_000);
  expect(names()).toEqual(['a', 'b']);
  run(a, unreachable);
  run(b, unreachable);
  expect(agenda.retryDelayMs()).toBeUndefined();
  expect(names(1)).toEqual(['a']);
  run(a);
  expect(names(2)).toEqual(expect.arrayContaining(['a', 'b']));
});

test('refused credentials are not sent again early, and a discarded run is repeated at the next tick', () => {
  const { agenda, places, run, names } = createAgenda([probe('a', 600)]);
  const [a] = places;
  if (a === undefined) throw new Error('no place');
  names(0);
  run(a, (of) => unreachable(of, 'credentials'));
  expect(agenda.retryDelayMs()).toBeUndefined();
  agenda.discard(a);
  expect(agenda.retryDelayMs()).toBeUndefined();
  expect(names(1)).toEqual(['a']);
});

test('a list goes on with its next part at each tick, also after a restart, and an outage repeats the same part', () => {
  const long = list('long');
  const { agenda, run } = createAgenda([long], [part(kept(long, { at: -50 * minute }), 12)]);
  const due = (tick?: number) => agenda.due(tick)[0];
  const after = (tick: number, ends: (of: Probe) => Run) => {
    const now = due(tick);
    run(now?.place, ends);
    return now?.part;
  };
  expect(after(0, (of) => part(kept(of), 18))).toEqual({ from: 12, most: 6 });
  expect(after(1, unreachable)).toEqual({ from: 18, most: 6 });
  expect(due()?.part).toEqual({ from: 18, most: 6 });
  expect(after(2, kept)).toEqual({ from: 18, most: 6 });
  expect(due(3)).toBeUndefined();
  expect(due(1440 + 2)?.part).toEqual({ from: 0, most: 6 });
});

test('a list that has found something begins again until it passes, after those that wait', () => {
  const { agenda, places, run, names } = createAgenda([list('found'), list('other')]);
  const [found, other] = places;
  agenda.due(0);
  run(found, (of) => part(broken(of, 'BEARER-1'), 6));
  run(other, (of) => part(kept(of), 6));
  expect(names()).toEqual(['found']);
  run(found);
  expect(names(1)).toEqual(['other']);
  run(other);
  expect(agenda.due(2)).toEqual([{ place: found, part: { from: 0, most: 6 } }]);
  run(found);
  expect(names(3)).toEqual([]);
});

test('an allowance is learnt from a 429, waits at most a minute, and grows by half an hour after hour', () => {
  let now = 0;
  const allowance = new Allowance({ endpoints: 1, tickSeconds: 60, now: () => now });
  expect(allowance.beginTick()).toBe(30);
  for (let count = 0; count < 21; count += 1) allowance.noteRequest();
  allowance.noteLimit(90_000);
  now = minute - 1;
  expect(allowance.beginTick()).toBe(0);
  now = minute;
  expect(allowance.beginTick()).toBe(12);
  for (let count = 0; count < 6; count += 1) allowance.noteRequest();
  allowance.noteLimit(0);
  const each = Array.from({ length: 4 }, () => {
    now += 3_600_000;
    const granted = allowance.beginTick();
    for (let count = 0; count < granted; count += 1) allowance.noteRequest();
    return granted;
  });
  expect(each).toEqual([9, 12, 12, 12]);
});
