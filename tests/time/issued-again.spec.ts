import { expect, test } from '@playwright/test';
import { probes } from '../../probes/index.ts';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { faulty } from '../faults/index.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

/** The verdicts on a provider with this behaviour, for the selected clauses. */
async function verdictsOn(behaviour: Behaviour, words: (id: string) => boolean = () => true) {
  const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);
  const due = probes.filter(({ clauses }) => clauses.some(words));
  const { clauses, exit } = await judgeProvider(sandboxInMemory(behaviour, startAt), due);
  const of = (verdict: string) =>
    clauses.filter((state) => state.verdict === verdict).map(({ clause }) => clause.id);
  const reasons = clauses.flatMap(({ clause, reason }) =>
    reason === undefined ? [] : [`${clause.id} ${reason}`],
  );
  return { exit, violated: of('violated'), holds: of('holds'), reasons };
}

const expiry = (id: string): boolean => id.startsWith('EXPIRY-');

for (const name of [
  ...['same-token-until-its-end', 'reuse-renewed-in-the-last-hour'],
  ...['reuse-of-a-token-23-hours-old', 'reuse-by-two-nodes', 'jwt-reuse'],
])
  test(`${name}: every clause except EXPIRY-4 is judged, and holds`, async () => {
    const { exit, violated, holds, reasons } = await verdictsOn(faulty(name), expiry);
    expect({ exit, violated, reasons }).toEqual({
      exit: 0,
      violated: [],
      reasons: [
        'EXPIRY-4 every-token-has-its-own-end: the token endpoint gave an older token again, so there was no second one to compare it with',
      ],
    });
    expect(holds.filter(expiry)).toEqual([1, 2, 3, 5, 6, 7].map((id) => `EXPIRY-${id}`));
  });

for (const name of ['jwt', 'same-token-within-a-second', 'same-token-within-a-minute'])
  test(`${name}: every clause is judged, and holds`, async () => {
    const { violated, reasons } = await verdictsOn(faulty(name), expiry);
    expect({ violated, reasons }).toEqual({ violated: [], reasons: [] });
  });

for (const clause of ['EXPIRY-2', 'EXPIRY-6'])
  test(`a static token is found where only ${clause} is selected`, async () => {
    const { exit, violated } = await verdictsOn(faulty('static-token'), (id) => id === clause);
    expect(exit).toBe(1);
    expect(violated).toEqual(['EXPIRY-2', 'EXPIRY-6']);
  });
