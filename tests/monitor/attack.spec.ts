import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectMonitored } from '../../monitor/round/plan.ts';
import { probes } from '../../probes/index.ts';
import { nightly } from '../nightly.ts';
import { fromRoot, startNode } from '../process.ts';
import { expect, test } from '../test.ts';
import { largeFaults } from './faults/answers.ts';
import { faultCases } from './faults/index.ts';
import { startFaultServer } from './faults/server.ts';
import { codingFaults } from './faults/transport.ts';
import { watchingTargets } from './targets-file.ts';

nightly();

/** A night attacks for two minutes; ATTACK_SECONDS=3600 makes it an hour. */
const seconds = Number(process.env.ATTACK_SECONDS ?? 120);

/** Providers whose answers are expensive to read. */
const hostile = faultCases
  .filter(({ fault }) => [...largeFaults, ...codingFaults].includes(fault))
  .map(({ at }) => at);
const healthy = Array.from({ length: 10 }, (_, index) => `healthy-${index}`);

/** Few probes, because each other one sends up to a hundred requests. */
const few = [
  'right-credentials-get-a-token',
  'a-token-opens-the-endpoint',
  'every-endpoint-is-guarded',
];
const fewProbes = Object.fromEntries(
  selectMonitored(probes).map(({ name }) => [name, few.includes(name) ? { every: '60s' } : 'off']),
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

/** The memory of a process in MiB: now, or the most so far. */
const memory = (pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number => {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024;
};

test('memory stays bounded under slow readers, scrapers, reloads and hostile answers, and healthy targets hold', async () => {
  test.setTimeout((seconds + 300) * 1000);
  await using server = await startFaultServer();
  const write = (names: readonly string[]) =>
    watchingTargets(
      names.map((name) => ({ name, url: new URL(name, server.origin).href })),
      { period: '60s', canaries: 'off', probes: fewProbes },
    );
  const env = write([...hostile, ...healthy]);
  const folder = test.info().outputPath();
  const bounds = ['--max-semi-space-size=1', '--max-old-space-size=256'];
  await using monitor = startNode(folder, [...bounds, fromRoot('monitor/main.ts')], {
    ...env,
    MONITOR_PORT: '0',
    MONITOR_STATE: `${folder}/state.sqlite`,
  });
  const page = new URL((await monitor.line(/"page":"(http[^"]*)"/)) ?? 'http://did-not-start');
  const read = async (path: string): Promise<string> =>
    (await fetch(new URL(path, page), { signal: AbortSignal.timeout(30_000) })).text();
  const descriptors = async (): Promise<number> =>
    Number(/^process_open_fds (\d+)/m.exec(await read('/metrics'))?.[1]);
  const states = async (): Promise<string[]> => {
    const { targets }: { targets: { name: string; state: string }[] } = JSON.parse(
      await read('/status.json'),
    );
    return targets.flatMap(({ name, state }) => (healthy.includes(name) ? [state] : []));
  };
  const holding = healthy.map(() => 'holds');
  await expect.poll(states, { timeout: 240_000 }).toEqual(holding);
  const before = await descriptors();

  const over = new AbortController();
  const pages = ['/', '/status.json', '/targets/healthy-0', '/metrics'];
  const attackers = Array.from({ length: 100 }, (_, index) =>
    neverRead(page, pages[index % pages.length] ?? '/', over.signal),
  );
  const files = [
    () => write([...hostile, ...healthy]),
    () => write(healthy),
    () => writeFileSync(env.PUBLIC_API_TARGETS, 'targets: ['),
  ];
  const reloads = new Set<number>();
  const used: number[] = [];
  await test.step('attack', async () => {
    const startedAt = performance.now();
    for (let turn = 0; performance.now() - startedAt < seconds * 1000; turn += 1) {
      files[turn % files.length]?.();
      const answer = await fetch(new URL('/-/reload', page), { method: 'POST' }).catch(() => {});
      if (answer !== undefined) reloads.add(answer.status);
      for (const path of pages) await read(path).catch(() => {});
      used.push(memory(monitor.child.pid, 'VmRSS'));
      await sleep(2_000);
    }
    over.abort();
    await Promise.all(attackers);
  });
  write([...hostile, ...healthy]);
  await fetch(new URL('/-/reload', page), { method: 'POST' });
  await test.step('memory does not grow, and answers and descriptors are as before', async () => {
    // Unread pages come and go, so the least of each half is compared.
    const half = Math.ceil(used.length / 2);
    const growth = Math.min(...used.slice(half)) / Math.min(...used.slice(half / 2, half));
    expect.soft(growth, used.join()).toBeLessThan(1.15);
    expect.soft(memory(monitor.child.pid, 'VmHWM'), 'MiB').toBeLessThan(400);
    expect.soft([...reloads]).toEqual(expect.arrayContaining([200, 422]));
    await expect.poll(descriptors, { timeout: 240_000 }).toBeLessThan(before + 20);
    expect.soft(await states()).toEqual(holding);
  });
  expect(monitor.output().stderr).toBe('');
});
