import { expect, test } from '@playwright/test';
import type { MustId } from '../../contract/clauses.ts';
import { probes } from '../../probes/index.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { nightly } from '../nightly.ts';
import { needs } from '../programs.ts';
import { startProvider } from './start.ts';

needs('ruby', 'libfaketime');

test('a correct provider built on libraries of another language keeps every clause', async () => {
  await using provider = await startProvider();
  const { clauses, unjudged, exit } = await judgeProvider(provider.target, probes);
  const others = clauses.filter(({ verdict }) => verdict !== 'holds');
  expect(
    others.map(({ clause, reason, findings }) => ({ clause: clause.id, reason, findings })),
  ).toEqual([]);
  expect(unjudged).toBeUndefined();
  expect(exit).toBe(0);
});

/** Mistakes that teams make with authentication libraries, and the clauses that each of them violates. */
const mistakes: readonly (readonly [mistake: string, clause: MustId, alsoBreaks?: RegExp])[] = [
  // A token that expires too late violates all clauses about expiry.
  ['verify-expiration-off', 'EXPIRY-2', /^(EXPIRY-[3457]|ERROR-4)$/],
  ['leeway', 'EXPIRY-2', /^(EXPIRY-[3457]|ERROR-4)$/],
  ['positive-cache', 'EXPIRY-2', /^(EXPIRY-[3457]|ERROR-4)$/],
  ['library-message', 'ERROR-3', /^ERROR-4$/],
  ['query-parameter', 'BEARER-2'],
  ['unsigned', 'BEARER-3'],
  ['trimmed-keys', 'TOKEN-2'],
];

for (const [mistake, clause, alsoBreaks] of mistakes)
  test.describe(() => {
    if (mistake !== 'leeway') nightly();
    test(`the fault ${mistake} breaks ${clause}, and no other clause`, async () => {
      await using provider = await startProvider(mistake);
      const { clauses, exit } = await judgeProvider(provider.target, probes);
      const broken = clauses.flatMap(({ clause, verdict }) =>
        verdict === 'violated' ? [clause.id] : [],
      );
      expect(broken).toContain(clause);
      expect(broken.filter((id) => id !== clause && !alsoBreaks?.test(id))).toEqual([]);
      expect(exit).toBe(1);
    });
  });
