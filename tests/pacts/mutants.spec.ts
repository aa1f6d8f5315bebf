import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { faultCases, faulty } from '../faults/index.ts';
import { nightly } from '../nightly.ts';
import { fromRoot } from '../process.ts';
import { isSampled } from '../sample.ts';
import { ownPact, verifying } from './verifying.ts';

/**
 * The exact list of mutants that the monitor's own pact catches. The pact states what the monitor needs; the gate
 * judges the rest. A change of this list changes what `npm run pact:verify` can find.
 */
const seen: Readonly<Record<string, string>> = parse(
  readFileSync(fromRoot('tests/pacts/mutants.yaml'), 'utf8'),
);

/** Pact's own core reads no JSON of so many levels, and fails on it. */
const unreadable = 'a-member-deeper-than-the-stack';

for (const { name, area } of faultCases.filter((fault) => fault.name !== unreadable))
  test.describe(() => {
    const due = seen[area]?.split(' ').includes(name) === true;
    if (!isSampled(name, due ? 8 : 40)) nightly();
    const what = area === 'VARIANT' ? 'variant' : 'mutant';
    test(`the pact ${due ? 'detects' : 'does not report'} the ${what} ${name}`, async () => {
      const run = await verifying(ownPact, { provider: faulty(name) });
      const expected = { defect: undefined, unjudged: undefined, exit: due ? 1 : 0 };
      expect(run, run.endings.join('\n')).toMatchObject(expected);
      const open = run.endings.filter((ending) => ending.startsWith('unverified'));
      expect(open.every((ending) => name === 'nothing-there' && ending.includes('404'))).toBe(true);
    });
  });
