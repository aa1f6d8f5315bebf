import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';
import type { Measures } from './selection.ts';
import { type Addressed, providerOver, settingsFor } from './watching.ts';

const gate = fileURLToPath(new URL('../../gate/main.js', import.meta.url));

/** How often newman and curl send the same request: one without a token, which must get the 401. */
const times = 500;
const message = 'Invalid or expired access token.';

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
async function newman(folder: string, provider: Addressed): Promise<Peer | undefined> {
  const installed = spawnSync('npm', ['install', '--no-save', '--prefix', 'peer', 'newman@6.2.2'], {
    cwd: folder,
  });
  if (installed.status !== 0) return undefined;
  const exec = [
    `pm.test('refused', () => { pm.response.to.have.status(401); pm.expect(pm.response.json().message).to.eql('${message}'); });`,
  ];
  const request = { method: 'GET', url: new URL('/public-api/v1/widgets', provider.baseUrl).href };
  const event = [{ listen: 'test', script: { type: 'text/javascript', exec } }];
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const collection = { info: { name: 'peer', schema }, item: [{ name: 'one', request, event }] };
  await writeFile(path.join(folder, 'collection.json'), JSON.stringify(collection));
  const run = [
    'run',
    'collection.json',
    '-n',
    `${times}`,
    '--ssl-extra-ca-certs',
    `${provider.ca}`,
  ];
  return {
    name: 'newman, one connection for all',
    command: [process.execPath, 'peer/node_modules/newman/bin/newman.js', ...run],
  };
}

/** Runs one curl process for each request, as scripts do. */
function curl(provider: Addressed): Peer {
  const url = new URL('/public-api/v1/widgets', provider.baseUrl).href;
  const script = `for _ in $(seq ${times}); do curl -s --cacert ${provider.ca} ${url} | grep -q '${message}' || exit 1; done`;
  return { name: 'curl and grep, a process each', command: ['bash', '-c', script] };
}

function ours(provider: Addressed): Peer {
  return {
    name: 'npm run gate, all that needs no test clock',
    command: [process.execPath, gate],
    env: settingsFor(provider),
  };
}

/** Microseconds of CPU time for a judged request, including the start of the program. */
async function perRequest(folder: string): Promise<readonly Figure[]> {
  const provider = await providerOver('https', folder);
  try {
    const peers = [ours(provider), await newman(folder, provider), curl(provider)];
    const figures: Figure[] = [];
    for (const peer of peers) {
      if (peer === undefined) continue;
      const before = provider.requests();
      const seconds = await processorOf(peer.command, folder, peer.env ?? {});
      const requests = provider.requests() - before;
      figures.push({
        what: `processor time of a request over https, start of the program included: ${peer.name}`,
        value: `${Math.round((seconds * 1e6) / requests)} µs, ${requests} requests`,
        kept: true,
      });
    }
    return figures;
  } finally {
    await provider.close();
  }
}

/** The cost of a request, compared with common tools. */
export const ofThePeers: Measures = { request: perRequest };
