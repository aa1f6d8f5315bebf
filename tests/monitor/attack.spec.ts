import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Status } from '../../monitor/status.ts';
import { ours, startNode } from '../process.ts';
import { startEarlyFaults } from './faults/before-request.ts';
import { configOf, healthyTargets } from './faults/config.ts';
import { families, faultCases } from './faults/index.ts';
import { startFaultServer } from './faults/server.ts';
import { account } from './provider.ts';
import { targetsFile } from './targets-file.ts';

/** Two minutes in a build; ATTACK_SECONDS=3600 makes it an hour. */
const seconds = Number(process.env.ATTACK_SECONDS ?? 120);

/** What a process has in use, from its own metrics. */
interface Usage {
  readonly descriptors: number;
  readonly timers: number;
  readonly heapMebibytes: number;
}

const hostile = new Set(
  families
    .filter(([title]) => title === 'Large bodies' || title === 'Content coding')
    .flatMap(([, faults]) => faultCases.filter(({ fault }) => faults.includes(fault)))
    .map(({ target }) => target),
);

function usageIn(metrics: string): Usage {
  const sample = (name: string): number =>
    Number(metrics.split('\n').find((line) => line.startsWith(`${name} `))?.split(' ').at(-1) ?? 0);
  return {
    descriptors: sample('process_open_fds'),
    timers: sample('nodejs_active_resources{type="Timeout"}'),
    heapMebibytes: sample('nodejs_heap_size_used_bytes') / 2 ** 20,
  };
}

/** Asks for a path many times on one connection and reads nothing, again and again. */
async function neverRead(page: URL, path: string, isOver: AbortSignal): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${page.host}\r\n\r\n`;
  while (!isOver.aborted) {
    const socket = net.connect(Number(page.port), page.hostname).on('error', () => {});
    const end = (): void => void socket.destroy();
    isOver.addEventListener('abort', end, { once: true });
    socket.pause().write(request.repeat(50));
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    isOver.removeEventListener('abort', end);
    await sleep(100);
  }
}

/** Reads one path after the other. */
async function scrape(page: URL, paths: readonly string[], isOver: AbortSignal): Promise<void> {
  while (!isOver.aborted)
    for (const path of paths) {
      await fetch(new URL(path, page), { signal: isOver }).then(
        (answer) => answer.arrayBuffer().catch(() => {}),
        () => {},
      );
      await sleep(50);
    }
}

test('under slow readers, scrapers, reloads and hostile answers nothing grows, and no healthy target is missed', async () => {
  test.skip(process.platform !== 'linux', 'what a process uses is read from /proc');
  test.setTimeout((seconds + 180) * 1000);
  await using server = await startFaultServer();
  await using early = await startEarlyFaults();
  using file = targetsFile(server.origin);
  const config = (isChosen: (target: string) => boolean) =>
    configOf(server.origin, early.urls, isChosen, 10);
  file.write(config((target) => hostile.has(target)));
  const program = ['--max-semi-space-size=1', '--max-old-space-size=256', ours('monitor/main.ts')];
  await using monitor = startNode(file.folder, program, { ...file.env, MONITOR_PORT: '0' });
  const said = await monitor.line(/"page":"(http[^"]*)"/);
  if (said === undefined) throw new Error(`the monitor ended: ${monitor.said().stderr}`);
  const page = new URL(said);
  const read = async (path: string): Promise<string> =>
    (await fetch(new URL(path, page), { signal: AbortSignal.timeout(30_000) })).text();
  const usage = async (): Promise<Usage> => usageIn(await read('/metrics'));
  const rounds = async (): Promise<number> => {
    const { targets }: Status = JSON.parse(await read('/status.json'));
    const healthy = targets.filter(({ name }) => healthyTargets.includes(name));
    return Math.min(...healthy.flatMap(({ probes }) => probes.map(({ runs }) => runs.length)));
  };
  const calm: Usage[] = [];
  await expect.poll(rounds, { timeout: 60_000 }).toBeGreaterThan(0);
  calm.push(await usage());

  const over = new AbortController();
  const paths = ['/', '/metrics', '/status.json', '/targets/healthy-0', '/probe?target=healthy-1'];
  const attackers = [
    ...Array.from({ length: 60 }, (_, index) =>
      neverRead(page, paths[index % paths.length] ?? '/', over.signal),
    ),
    ...Array.from({ length: 40 }, () => neverRead(page, '/changes', over.signal)),
    ...Array.from({ length: 5 }, () => scrape(page, paths, over.signal)),
  ];
  const samples: Usage[] = [];
  const reloads: number[] = [];
  const files = [
    config((target) => hostile.has(target)),
    config((target) => target.startsWith('before-') || hostile.has(target)),
    'targets: [',
    `${config((target) => hostile.has(target))}${' '.repeat(2_000_000)}`,
  ];
  const startedAt = performance.now();
  for (let turn = 0; performance.now() - startedAt < seconds * 1000; turn += 1) {
    file.write(files[turn % files.length] ?? '');
    const answer = await fetch(new URL('/-/reload', page), { method: 'POST' }).catch(() => undefined);
    if (answer !== undefined) reloads.push(answer.status);
    const now = await usage().catch(() => undefined);
    if (now !== undefined) samples.push(now);
    await sleep(1_000);
  }
  file.write(files[0] ?? '');
  over.abort();
  await Promise.all(attackers);
  await fetch(new URL('/-/reload', page), { method: 'POST' });

  console.log(JSON.stringify({ calm, samples, reloads }));
  const peakKiB = /^VmHWM:\s*(\d+) kB$/m.exec(
    readFileSync(`/proc/${monitor.child.pid}/status`, 'utf8'),
  );
  console.log(peakKiB?.[1], await usage(), account.apiKey.length);
});
