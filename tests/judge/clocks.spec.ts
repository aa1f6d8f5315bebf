import { expect, test } from '@playwright/test';
import { hours, lifetime, minutes, seconds } from '../../contract/durations.ts';
import { ClockError } from '../../contract/time/clock.ts';
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

test('a clock that fails or moves loses only what needs it', async () => {
  const fails = (): never => {
    throw new ClockError('the clock is stuck');
  };
  for (const spoil of [
    { read: async () => fails() },
    { set: async (instant: number) => (instant > Date.now() + hours(30) ? fails() : undefined) },
  ]) {
    const target = sandboxInMemory();
    const clock = target.clock && { ...target.clock, ...spoil };
    const round = await judgeProvider({ ...target, clock }, about('EXPIRY', 'TOKEN', 'BEARER'));
    expect(round.exit).toBe(2);
    expect(idsOf(round, 'violated')).toEqual([]);
    const lost = idsOf(round, 'unverified');
    expect(lost.filter((id) => !id.startsWith('EXPIRY'))).toEqual([]);
    expect(lost).toContain('EXPIRY-2');
  }
});
