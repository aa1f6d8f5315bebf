import { test as base, expect } from '@playwright/test';
import { clauseOf, type MustId } from '../../contract/clauses.ts';
import type { RoundVerdicts } from '../../gate/round-verdicts.ts';
import { requestVerdicts, socketVariable } from '../../gate/verdict-socket.ts';

/** One round serves all tests: the gate's round if the gate started Playwright, otherwise a round of this worker. */
const test = base.extend<object, { received: RoundVerdicts }>({
  received: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants an object pattern here
    async ({}, use) => {
      const address = process.env[socketVariable];
      if (address !== undefined) return use(await requestVerdicts(address));
      // Imported only here: a worker that the gate started does not need this code.
      const { judgeAlone } = await import('../../gate/judgement.ts');
      await use(await judgeAlone());
    },
    { scope: 'worker', timeout: 0 },
  ],
});

/** Tests that a clause holds. A clause that was not selected or could not be verified is skipped with the reason. */
export function holds(id: MustId): void {
  test(`${id} ${clauseOf(id).text}`, ({ received }) => {
    const { verdicts, unjudged, strict } = received;
    const message = verdicts.find((verdict) => verdict.id === id);
    test.skip(message === undefined && unjudged === undefined, 'it was not asked for');
    if (message?.cause !== undefined)
      test.info().annotations.push({ type: message.cause, description: message.why });
    const pardoned = unjudged === undefined && strict !== true;
    test.skip(pardoned && message?.verdict === 'unverified', message?.why);
    expect(message?.verdict, message?.why ?? unjudged).toBe('holds');
  });
}
