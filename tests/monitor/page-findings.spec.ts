import { expect, test } from '@playwright/test';
import { page } from '../../monitor/web/page.ts';
import { aRequestWithoutATokenIsRefused as refused } from '../../probes/a-request-without-a-token-is-refused.ts';
import { broken } from './runs.ts';
import { statusWith } from './statuses.ts';

/** The names of the rows of the findings on the page. */
async function rowsOf(seen?: string): Promise<string[]> {
  const run = broken(refused, 'BEARER-2');
  const findings = run.outcome.findings.map((finding) => ({ ...finding, seen }));
  const status = statusWith([{ ...run, outcome: { ...run.outcome, findings } }]);
  const text = String(await page(status));
  const [, first = ''] = /<dl class="finding">(.*?)<\/dl>/s.exec(text) ?? [];
  return [...first.matchAll(/<dt>(\w+)<\/dt>/g)].map(([, name = '']) => name);
}

test('a finding has a row for how often it was seen, and none where it was seen always', async () => {
  expect(await rowsOf('3 of 4 requests')).toEqual([
    ...['when', 'asked', 'expected', 'received', 'seen', 'probe'],
  ]);
  expect(await rowsOf()).toEqual(['when', 'asked', 'expected', 'received', 'probe']);
});
