import { expect, test } from '@playwright/test';
import { judgeProvider, type Round } from '../../contract/round/round.ts';
import { sandboxInMemory } from '../../gate/in-memory.ts';
import { probes } from '../../probes/index.ts';
import { ownSandbox } from '../../provider/own-sandbox.ts';
import { faulty } from '../../sandbox/faults/index.ts';

/** A round of one probe on a sandbox with a fault. */
async function roundWith(fault: string, probe: string): Promise<Round> {
  await using sandbox = await ownSandbox({ behaviour: faulty(fault) });
  const due = probes.filter(({ name }) => name === probe);
  return await judgeProvider(sandbox.target, due);
}

test('each header without the scheme is described in words, never by [secret]', async () => {
  const probe = 'a-token-without-its-scheme-is-refused';
  const { results } = await roundWith('scheme-not-looked-at', probe);
  const [first] = results;
  const occasions = first?.findings.map(({ when }) => when) ?? [];
  expect(occasions).toContain('the header is TOKEN');
  expect(new Set(occasions).size).toBe(occasions.length);
  expect(occasions.filter((when) => when.includes('[secret]'))).toEqual([]);
});

test('a refusal by another status has no 401 facts', async () => {
  const probe = 'open-facts-of-the-endpoints';
  const facts = async (fault: string): Promise<string[]> =>
    (await roundWith(fault, probe)).observations.map(({ fact }) => fact);
  expect(await facts('missing-token-is-a-bad-request')).not.toContain('content type of a 401');
  expect(await facts('scheme-not-looked-at')).toEqual(
    expect.arrayContaining(['further fields of a 401', 'WWW-Authenticate of a 401']),
  );
});

test('the runs of thousands of endpoints cost about as much each as those of a few', async () => {
  const [first, ...others] = Array.from({ length: 10_000 }, (_, index) => ({
    method: 'GET',
    path: `/public-api/v1/widgets/${index}`,
  }));
  if (first === undefined) throw new Error('there is no endpoint');
  const idle = { name: 'idle', clauses: ['BEARER-1'], run: async () => {} } as const;
  const startedAt = performance.now();
  const round = await judgeProvider({ ...sandboxInMemory(), endpoints: [first, ...others] }, [
    idle,
  ]);
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(round.results).toHaveLength(10_000);
});
