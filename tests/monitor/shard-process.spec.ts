import { findShard } from '../../monitor/targets.ts';
import { probes } from '../../probes/index.ts';
import type { Environment } from '../process.ts';
import { expect, test } from '../test.ts';
import { probed } from './probe-process.ts';
import { findAddress, type Monitor, startMonitor } from './process.ts';
import { startProvider } from './provider.ts';
import { watchingTargets } from './targets-file.ts';

const names = Array.from({ length: 30 }, (_, index) => `production-${index + 1}`);

const few = ['a-token-opens-the-endpoint', 'every-endpoint-is-guarded'];
/** Most probes are off, since a busy machine would miss runs. */
const fewProbes = Object.fromEntries(
  probes.filter(({ name }) => !few.includes(name)).map(({ name }) => [name, 'off']),
);

/** Writes a file of targets that all have the same provider. @returns the settings of the monitors that read it */
const createTargetsFile = ({ href: url }: URL, targets: readonly string[]): Environment =>
  watchingTargets(
    targets.map((name) => ({ name, url })),
    { period: '1h', canaries: 'off', probes: fewProbes },
  );

/** The targets that a monitor's service discovery lists. */
async function listTargets(monitor: Monitor): Promise<string[]> {
  const groups = await (await fetch(new URL('/sd', await findAddress(monitor)))).json();
  return (groups as { labels: { instance: string } }[]).map(({ labels }) => labels.instance);
}

test('a shard without a target reports that and runs, and gets some when the file is read again', async () => {
  await using provider = await startProvider();
  const firstShard = names.filter((name) => findShard(name, 2) === 1).slice(0, 1);
  const env = createTargetsFile(provider.baseUrl, firstShard);
  await using monitor = startMonitor({ ...env, MONITOR_SHARD: '2/2' });
  const page = await findAddress(monitor);
  expect(await (await fetch(page)).text()).toContain('No target is watched');
  expect((await fetch(new URL('/-/ready', page))).status).toBe(200);
  createTargetsFile(provider.baseUrl, names);
  const read = await fetch(new URL('/-/reload', page), { method: 'POST' });
  const own = names.filter((name) => findShard(name, 2) === 2);
  expect(await read.text()).toBe(`watching ${own.length} from now on\n`);
  expect(await listTargets(monitor)).toEqual(own);
  expect(monitor.stdout()).toContain('watching 0 of 1 targets, as shard 2/2: page ');
  expect(await monitor.stop()).toBe(0);
});

test('a round on a shard probes its own targets, and reports when there are none', async () => {
  await using provider = await startProvider();
  const env = createTargetsFile(provider.baseUrl, ['production-1']);
  expect(findShard('production-1', 3)).toBe(2);
  const round = (MONITOR_SHARD: string) =>
    probed(test.info().outputDir, ['--json', 'a-token-opens-the-endpoint'], {
      ...env,
      MONITOR_SHARD,
    });
  const [none, own] = await Promise.all([round('1/3'), round('2/3')]);
  expect(none).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'no target of the file belongs to shard 1/3: nothing is probed\n',
  });
  expect(JSON.parse(own.stdout).targets).toMatchObject([{ name: 'production-1' }]);
});
