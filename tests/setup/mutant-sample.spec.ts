import { expect, test } from '@playwright/test';
import { mutantCases } from '../../gate/mutant-case.ts';
import { affectedBy, sampledFaults } from '../mutant-sample.ts';
import { night } from '../sample.ts';

const affected = async (...changed: readonly string[]): Promise<string[]> => {
  const isAffected = await affectedBy(changed);
  return mutantCases.filter(isAffected).map(({ name }) => name);
};

test('npm test tries at least a fifth of the faults, and counts the others', async () => {
  const { chosen, left } = await sampledFaults();
  const [others = 0] = left.values();
  expect(chosen.length + others).toBe(mutantCases.length);
  expect(chosen.length).toBeGreaterThan(mutantCases.length / 5);
  if (night !== undefined) expect(others).toBe(0);
});

test('a changed probe affects the mutants that it catches', async () => {
  const names = await affected('probes/a-session-cookie-is-no-way-in.ts');
  expect(names).toContain('session-cookie');
  expect(names.length).toBeLessThan(mutantCases.length / 4);
});

test('a changed list of faults affects the faults in it', async () => {
  const names = await affected('sandbox/faults/remembered.ts', 'sandbox/faults/fault.ts');
  expect(names).toHaveLength(4);
});

test('a change elsewhere affects no fault', async () => {
  expect(await affected('README.md', 'monitor/main.ts')).toEqual([]);
});
