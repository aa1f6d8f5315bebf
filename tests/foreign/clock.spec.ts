import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { bearer, openClient } from '../../contract/http/client.ts';
import { Pace } from '../../contract/http/pacing.ts';
import { judgeProvider } from '../../contract/round/round.ts';
import type { Target } from '../../contract/round/target.ts';
import { days, hours } from '../../contract/time/clock.ts';
import { fileClock } from '../../contract/time/file-clock.ts';
import { probes } from '../../probes/index.ts';
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

test('a clock file that cannot be written is reported', async () => {
  await using provider = await startProvider();
  const clock = fileClock(test.info().outputPath('no-such-folder', 'clock'));
  const { exit, unjudged } = await judgeProvider({ ...provider.target, clock }, probes);
  expect(unjudged).toMatch(/^clock file .*: cannot be written \(ENOENT\)$/);
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

test('a provider that reads its clock constantly survives a hundred changes of the file', async () => {
  await using provider = await startProvider();
  const { account, clock, endpoints } = provider.target;
  const client = clientOf(provider.target);
  const token = await client.issue(account);
  let jumping = true;
  const calls = (async () => {
    while (jumping) await client.call(endpoints[0], bearer(token));
  })();
  for (let day = 1; day <= 100; day++) await clock?.set(Date.now() + days(day));
  jumping = false;
  await calls;
  expect((await client.call(endpoints[0], bearer(token))).status).toBe(401);
  expect(provider.process.exitCode).toBeNull();
});

test('a process that is reading the clock file reads the whole of the old text', async () => {
  const file = test.info().outputPath('clock');
  const clock = fileClock(file);
  await clock.set(Date.parse('2026-03-01T00:00:00.250Z'));
  const reader = openSync(file, 'r');
  await clock.set(Date.parse('2026-03-02T00:00:00Z'));
  expect(readFileSync(reader, 'utf8')).toBe('2026-03-01 00:00:00.250\n');
  closeSync(reader);
  expect(readFileSync(file, 'utf8')).toBe('2026-03-02 00:00:00.000\n');
  await clock.release();
  expect(readFileSync(file, 'utf8')).toBe('+0\n');
  expect(readdirSync(path.dirname(file))).toEqual(['clock']);
});

test('a stopped provider leaves no process, folder or shared memory behind', async () => {
  const provider = await startProvider();
  const { pid } = provider.process;
  await provider[Symbol.asyncDispose]();
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  expect(existsSync(path.dirname(provider.clockFile))).toBe(false);
  expect(readdirSync('/dev/shm').filter((name) => name.endsWith(`_${pid}`))).toEqual([]);
});
