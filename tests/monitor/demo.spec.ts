import { expect, test } from '@playwright/test';
import { days, hours, minutes, seconds } from '../../contract/time/clock.ts';
import { readArguments } from '../../monitor/demo/arguments.ts';
import { fastTime } from '../../monitor/demo/fast-time.ts';
import { faultCalled, goodFaults } from '../../monitor/demo/faults.ts';
import { momentOf, moments, proofs } from '../../monitor/demo/narration.ts';
import { startDemoProvider } from '../../monitor/demo/provider.ts';
import { throttle } from '../../monitor/demo/throttle.ts';
import type { Status } from '../../monitor/watch/status.ts';
import { right } from '../../sandbox/behaviour.ts';
import { SimulatedClock } from '../../sandbox/clock.ts';
import { faulty } from '../../sandbox/faults/index.ts';
import { simulatedTime } from './simulated-time.ts';
import { statusWith } from './statuses.ts';

test('fast time multiplies the speed of all of its clocks, and wakes timers earlier', async () => {
  const real = simulatedTime(Date.UTC(2027, 2, 1));
  const fast = fastTime(8640, real);
  let woken: number | undefined;
  fast.after(hours(24), () => {
    woken = fast.monotonic();
  });
  await real.pass(9_999);
  expect(woken).toBeUndefined();
  await real.pass(1);
  expect(woken).toBe(hours(24));
  expect(fast.uptime()).toBe(hours(24));
  expect(fast.wall()).toBe(Date.UTC(2027, 2, 2));
  const cancel = fast.after(hours(24), () => {
    woken = undefined;
  });
  cancel();
  await real.pass(20_000);
  expect(woken).toBe(hours(24));
});

test('a machine that is set, sleeps, or is too busy for a step, delays fast time', async () => {
  const real = simulatedTime();
  const fast = fastTime(100, real);
  let woken = 0;
  fast.after(seconds(1), () => {
    woken = fast.monotonic();
  });
  real.suspend(hours(1));
  real.step(hours(1));
  real.stop(hours(1));
  await real.pass(5);
  expect([woken, fast.monotonic()]).toEqual([0, 900]);
  await real.pass(1);
  expect([woken, fast.monotonic()]).toEqual([seconds(1), seconds(1)]);
});

test('the clock of the sandbox follows its given source', () => {
  let now = 1_000;
  const clock = new SimulatedClock(undefined, () => now);
  const later = new SimulatedClock(50_000, () => now);
  now = 3_000;
  expect([clock.now(), later.now()]).toEqual([3_000, 52_000]);
  clock.stopAt(7);
  expect(clock.now()).toBe(7);
  clock.release();
  expect(clock.now()).toBe(3_000);
});

test("the demo's provider reports its own time, and changes its behaviour while it runs", async () => {
  let now = Date.UTC(2031, 0, 1);
  const { sandbox, become } = await startDemoProvider(() => now);
  const request = async () => {
    const { status, headers } = await fetch(new URL('/public-api/v1/widgets', sandbox.baseUrl));
    return `${status} ${headers.get('date')}`;
  };
  expect(await request()).toBe('401 Wed, 01 Jan 2031 00:00:00 GMT');
  become(faulty('forbidden-instead'));
  now += days(1);
  expect(await request()).toBe('403 Thu, 02 Jan 2031 00:00:00 GMT');
  become(right);
  expect(await request()).toBe('401 Thu, 02 Jan 2031 00:00:00 GMT');
  await sandbox.close();
});

test('moments are counted from the first day on, and replace the time of day', () => {
  expect(momentOf(0)).toBe('day 1 00:00');
  expect(momentOf(days(1) - 1)).toBe('day 1 23:59');
  expect(momentOf(days(1) + hours(2) + minutes(5) + seconds(59))).toBe('day 2 02:05');
  const written: string[] = [];
  const lines = moments({ write: (text) => void written.push(text) }, () => days(2));
  lines.write('12:04:05   sandbox: at 12:04:05\n           when  now\n');
  expect(written).toEqual(['day 3 00:00   sandbox: at 12:04:05\n           when  now\n']);
});

/** A status in which a clause has this verdict, and canaries have measured the bounds of a token's lifetime. */
function knowing(id: string, verdict: 'holds' | 'unverified'): Status {
  const status = statusWith([]);
  const token = {
    canaries: { alive: 0, expired: 1, failed: 0, lost: 0 },
    toleranceSeconds: 5,
    atLeastSeconds: 86_366.4,
    atMostSeconds: 86_466.2,
    checks: [],
  };
  const targets = status.targets.map((target) => ({
    ...target,
    token,
    clauses: target.clauses.map((one) => ({
      ...one,
      verdict: one.id === id ? verdict : ('unverified' as const),
    })),
  }));
  return { ...status, targets };
}

test('a proven lifetime clause is reported once, with the bound that canaries have shown', () => {
  const lines: string[] = [];
  const look = proofs((line) => lines.push(line));
  look(knowing('EXPIRY-1', 'unverified'));
  expect(lines).toEqual([]);
  look(knowing('EXPIRY-1', 'holds'));
  look(knowing('EXPIRY-1', 'holds'));
  look(knowing('EXPIRY-2', 'holds'));
  look(knowing('EXPIRY-5', 'holds'));
  look(knowing('BEARER-1', 'holds'));
  expect(lines).toEqual([
    expect.stringMatching(/^EXPIRY-1 holds: .* \(a token lived at least 23 h 59 min 26 s\)$/),
    expect.stringMatching(/^EXPIRY-2 holds: .* \(a token lived at most 24 h 01 min 07 s\)$/),
    expect.stringMatching(/^EXPIRY-5 holds: .*[^)]$/),
  ]);
});

test('a frequently requested action is throttled', () => {
  let now = 0;
  let done = 0;
  const work = throttle(
    250,
    () => ++done,
    () => now,
  );
  expect(work()).toBe(1);
  now = 249;
  expect(work()).toBeUndefined();
  now = 250;
  expect(work()).toBe(2);
});

test('every named fault exists, and an unknown one is reported in one line', () => {
  const lines = goodFaults().trim().split('\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const [, name = '', means] = /^(\S+) {2,}(.*)$/.exec(line) ?? [];
    expect(faultCalled(name).means).toBe(means);
  }
  expect(() => faultCalled('leeway')).toThrow(
    'unknown fault "leeway": npm run demo -- --list shows some, npm run sandbox -- --faults all',
  );
});

test('a day takes ten seconds by default, and a speed that shows nothing is refused', () => {
  expect(readArguments([])).toEqual({ help: false, list: false, speed: 8640 });
  expect(readArguments(['--speed', '1.5', '--fault', 'x'])).toMatchObject({
    speed: 1.5,
    fault: 'x',
  });
  for (const speed of ['0', '50001', '1e3', '-5', 'fast', ''])
    expect(() => readArguments([`--speed=${speed}`])).toThrow(
      `--speed ${speed} is not a number from 1 to 50000`,
    );
  expect(() => readArguments(['--spede'])).toThrow(
    /^Unknown option '--spede': npm run demo -- --help/,
  );
});
