import { expect, test } from '@playwright/test';
import type { Finding } from '../../contract/finding.ts';
import { percent, shortDuration } from '../../monitor/web/page/wording.ts';
import { page } from '../../monitor/web/page.ts';
import { aRequestWithoutATokenIsRefused as refused } from '../../probes/bearer.ts';
import { broken } from './runs.ts';
import { statusWith } from './statuses.ts';

/** The names of the rows of the findings on the page. */
async function rowsOf(seen?: string, more: Partial<Finding> = {}): Promise<string[]> {
  const run = broken(refused, 'BEARER-2');
  const findings = run.result.findings.map((finding) => ({ ...finding, seen, ...more }));
  const status = statusWith([{ ...run, result: { ...run.result, findings } }]);
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

test('a finding has rows for the body that came, its trace and a command, if it has them', async () => {
  const rows = ['when', 'asked', 'expected', 'received', 'body', 'trace', 'curl', 'probe'];
  expect(await rowsOf(undefined, { body: '{}', trace: 'a1', curl: 'curl -i' })).toEqual(rows);
});

test('findings that differ only in trace, body and command are shown once', async () => {
  const runs = ['one', 'other'].map((trace, place) => {
    const run = broken(refused, 'BEARER-2', { at: place });
    const findings = run.result.findings.map((one) => ({
      ...one,
      trace,
      body: trace,
      curl: trace,
    }));
    return { ...run, result: { ...run.result, findings } };
  });
  const text = String(await page(statusWith(runs)));
  const [, failures = ''] = /<ul class="failures">(.*?)<\/ul>/s.exec(text) ?? [];
  expect(failures.match(/<li>/g)).toHaveLength(1);
  expect(failures).toContain('2 times since');
});

test('a duration is in milliseconds below ten seconds, and in seconds above', () => {
  const shown = [0.0042, 0.42, 9.219, 44.132, 164.096].map(shortDuration);
  expect(shown).toEqual(['4.2 ms', '420 ms', '9219 ms', '44.1 s', '164.1 s']);
});

test('a share is rounded down to hundredths of a percent, and an exact share is not changed', () => {
  const shares = [[57, 100] as const, [29, 60] as const, [9_999, 10_000] as const, [1, 1] as const];
  expect(shares.map(([part, whole]) => percent(part, whole))).toEqual([
    '57 %',
    '48.33 %',
    '99.99 %',
    '100 %',
  ]);
});
