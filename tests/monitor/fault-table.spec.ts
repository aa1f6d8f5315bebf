import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { controlName } from '../../monitor/round/plan.ts';
import { ours, type Running, startNode } from '../process.ts';
import { isSampled, night } from '../sample.ts';
import { startEarlyFaults } from './faults/before-request.ts';
import { configOf, healthyTargets } from './faults/config.ts';
import { families, faultCases } from './faults/index.ts';
import { startFaultServer } from './faults/server.ts';
import {
  commitTables,
  committedTables,
  disagreements,
  filledRows,
  type TargetStatus,
  tablesOf,
} from './faults/table.ts';
import { account, tokenMark } from './provider.ts';

/**
 * `FAULTS=update` writes the monitor's results to `monitor/README.md`. Any other value is a regular expression that
 * selects faults by their name, their family, or the name of their target. By default a night tries all, and `npm test`
 * one fault in eight.
 */
const { FAULTS: chosen = '' } = process.env;
const updates = chosen === 'update';
const isWhole = updates || (chosen === '' && night !== undefined);

const names = new Map(
  families.flatMap(([title, faults]) =>
    faults.flatMap((fault) =>
      faultCases
        .filter((one) => one.fault === fault)
        .map(({ target }): [string, string[]] => [target, [target, fault.name, title]]),
    ),
  ),
);

function isChosen(target: string): boolean {
  const texts = names.get(target) ?? [target];
  if (chosen === '') return isSampled(texts[1] ?? target, 8);
  return updates || texts.some((text) => new RegExp(chosen).test(text));
}

/** The monitor must use less memory than this. */
const mostMebibytes = 512;

/**
 * The flags of `npm start`, and the heap limit that Node itself sets in a container or a unit with 512 MiB.
 */
const program = [
  '--max-semi-space-size=1',
  `--max-old-space-size=${mostMebibytes / 2}`,
  ours('monitor/main.ts'),
];

function startMonitor(config: string): Running {
  const folder = test.info().outputPath('folder');
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/targets.yaml`, config);
  return startNode(folder, program, {
    MONITOR_PORT: '0',
    MONITOR_STATE: `${folder}/state.sqlite`,
    MONITOR_CONFIG: `${folder}/targets.yaml`,
    KEY: account.apiKey,
    SECRET: account.secretKey,
  });
}

/** The most memory that a process has used; 0 on systems other than Linux. */
function peakMebibytes(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/**
 * A failed run may be transient, so the monitor repeats it earlier than scheduled; lists wait while the control gets no
 * answer. Probes that had an answer before the failures began keep their verdict until their next run.
 */
function isJudged({ failures, state, clauses }: TargetStatus): boolean {
  const runs = Map.groupBy(failures, ({ probe }) => probe);
  const repeated = runs.has(controlName) ? [runs.get(controlName) ?? []] : [...runs.values()];
  return (
    state !== 'waiting' &&
    repeated.every(({ length }) => length > 1) &&
    !(state === 'unreachable' && clauses.some(({ verdict }) => verdict === 'holds'))
  );
}

/** A healthy target has a run every ten seconds for more than a minute. */
const hasHardlyRun = ({ endpoints }: TargetStatus): boolean =>
  endpoints.some(({ halfHours }) => halfHours.reduce((sum, { passed }) => sum + passed, 0) < 5);

const defectsIn = (targets: readonly TargetStatus[]): string[] =>
  targets.flatMap(({ name, failures }) =>
    failures
      .filter(({ outcome }) => outcome === 'defect')
      .map(({ probe, detail }) => `${name}: ${probe}: ${detail}`),
  );

/**
 * Where requests take long, the runs that end last decide between two states: some still wait when others have ended.
 * How soon a 429 counts is a matter of the pace: tests/monitor/requests.spec.ts has the time to wait for it.
 */
const settled = (tables: string): string =>
  tables
    .replaceAll('partly: timeout', 'unreachable: timeout')
    .replaceAll(/^\| (status 429 .*?) \|.*$/gm, '| $1 |')
    .replaceAll(/^.* of 64 MiB .*$/gm, (row) =>
      row.replaceAll('timeout, ', '').replaceAll('partly: ', 'unreachable: '),
    );

test('the monitor reports every fault as its table says, and healthy targets miss no run', async () => {
  await using server = await startFaultServer();
  await using early = await startEarlyFaults();
  await using monitor = startMonitor(configOf(server.origin, early.urls, isChosen));
  const page = await monitor.line(/"page":"(http[^"]*)"/);
  if (page === undefined) throw new Error(`the monitor ended: ${monitor.output().stderr}`);

  let targets: readonly TargetStatus[] = [];
  const notJudged = async (): Promise<string[]> => {
    expect(monitor.child.exitCode, `the monitor ended: ${monitor.output().stderr}`).toBe(null);
    const text = await (await fetch(new URL('/status.json', page))).text();
    targets = JSON.parse(text).targets;
    return targets.filter((one) => !isJudged(one)).map(({ name }) => name);
  };
  await expect.poll(notJudged, { timeout: 240_000, intervals: [75_000, 5_000] }).toEqual([]);
  const peak = peakMebibytes(monitor.child.pid);

  const output = new Map(targets.map((one) => [one.name, one]));
  const healthy = targets.filter(({ name }) => healthyTargets.includes(name));
  const tables = tablesOf(output);
  writeFileSync(test.info().outputPath('tables.md'), tables);
  expect.soft(healthy.filter(hasHardlyRun)).toEqual([]);
  expect.soft(healthy.map(({ state }) => state)).toEqual(healthyTargets.map(() => 'holds'));
  expect.soft(healthy.flatMap(({ failures }) => failures)).toEqual([]);
  expect.soft(disagreements(output), 'clauses').toEqual([]);
  expect.soft(server.redirected(), 'redirects that were followed').toBe(0);
  expect.soft(peak, 'MiB').toBeLessThan(mostMebibytes);

  monitor.child.kill('SIGTERM');
  const { exit, stdout, stderr } = await monitor.ended;
  expect.soft({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect.soft(defectsIn(targets), 'defects of the monitor').toEqual([]);
  for (const secret of [account.apiKey, account.secretKey, tokenMark])
    expect.soft(JSON.stringify(targets) + stdout).not.toContain(secret);
  if (updates && test.info().errors.length === 0) commitTables(tables);
  else if (isWhole) expect(settled(tables)).toEqual(settled(committedTables()));
  else
    expect(settled(committedTables()).split('\n')).toEqual(
      expect.arrayContaining(filledRows(settled(tables))),
    );
});
