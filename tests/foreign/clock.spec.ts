import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { hours } from '../../contract/durations.ts';
import { bearer, openClient } from '../../contract/http/client.ts';
import { Pace } from '../../contract/http/pace.ts';
import type { Target } from '../../contract/round/target.ts';
import { fileClock } from '../../contract/time/file-clock.ts';
import { probes } from '../../probes/index.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { nightly } from '../nightly.ts';
import { needs } from '../programs.ts';
import { startProvider } from './start.ts';

nightly();
needs('ruby', 'libfaketime');

const clientOf = ({ connection, account }: Target) =>
  openClient({ connection, account, pace: new Pace({ maxRetryAfterMs: 0 }), now: Date.now });

test('a clock file that the provider ignores is reported, and violates no clause', async () => {
  await using provider = await startProvider();
  const clock = fileClock(test.info().outputPath('another-clock'));
  const { clauses, exit, unjudged } = await judgeProvider({ ...provider.target, clock }, probes);
  expect(unjudged).toMatch(/^clock file .*another-clock: .* its process does not read this file/);
  expect(clauses.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(clauses.find(({ clause }) => clause.id === 'EXPIRY-2')?.verdict).toBe('unverified');
  expect(exit).toBe(2);
});

test('a provider in a time zone other than UTC is reported as such, and violates no clause', async () => {
  await using provider = await startProvider('', 'America/Santiago');
  const { clauses, exit, unjudged } = await judgeProvider(provider.target, probes);
  expect(unjudged).toContain('its process must run in UTC (TZ=UTC)');
  expect(clauses.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(exit).toBe(2);
});

test('a round leaves the provider in real time', async () => {
  await using provider = await startProvider();
  await judgeProvider(provider.target, probes);
  expect(readFileSync(provider.clockFile, 'utf8')).toBe('+0\n');
});

test('a kept-alive connection survives jumps of the clock, also beyond 2038', async () => {
  await using provider = await startProvider();
  const { account, clock, endpoints } = provider.target;
  const start = Date.parse('2040-02-28T12:00:00Z');
  await clientOf(provider.target).connection(async (service) => {
    await service.issue(account);
    await clock?.set(start);
    const token = await service.issue(account);
    await clock?.set(start + hours(24) - 1);
    expect((await service.call(endpoints[0], bearer(token))).status).toBe(200);
    await clock?.set(start + hours(24));
    expect((await service.call(endpoints[0], bearer(token))).status).toBe(401);
  });
});
