import { expect, test } from '@playwright/test';
import { demoFaults } from '../../sandbox/demo-faults.ts';
import { faultCases } from '../faults/index.ts';
import { affectedBy, sampledFaults } from '../mutant-sample.ts';
import { night } from '../sample.ts';

const affected = async (...changed: readonly string[]): Promise<string[]> => {
  const isAffected = await affectedBy(changed);
  return faultCases.filter(isAffected).map(({ name }) => name);
};

test('npm test tries at least a fifth of the faults, and counts the others', async () => {
  const { chosen, left } = await sampledFaults();
  const [others = 0] = left.values();
  expect(chosen.length + others).toBe(faultCases.length);
  expect(chosen.length).toBeGreaterThan(faultCases.length / 5);
  if (night !== undefined) expect(others).toBe(0);
});

test('a changed probe affects the mutants that violate its clauses', async () => {
  const names = await affected('probes/own-end.ts');
  expect(names).toContain('slides');
  expect(names.length).toBeLessThan(faultCases.length / 4);
});

test('a changed file of faults affects the faults in it', async () => {
  const names = await affected('sandbox/demo-faults.ts', 'tests/faults/fault.ts');
  expect(names).toHaveLength(Object.keys(demoFaults).length);
});

test('a change elsewhere affects no fault', async () => {
  expect(await affected('README.md', 'monitor/main.ts')).toEqual([]);
});
