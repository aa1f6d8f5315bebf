import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Status, TargetStatus } from '../../monitor/status.ts';
import { ours, type Running, startNode } from '../process.ts';
import { startEarlyFaults } from './faults/before-request.ts';
import { configOf, healthySeconds, healthyTargets } from './faults/config.ts';
import { families, faultCases } from './faults/index.ts';
import { startFaultServer } from './faults/server.ts';
import {
  commitTables,
  committedTables,
  disagreements,
  tablesOf,
  violatedIn,
} from './faults/table.ts';
import { account, tokenMark } from './provider.ts';

/**
 * `FAULTS=update` writes what the monitor says into `monitor/README.md`. Anything else is a regular expression that
 * selects faults by their name, target or family.
 */
const { FAULTS: chosen = '' } = process.env;
const updates = chosen === 'update';
const isWhole = updates || chosen === '';

const familyOf = new Map(families.flatMap(([title, faults]) => faults.map((one) => [one, title])));

const isChosen = ({ fault, target }: (typeof faultCases)[number]): boolean =>
  isWhole ||
  [fault.name, familyOf.get(fault), target].some((text) => new RegExp(chosen).test(text ?? ''));

/** As the unit for systemd limits it. */
const mostMemoryMiB = 512;

/** The flags of `npm start`. */
const program = ['--max-semi-space-size=1', ours('monitor/main.ts')];

function startMonitor(config: string): Running {
  const folder = test.info().outputPath('folder');
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/targets.yaml`, config);
  return startNode(folder, program, {
    NODE_COMPILE_CACHE: ours('node_modules/.cache/compile'),
    MONITOR_PORT: '0',
    MONITOR_STATE: `${folder}/state.sqlite`,
    MONITOR_CONFIG: `${folder}/targets.yaml`,
    KEY: account.apiKey,
    SECRET: account.secretKey,
  });
}

/** The largest resident memory so far; undefined where only Linux could say. */
function peakMiB(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, kibibytes] =
    /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** A run that failed is repeated sooner than its turn: what it said may have been for the moment. */
const isJudged = ({ probes }: TargetStatus): boolean =>
  probes.every(({ last, runs }) => last?.ending === 'kept' || runs.length > 1);

/** The instants of the fixed grid that lie between the second and the last run of each probe, and passed without one. */
const missedBy = ({ name, probes }: TargetStatus): string[] =>
  probes.flatMap(({ name: probe, runs: [, ...runs] }) => {
    const [first, last] = [runs.at(0)?.startedAt ?? 0, runs.at(-1)?.startedAt ?? 0];
    const due = 1 + Math.round((last - first) / 1000 / healthySeconds);
    return due === runs.length ? [] : [`${name}: ${probe} ran ${runs.length} of ${due} times`];
  });

test.describe.configure({ timeout: 300_000 });

test('the table has at least 120 faults of each kind of request, and no name twice', () => {
  for (const kind of ['token', 'admitted', 'refused'] as const)
    expect(faultCases.filter((one) => one.kind === kind).length).toBeGreaterThanOrEqual(120);
  const names = [...familyOf.keys()].map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('the monitor says of every fault what its table says, and healthy targets beside them miss no run', async () => {
  await using server = await startFaultServer();
  await using early = await startEarlyFaults();
  const startedAt = performance.now();
  await using monitor = startMonitor(configOf(server.origin, isWhole ? early.urls : [], isChosen));
  const page = await monitor.line(/"page":"(http[^"]*)"/);
  if (page === undefined) throw new Error(`the monitor ended: ${monitor.said().stderr}`);

  let status: Status | undefined;
  const waitedFor = async (): Promise<string[]> => {
    expect(monitor.child.exitCode, 'the monitor has ended').toBe(null);
    const now: Status = JSON.parse(await (await fetch(new URL('/status.json', page))).text());
    status = now;
    return now.targets.filter((one) => !isJudged(one)).map(({ name }) => name);
  };
  await expect.poll(waitedFor, { timeout: 240_000, intervals: [3_000] }).toEqual([]);
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const peak = peakMiB(monitor.child.pid);

  const said = new Map(status?.targets.map((one) => [one.name, one]));
  const healthy = healthyTargets.flatMap((name) => said.get(name) ?? []);
  const [one] = healthy;
  if (one === undefined) throw new Error('no healthy target');
  const tables = tablesOf(said, one);
  writeFileSync(test.info().outputPath('tables.md'), tables);
  const [, ticks] =
    /^(?:\S+ ){13}(\d+ \d+)/.exec(readFileSync(`/proc/${monitor.child.pid}/stat`, 'utf8')) ?? [];
  console.log('cpu monitor (ticks)', ticks, 'server', process.cpuUsage(), status?.runs);
  process.stderr.write(
    `${said.size} targets, ${tookSeconds.toFixed(0)} s, ${peak?.toFixed(0)} MiB\n`,
  );

  expect.soft(healthy.flatMap(missedBy)).toEqual([]);
  expect.soft(healthy.filter(({ state }) => state !== 'holds')).toEqual([]);
  expect.soft(healthy.flatMap(({ failures }) => failures)).toEqual([]);
  expect.soft(healthy.flatMap(violatedIn)).toEqual([]);
  expect.soft(disagreements(said)).toEqual([]);
  expect.soft(server.redirected(), 'redirects that were followed').toBe(0);
  expect.soft(peak ?? 0, 'MiB').toBeLessThan(mostMemoryMiB);
  expect.soft(tookSeconds).toBeLessThan(120);

  monitor.child.kill('SIGTERM');
  const { exit, stdout, stderr } = await monitor.ended;
  expect.soft({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect.soft(stdout.split('\n').filter((line) => line.includes('defect'))).toEqual([]);
  for (const secret of [account.apiKey, account.secretKey, tokenMark])
    expect.soft(JSON.stringify(status) + stdout).not.toContain(secret);
  if (updates && test.info().errors.length === 0) commitTables(tables);
  else if (isWhole) expect(tables).toEqual(committedTables());
});
