import { test as base, expect } from '@playwright/test';
import { clauseOf, type MustId } from '../../contract/clauses.ts';
import { type RoundVerdicts, requestVerdicts, socketVariable } from '../../gate/round-verdicts.ts';

/** One round serves all tests: the gate's where it started Playwright, else one of this worker's own. */
const test = base.extend<object, { heard: RoundVerdicts }>({
  heard: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants an object pattern here
    async ({}, use) => {
      const address = process.env[socketVariable];
      if (address !== undefined) return use(await requestVerdicts(address));
      // Loaded only here: beside the gate a worker needs none of it.
      const { judgeAlone } = await import('../../gate/judge-alone.ts');
      await use(await judgeAlone());
    },
    { scope: 'worker', timeout: 0 },
  ],
});

/** A test that a clause holds. One that was not asked for, or could not be verified, is skipped with the reason. */
export function holds(id: MustId): void {
  test(`${id} ${clauseOf(id).text}`, ({ heard }) => {
    const { verdicts, unjudged, strict } = heard;
    const told = verdicts.find((verdict) => verdict.id === id);
    test.skip(told === undefined && unjudged === undefined, 'it was not asked for');
    if (told?.cause !== undefined)
      test.info().annotations.push({ type: told.cause, description: told.why });
    const pardoned = unjudged === undefined && strict !== true;
    test.skip(pardoned && told?.verdict === 'unverified', told?.why);
    expect(told?.verdict, told?.why ?? unjudged).toBe('holds');
  });
}
