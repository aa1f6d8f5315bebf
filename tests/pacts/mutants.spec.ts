import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { faultCases, faulty } from '../faults/index.ts';
import { nightly } from '../nightly.ts';
import { ours } from '../process.ts';
import { isSampled } from '../sample.ts';
import { ownPact, verifying } from './verifying.ts';

/**
 * The exact list of mutants that the monitor's own pact catches. The pact states what the monitor needs; the gate
 * judges the rest. A change of this list changes what `npm run pact:verify` can find.
 */
const seen: Readonly<Record<string, string>> = parse(
  readFileSync(ours('tests/pacts/mutants.yaml'), 'utf8'),
);

for (const { name, area } of faultCases.filter((mutant) => mutant.area !== 'VARIANT'))
  test.describe(() => {
    const due = seen[area]?.split(' ').includes(name) === true;
    if (!isSampled(name, due ? 8 : 50)) nightly();
    test(`the pact ${due ? 'detects' : 'is not about'} the mutant ${name}`, async () => {
      const run = await verifying(ownPact, { provider: faulty(name) });
      expect({ defect: run.defect, unjudged: run.unjudged }).toEqual({
        defect: undefined,
        unjudged: undefined,
      });
      expect(run.exit, run.endings.join('\n')).toBe(due ? 1 : 0);
      expect(run.endings.filter((ending) => ending.startsWith('unverified'))).toEqual([]);
    });
  });

for (const { name } of faultCases.filter((mutant) => mutant.area === 'VARIANT'))
  test.describe(() => {
    if (!isSampled(name, 25)) nightly();
    test(`the pact accepts the variant ${name}`, async () => {
      const run = await verifying(ownPact, { provider: faulty(name) });
      expect({ defect: run.defect, unjudged: run.unjudged, exit: run.exit }).toEqual({
        defect: undefined,
        unjudged: undefined,
        exit: 0,
      });
      const open = run.endings.filter((ending) => ending !== 'verified');
      expect(open.every((ending) => name === 'nothing-there' && ending.includes('404'))).toBe(true);
    });
  });
