import { expect, test } from '@playwright/test';
import { hours, lifetime, minutes, seconds } from '../../contract/durations.ts';
import type { Target } from '../../contract/round/target.ts';
import { ClockError, type SettableClock } from '../../contract/time/clock.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { living } from '../faults/fault.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { jwt } from '../faults/token-forms.ts';
import { judgeProvider } from './judge-provider.ts';

type Judged = Awaited<ReturnType<typeof judgeProvider>>;

const idsOf = ({ clauses }: Judged, wanted: string): string[] =>
  clauses.flatMap(({ clause, verdict }) => (verdict === wanted ? [clause.id] : []));

const about = (...areas: string[]) =>
  probes.filter(({ clauses }) => clauses.some((id) => areas.includes(id.split('-')[0] ?? '')));

/** A provider whose clock goes on running from where it was set, at a thousandth of its speed under load. */
function running(behaviour: Partial<Behaviour>) {
  const target = sandboxInMemory({ ...right, ...behaviour });
  const { clock, exchange } = target;
  if (clock === undefined || exchange === undefined) throw new Error('the sandbox has a clock');
  let set: { readonly instant: number; readonly at: number } | undefined;
  const now = (): number => (set ? Math.floor(set.instant + performance.now() - set.at) : 0);
  return {
    ...target,
    exchange: async (...args: Parameters<typeof exchange>) => {
      if (set !== undefined) await clock.set(now());
      return exchange(...args);
    },
    clock: {
      ...clock,
      read: async () => (set === undefined ? clock.read() : now()),
      set: async (instant: number) => {
        set = { instant, at: performance.now() };
        await clock.set(instant);
      },
    },
  };
}

for (const [what, behaviour, exit, violated] of [
  ['is right', {}, 0, []],
  ['gives JWTs in whole seconds', jwt, 0, []],
  ['has a leeway of a minute', living(lifetime + minutes(1)), 1, ['EXPIRY-2', 'EXPIRY-4']],
  ['ends tokens ten seconds early', living(lifetime - seconds(10)), 1, ['EXPIRY-1']],
] as const)
  test(`a provider that ${what} is judged with a clock that goes on running`, async () => {
    const round = await judgeProvider(running(behaviour), about('EXPIRY'));
    expect({ exit: round.exit, unjudged: round.unjudged }).toEqual({ exit, unjudged: undefined });
    expect(idsOf(round, 'violated')).toEqual(expect.arrayContaining([...violated]));
    if (exit === 0) expect(idsOf(round, 'unverified')).toEqual([]);
  });

test('a clock that fails or moves loses only what needs it, and what was found before it failed stays found', async () => {
  const fails = () => Promise.reject(new ClockError('the clock is stuck'));
  const isLate = (instant: number): boolean => instant > Date.now() + hours(80);
  const spoils: [spoil: (clock: SettableClock) => Partial<SettableClock>, isFound: boolean][] = [
    [() => ({ read: fails }), false],
    [({ set }) => ({ set: async (at) => (isLate(at) ? fails() : set(at)) }), true],
    [({ read }) => ({ read: () => read().then((at) => (isLate(at) ? at + 5000 : at)) }), false],
  ];
  for (const [spoil, isFound] of spoils) {
    const target = sandboxInMemory({ ...right, ...living(hours(2)) });
    const clock = target.clock && { ...target.clock, ...spoil(target.clock) };
    const round = await judgeProvider({ ...target, clock }, about('EXPIRY', 'TOKEN', 'BEARER'));
    expect(round.exit).toBe(isFound ? 1 : 2);
    const found = isFound ? expect.arrayContaining(['EXPIRY-1']) : [];
    expect(idsOf(round, 'violated')).toEqual(found);
    const lost = idsOf(round, 'unverified');
    expect(lost.filter((id) => !id.startsWith('EXPIRY'))).toEqual([]);
    expect(lost).toContain('EXPIRY-5');
  }
});

test('a process in another time zone than its clock violates nothing', async () => {
  const target = sandboxInMemory({ ...right, ...jwt, ...living(lifetime - hours(1)) });
  const clock: Target['clock'] = target.clock && {
    ...target.clock,
    movesProcess: true,
    read: async () => ((await target.clock?.read()) ?? 0) + hours(4),
    set: async (instant) => target.clock?.set(instant - hours(4)),
  };
  const round = await judgeProvider({ ...target, clock }, about('EXPIRY', 'BEARER'));
  expect(round).toMatchObject({ exit: 2, unjudged: expect.stringContaining('run in UTC') });
  expect(idsOf(round, 'violated')).toEqual([]);
});
