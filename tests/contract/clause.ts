import { test as base, expect } from '@playwright/test';
import { clauseOf, type MustId } from '../../contract/clauses.ts';
import { gaugeOf, judge } from '../../gate/gauge.ts';
import { reportOf } from '../../gate/report/report.ts';
import { ask, type Hearing, hearingOf, socketVariable } from '../../gate/verdicts.ts';
import { probes } from '../../probes/index.ts';
import { loadSettings } from '../../settings.ts';

/** One round serves all tests: the gate's where it started Playwright, else one of this worker's own. */
const test = base.extend<object, { hearing: Hearing }>({
  hearing: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants an object pattern here
    async ({}, use) => {
      const address = process.env[socketVariable];
      await use(address === undefined ? await hear() : await ask(address));
    },
    { scope: 'worker', timeout: 0 },
  ],
});

/** A test that a clause holds. One that could not be verified is skipped, with the reason. */
export function holds(id: MustId): void {
  test(`${id} ${clauseOf(id).text}`, ({ hearing }) => {
    const told = hearing.verdicts.find((verdict) => verdict.id === id);
    test.skip(told?.verdict === 'unverified' && hearing.unjudged === undefined, told?.why);
    expect(told?.verdict, told?.why ?? hearing.unjudged).toBe('holds');
  });
}

async function hear(): Promise<Hearing> {
  const settings = loadSettings();
  const gauge = await gaugeOf(settings);
  const round = await judge(gauge, probes, { strict: settings.strict });
  const { endpoints } = gauge.target;
  const context = { target: gauge.name, endpoints, again: 'npm run gate --', tookSeconds: 0 };
  return hearingOf(reportOf(round, context));
}
