import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, limited, median } from './figure.ts';
import {
  type Addressed,
  pidOf,
  processorSeconds,
  providerOver,
  type Scheme,
  startWatching,
  targetsFile,
} from './watching.ts';

/**
 * Microseconds of CPU time for each request: all probes of the monitor, and probes of blackbox_exporter, on the same
 * provider.
 */
export async function besideBlackbox(folder: string, scheme: Scheme): Promise<Figure> {
  const what = `processor time of a request over ${scheme}, judged and recorded, beside blackbox_exporter's`;
  const limit = { most: 0.45, unit: '×' };
  if (spawnSync('prometheus-blackbox-exporter', ['--version']).status !== 0) {
    const value = 'not measured: prometheus-blackbox-exporter is not installed';
    return { ...limited(what, value, { ...limit, measured: Number.NaN }), kept: undefined };
  }
  await using provider = await providerOver(scheme, folder);
  const [own, other]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 3; turn++) {
    own.push(await perRequestOfOurs(folder, provider));
    other.push(await perRequestOfBlackbox(folder, provider));
  }
  const ratio = median(own) / median(other);
  const value = `${ratio.toFixed(2)} ×: ${Math.round(median(own))} µs beside ${Math.round(median(other))} µs`;
  return limited(what, value, { ...limit, measured: ratio });
}

/** All probes run on these targets. Each second has the runs of a minute at a period of 60 s. */
const loadTargets = 2;
const requestsPerSecond = 100;

async function perRequestOfOurs(folder: string, provider: Addressed): Promise<number> {
  const settings = '{ period: 1s, endpoints: [GET /public-api/v1/widgets] }';
  const env = await targetsFile(folder, provider, { count: loadTargets, settings });
  await using monitor = await startWatching(folder, env);
  // At the start every probe runs once, spread over this time.
  await sleep(15_000);
  return await costOf(monitor.pid, provider, () => sleep(20_000));
}

async function perRequestOfBlackbox(folder: string, provider: Addressed): Promise<number> {
  const port = await freePort();
  const config = path.join(folder, 'blackbox.yml');
  await writeFile(
    config,
    `modules: { refused: { prober: http, http: { valid_status_codes: [401], fail_if_body_not_matches_regexp: ["Invalid or expired access token"]${provider.ca === undefined ? '' : `, tls_config: { ca_file: ${provider.ca} }`} } } }\n`,
  );
  const exporter = spawn(
    'prometheus-blackbox-exporter',
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  );
  const target = new URL('/public-api/v1/widgets', provider.baseUrl);
  const probe = `http://127.0.0.1:${port}/probe?module=refused&target=${encodeURIComponent(target.href)}`;
  try {
    while (
      !(await fetch(probe).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(50);
    const request = async (): Promise<void> => {
      const text = await (await fetch(probe)).text();
      if (!text.includes('\nprobe_success 1')) throw new Error('blackbox_exporter sees no 401');
    };
    return await costOf(pidOf(exporter), provider, async () => {
      // The same rate as the monitor.
      const requests: Promise<void>[] = [];
      for (let turn = 0; turn < 200; turn++) {
        for (let count = 0; count < requestsPerSecond / 25; count++) requests.push(request());
        await sleep(40);
      }
      await Promise.all(requests);
    });
  } finally {
    exporter.kill();
    await once(exporter, 'exit');
  }
}

/** @returns microseconds of the process's CPU time for each request that the provider got */
async function costOf(
  pid: number,
  provider: Addressed,
  work: () => Promise<unknown>,
): Promise<number> {
  const seconds = processorSeconds(pid);
  const requests = provider.requests();
  await work();
  return ((processorSeconds(pid) - seconds) * 1e6) / (provider.requests() - requests);
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
