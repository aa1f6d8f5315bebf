import { expect, test } from '@playwright/test';
import { hours } from '../../contract/durations.ts';
import { type Stage, stages } from '../../contract/probe.ts';
import { ProviderRound } from '../../contract/round/provider-round.ts';
import { exclude } from '../../contract/round/selection.ts';
import { endpointsFor, type Level, type Target } from '../../contract/round/target.ts';
import { RoundFacts } from '../../contract/round/verdict.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { faulty } from '../faults/index.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

/** A round on the sandbox with a fault, without the named clauses and probes. */
async function roundWithout(names: readonly string[], fault?: string, more: Partial<Target> = {}) {
  const { probes: due, excluded } = exclude(probes, names);
  const target = sandboxInMemory(fault === undefined ? right : faulty(fault));
  const round = await judgeProvider({ ...target, ...more, excluded }, due);
  return {
    ...round,
    verdicts: round.clauses.map(({ clause, verdict }) => `${clause.id} ${verdict}`),
  };
}

test('a clause that is left out is neither violated nor ticked', async () => {
  expect((await roundWithout([], 'other-message')).verdicts).toContain('ERROR-3 violated');
  const { exit, verdicts, results } = await roundWithout(['error-3'], 'other-message');
  expect(exit).toBe(0);
  expect(verdicts.filter((verdict) => verdict.startsWith('ERROR'))).toEqual([
    'ERROR-1 holds',
    'ERROR-2 holds',
    'ERROR-4 holds',
  ]);
  expect(results.flatMap(({ findings }) => findings)).toEqual([]);
});

test('a probe that is left out does not run, and an area leaves out its clauses', async () => {
  const { verdicts, results } = await roundWithout(['EXPIRY', 'another-token-is-refused']);
  expect(results.map(({ probe }) => probe.name)).not.toContain('another-token-is-refused');
  expect(verdicts).toContain('BEARER-3 holds');
  expect(verdicts.filter((verdict) => verdict.startsWith('EXPIRY'))).toEqual([]);
});

test('an unknown name is a mistake', () => {
  expect(() => exclude(probes, ['ERROR-5'])).toThrow('"ERROR-5" is not an area');
});

test('what does not fit into the time is unverified, with that reason, and violates nothing', async () => {
  const { clauses, exit } = await roundWithout([], undefined, { maxTimeMs: 0 });
  expect(exit).toBe(0);
  const reason = expect.stringMatching(/not finished within --max-time 0 s$/);
  for (const judged of clauses)
    expect(judged, judged.clause.id).toMatchObject({ verdict: 'unverified', reason });
});

test('a round that fits into its time judges everything', async () => {
  const { clauses } = await roundWithout([], undefined, { maxTimeMs: 3_600_000 });
  expect(clauses.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
});

test('the last fifth of the time is kept for wrong credentials and what follows them', async () => {
  const facts = new RoundFacts();
  facts.startedAt = new Date(Date.now() - hours(0.9));
  const round = new ProviderRound(
    { ...sandboxInMemory(right), maxTimeMs: hours(1) },
    undefined,
    facts,
  );
  for (const stage of stages) round.start(stage, probes);
  await round.close();
  const ended = [...facts.results.values()].filter(({ unproven }) => unproven === undefined);
  expect(new Set(ended.map(({ probe }) => probe.stage))).toEqual(
    new Set(['wrong-credentials', 'years']),
  );
  const present = [...facts.results.values()].filter(({ probe }) => probe.stage === 'present');
  const scopes = new Set(present.map(({ probe }) => probe.scope));
  expect([...scopes].join()).toBe('core,service,deep');
});

test('deep probes run on the first endpoint that changes nothing and on deep ones, or on all', () => {
  const first = { method: 'POST', path: '/public-api/v1/orders', deep: true } as const;
  const endpoints: Target['endpoints'] = [first, ...sandboxInMemory().endpoints];
  const count = (scope: 'core' | 'deep', stage: Stage, level: Level): number =>
    endpointsFor({ scope, stage }, { endpoints, level }).length;
  expect([count('deep', 'present', 'default'), count('deep', 'present', 'deep')]).toEqual([2, 3]);
  expect([count('core', 'present', 'quick'), count('core', 'simulated', 'quick')]).toEqual([3, 1]);
});
