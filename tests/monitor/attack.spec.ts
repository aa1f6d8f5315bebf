import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Status } from '../../monitor/watch/status.ts';
import { nightly } from '../nightly.ts';
import { ours, startNode } from '../process.ts';
import { startEarlyFaults } from './faults/before-request.ts';
import { configOf, healthyTargets } from './faults/config.ts';
import { families, faultCases } from './faults/index.ts';
import { startFaultServer } from './faults/server.ts';
import { inspectable, liveHeapBytes, ownErrors } from './live-heap.ts';
import { targetsFile } from './targets-file.ts';

nightly();

/** A night attacks for two minutes; ATTACK_SECONDS=3600 makes it an hour. */
const seconds = Number(process.env.ATTACK_SECONDS ?? 120);

/** The monitor's use of resources, by its own metrics. */
function usageIn(metrics: string) {
  const read = (name: string): number => {
    const line = metrics.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? NaN);
  };
  return {
    descriptors: read('process_open_fds'),
    timers: read('nodejs_active_resources{type="Timeout"}'),
    memory: read('process_resident_memory_bytes'),
  };
}
type Usage = ReturnType<typeof usageIn>;

const hostile = new Set(
  families
    .filter(([title]) => title === 'Large bodies' || title === 'Content coding')
    .flatMap(([, faults]) => faultCases.filter(({ fault }) => faults.includes(fault)))
    .map(({ target }) => target),
);

/** Repeatedly requests a path many times on one connection, and reads no answer. */
async function neverRead(page: URL, path: string, isOver: AbortSignal): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${page.host}\r\n\r\n`;
  while (!isOver.aborted) {
    const socket = net.connect(Number(page.port), page.hostname).on('error', () => {});
    const end = (): void => void socket.destroy();
    isOver.addEventListener('abort', end, { once: true });
    socket.pause().write(request.repeat(50));
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    isOver.removeEventListener('abort', end);
    await sleep(500);
  }
}

/** Reads one path after the other until the attack ends. */
async function scrape(page: URL, paths: readonly string[], isOver: AbortSignal): Promise<void> {
  while (!isOver.aborted)
    for (const path of paths) {
      await fetch(new URL(path, page), { signal: isOver }).then(
        (answer) => answer.arrayBuffer().catch(() => {}),
        () => {},
      );
      await sleep(1_000);
    }
}

/** The memory of a process in KiB, by its name in `/proc/PID/status`. */
const memoryKiB = (pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number =>
  Number(
    new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1],
  );

test('memory stays bounded under slow readers, scrapers, reloads and hostile answers, and healthy targets keep their runs', async () => {
  test.setTimeout((seconds + 300) * 1000);
  await using server = await startFaultServer();
  await using early = await startEarlyFaults();
  const file = targetsFile(server.origin);
  const config = (isChosen: (target: string) => boolean) =>
    configOf(server.origin, early.urls, isChosen, 60);
  const own = config((target) => hostile.has(target));
  file.write(own);
  const bounds = ['--max-semi-space-size=1', '--max-old-space-size=256'];
  const program = [inspectable, ...bounds, ours('monitor/main.ts')];
  await using monitor = startNode(file.folder, program, {
    ...file.env,
    MONITOR_PORT: '0',
    MONITOR_STATE: `${file.folder}/state.sqlite`,
  });
  const output = await monitor.line(/"page":"(http[^"]*)"/);
  if (output === undefined) throw new Error(`the monitor ended: ${monitor.output().stderr}`);
  const page = new URL(output);
  const read = async (path: string): Promise<string> =>
    (await fetch(new URL(path, page), { signal: AbortSignal.timeout(30_000) })).text();
  const usage = async (): Promise<Usage> => usageIn(await read('/metrics'));
  const healthy = async () => {
    const { targets }: Status = JSON.parse(await read('/status.json'));
    return targets.filter(({ name }) => healthyTargets.includes(name));
  };
  const fewestRuns = async (): Promise<number> =>
    Math.min(...(await healthy()).flatMap(({ probes }) => probes.map(({ runs }) => runs.length)));
  await expect.poll(fewestRuns, { timeout: 240_000 }).toBeGreaterThan(0);
  const before = await usage();

  const over = new AbortController();
  const pages = ['/', '/status.json', '/targets/healthy-0'];
  const scraped = ['/metrics', '/probe?target=healthy-1'];
  const attackers = [
    ...Array.from({ length: 100 }, (_, index) =>
      neverRead(page, pages[index % pages.length] ?? '/', over.signal),
    ),
    ...Array.from({ length: 5 }, () => scrape(page, [...pages, ...scraped], over.signal)),
  ];
  const files = [
    own,
    config((target) => target.startsWith('before-') || hostile.has(target)),
    'targets: [',
    `${own}${' '.repeat(2_000_000)}`,
  ];
  const samples: Usage[] = [];
  const reloads = new Set<number>();
  const reload = async (text: string): Promise<void> => {
    file.write(text);
    const answer = await fetch(new URL('/-/reload', page), { method: 'POST' }).catch(() => {});
    if (answer !== undefined) reloads.add(answer.status);
  };
  /** What is left after a collection. A single one does not always return the memory to the system. */
  const collected = async (): Promise<{ readonly heap: number; readonly memory: number }> => {
    const heaps = [];
    for (let times = 0; times < 3; times += 1) heaps.push(await liveHeapBytes(monitor));
    return { heap: heaps.at(-1) ?? NaN, memory: memoryKiB(monitor.child.pid, 'VmRSS') };
  };
  const atFirst: Awaited<ReturnType<typeof collected>>[] = [];
  const atLast: typeof atFirst = [];
  const startedAt = performance.now();
  for (let turn = 0; performance.now() - startedAt < seconds * 1000; turn += 1) {
    await reload(files[turn % files.length] ?? own);
    // Measured several times after half of the attack and at its end: histories fill at first, and up to 16 MiB of
    // unread pages come and go.
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    if (elapsedSeconds >= seconds / 2 && atFirst.length < 4) atFirst.push(await collected());
    if (elapsedSeconds >= seconds - 10) atLast.push(await collected());
    const now = await usage().catch(() => undefined);
    if (now !== undefined && !Number.isNaN(now.memory)) samples.push(now);
    await sleep(2_000);
  }
  atLast.push(await collected());
  over.abort();
  await Promise.all(attackers);
  await reload(own);
  const peakKiB = memoryKiB(monitor.child.pid, 'VmHWM');
  const usual = samples[Math.floor(samples.length / 2)];
  const description = JSON.stringify({
    before,
    usual,
    peakKiB,
    atFirst,
    atLast,
    samples: samples.length,
  });
  test.info().annotations.push({ type: 'usage', description });
  const least = (some: typeof atFirst, figure: 'heap' | 'memory'): number =>
    Math.min(...some.map((one) => one[figure]));
  const growth = (figure: 'heap' | 'memory'): number =>
    least(atLast, figure) / least(atFirst, figure);
  expect.soft(growth('heap'), description).toBeLessThan(1.15);
  expect.soft(growth('memory'), description).toBeLessThan(1.1);
  expect.soft(peakKiB / 1024, 'MiB').toBeLessThan(400);
  const isCalm = async (): Promise<boolean> => {
    const { descriptors, timers } = await usage();
    return descriptors < before.descriptors + 20 && timers < before.timers + 20;
  };
  await expect.poll(isCalm, { timeout: 240_000 }).toBe(true);
  expect.soft([...reloads]).toEqual(expect.arrayContaining([200, 422]));
  const watched = await healthy();
  expect.soft(watched.map(({ state }) => state)).toEqual(healthyTargets.map(() => 'holds'));
  expect.soft(watched.flatMap(({ failures }) => failures)).toEqual([]);
  expect.soft(await fewestRuns()).toBeGreaterThan(Math.min(50, seconds / 20));
  expect(ownErrors(monitor)).toBe('');
});
