import { mkdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { help } from '../../monitor/demo/arguments.ts';
import { goodFaults } from '../../monitor/demo/faults.ts';
import type { Status, TargetStatus } from '../../monitor/watch/status.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { type Environment, ours, type Running, startNode } from '../process.ts';

/** A demo in its own process. */
interface Demo extends Running {
  /** The current status of the demo's target. */
  target(): Promise<TargetStatus | undefined>;
}

function startDemo(args: readonly string[], env: Environment = {}): Demo {
  const folder = test.info().outputPath('folder');
  mkdirSync(folder, { recursive: true });
  const program = [ours('monitor/demo/main.ts'), ...args];
  const demo = startNode(folder, program, { MONITOR_PORT: '0', ...env });
  const page = demo.line(/^ {2}page +(http\S+)$/m);
  return {
    ...demo,
    async target() {
      const at = await page;
      if (at === undefined) throw new Error(`the demo ended: ${demo.output().stderr}`);
      const answer = await fetch(new URL('/status.json', at));
      const { targets }: Status = JSON.parse(await answer.text());
      return targets[0];
    },
  };
}

/** The clauses of a target that have this verdict. */
const clausesOf = (target: TargetStatus | undefined, wanted: string): string[] =>
  (target?.clauses ?? []).filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

/** On a busy machine the demo's time runs more slowly, and some checks still come too late to be conclusive. */
const inTime = { timeout: 200_000, intervals: [200] };
test.describe.configure({ timeout: 420_000 });

test('tokens are issued, age and expire within seconds, and no clause is violated', async () => {
  await using demo = startDemo([]);
  const lives = async (): Promise<string[]> => {
    const target = await demo.target();
    expect(clausesOf(target, 'violated')).toEqual([]);
    const dead = (target?.token?.canaries.expired ?? 0) > 0 ? ['some have expired'] : [];
    return [...dead, ...clausesOf(target, 'holds').filter((id) => /^EXPIRY-[12]$/.test(id))];
  };
  await expect.poll(lives, inTime).toEqual(['some have expired', 'EXPIRY-1', 'EXPIRY-2']);
  const proven = /^day \d \d\d:\d\d {3}sandbox: EXPIRY-1 holds: .*at least 23 h 5\d min/m;
  await expect.poll(() => demo.output().stdout, inTime).toMatch(proven);
  demo.child.kill('SIGINT');
  const { exit, stdout, stderr } = await demo.ended;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toMatch(/^day \d \d\d:\d\d {3}SIGINT received: draining, no new runs$/m);
  expect(stdout.trim()).toMatch(/ {3}stopped$/);
});

test('a fault that is switched on after a day is caught and reported', async () => {
  await using demo = startDemo(['--speed', '15000', '--fault', 'ends-an-hour-early']);
  await expect
    .poll(async () => clausesOf(await demo.target(), 'violated'), inTime)
    .toEqual(['EXPIRY-1']);
  const output = demo.output().stdout;
  expect(output).toMatch(/^day 2 \d\d:\d\d {3}the fault ends-an-hour-early is switched on: /m);
  expect(output).toMatch(/^day \d+ \d\d:\d\d {3}sandbox: EXPIRY-1 violated: /m);
  expect(output.indexOf('switched on: ')).toBeLessThan(output.indexOf('violated'));
  expect((await demo.target())?.token?.canaries.failed).toBeGreaterThan(0);
});

test('--help and --list need no settings', async () => {
  const nonsense = { PUBLIC_API_BASE_URL: 'nonsense' };
  expect(await startDemo(['--help'], nonsense).ended).toMatchObject({ exit: 0, stdout: help });
  expect(await startDemo(['--list'], nonsense).ended).toMatchObject({
    exit: 0,
    stdout: goodFaults(),
  });
});

test('an impossible demo is reported in one line, with exit code 2', async () => {
  await using other = await startSandbox();
  const { port } = other.baseUrl;
  expect(await startDemo([], { MONITOR_PORT: port }).ended).toEqual({
    exit: 2,
    stdout: '',
    stderr: `127.0.0.1:${port} is in use: set MONITOR_PORT to another port, or 0 for any\n`,
  });
  expect(await startDemo(['--fault', 'none']).ended).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/^unknown fault "none": [^\n]*\n$/),
  });
  expect(await startDemo([], { MONITOR_PORT: 'none' }).ended).toMatchObject({ exit: 2 });
});
