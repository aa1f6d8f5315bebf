import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compared, type Figure, ours } from './figure.ts';
import {
  collectionOf,
  isRepeatable,
  type Recorded,
  recordingService,
  writeCurlFiles,
} from './recording.ts';
import type { Measures } from './selection.ts';
import { type Addressed, providerOver, settingsFor } from './watching.ts';

/** Runs a command. @returns seconds of CPU time of it and its children */
async function processorOf(
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const script = 'TIMEFORMAT="%U %S"; exec 3>&2; { time "$@" >/dev/null 2>&1; } 2>&3';
  const child = spawn('bash', ['-c', script, 'bash', ...command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  const [user = NaN, system = NaN] = stderr.trim().split(/\s+/).slice(-2).map(Number);
  return user + system;
}

interface Peer {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Installs newman in the folder, and writes the collection that it runs. */
async function newman(
  folder: string,
  provider: Addressed,
  requests: readonly Recorded[],
): Promise<Peer | undefined> {
  const installed = spawnSync('npm', ['install', '--no-save', '--prefix', 'peer', 'newman@6.2.2'], {
    cwd: folder,
  });
  if (installed.status !== 0) return undefined;
  const file = path.join(folder, 'collection.json');
  await writeFile(file, collectionOf(requests, provider.baseUrl.origin));
  const run = ['run', file, '--ssl-extra-ca-certs', `${provider.ca}`];
  return {
    name: 'newman, one connection for all',
    command: [process.execPath, 'peer/node_modules/newman/bin/newman.js', ...run],
  };
}

/** Runs one curl process for each request, as scripts do. */
async function curl(
  folder: string,
  provider: Addressed,
  requests: readonly Recorded[],
): Promise<Peer> {
  await writeCurlFiles(requests, provider.baseUrl.origin, path.join(folder, 'curl'));
  const options = `-s -o /dev/null -w '%{http_code}' --globoff --path-as-is --cacert ${provider.ca}`;
  const script = `for file in curl/*[0-9]; do curl ${options} -K $file | grep -qx "${'$'}{file#*-}" || exit 1; done`;
  return { name: 'curl and grep, a process each', command: ['bash', '-c', script] };
}

function gate(provider: Addressed): Peer {
  return {
    name: 'npm run gate, all that needs no test clock',
    command: [process.execPath, ours('gate/main.ts')],
    env: settingsFor(provider),
  };
}

/** Microseconds of CPU time for a judged request, including the start of the program. */
async function costOf(peer: Peer, folder: string, provider: Addressed): Promise<Figure> {
  const before = provider.requests();
  const seconds = await processorOf(peer.command, folder, peer.env ?? {});
  const requests = provider.requests() - before;
  return compared(
    `processor time of a request over https, start of the program included: ${peer.name}`,
    `${Math.round((seconds * 1e6) / requests)} µs, ${requests} requests`,
  );
}

/** Newman and curl send what the gate has sent, except for a few requests that they cannot send. */
async function perRequest(folder: string): Promise<readonly Figure[]> {
  const { service, recorded } = recordingService();
  await using provider = await providerOver('https', folder, service);
  const figures = [await costOf(gate(provider), folder, provider)];
  const requests = recorded.filter(({ call }) => isRepeatable(call, provider.baseUrl.host));
  const peers = [await newman(folder, provider, requests), await curl(folder, provider, requests)];
  for (const peer of peers)
    if (peer !== undefined) figures.push(await costOf(peer, folder, provider));
  return figures;
}

export const ofThePeers: Measures = { request: perRequest };
