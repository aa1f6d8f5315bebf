import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import tls from 'node:tls';
import { endpointName } from '../../contract/http/request.ts';
import { monitored } from '../../monitor/round/plan.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { sandboxEndpoints, startSandbox } from '../../sandbox/provider.ts';
import { ours } from './figure.ts';

/** The node flags and the program of a script of package.json. */
export function argumentsOf(script: 'start' | 'probe'): string[] {
  const { scripts } = JSON.parse(readFileSync(ours('package.json'), 'utf8'));
  return String(scripts[script])
    .split(' ')
    .slice(1)
    .map((word) => (/\.[jt]s$/.test(word) ? ours(word) : word));
}

/** A provider in this process, which counts its requests. */
export async function countingProvider(service: Behaviour = right) {
  let requests = 0;
  const behaviour = {
    ...service,
    arrived: () => {
      requests += 1;
      return 0;
    },
  };
  const sandbox = await startSandbox({ behaviour });
  return { ...sandbox, requests: () => requests };
}

/** A provider with the address through which it is measured. */
export interface Addressed extends AsyncDisposable {
  readonly baseUrl: URL;
  readonly state: Awaited<ReturnType<typeof countingProvider>>['state'];
  readonly clockUrl: URL;
  /** The number of requests that it has received. */
  requests(): number;
  /** The file of the certificate authority, for https. */
  readonly ca?: string;
}

export type Scheme = 'http' | 'https';

/** A provider in this process, which counts its requests. @param folder for the certificate */
export async function providerOver(
  scheme: Scheme,
  folder: string,
  service?: Behaviour,
): Promise<Addressed> {
  const provider = await countingProvider(service);
  if (scheme === 'http') return provider;
  const key = path.join(folder, 'key.pem');
  const cert = path.join(folder, 'cert.pem');
  const names = 'subjectAltName=IP:127.0.0.1';
  const made = spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 -addext ${names} -keyout ${key} -out ${cert}`.split(
      ' ',
    ),
  );
  if (made.status !== 0) throw new Error(`openssl makes no certificate: ${made.stderr}`);
  const front = tls.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    const behind = net.connect(Number(provider.baseUrl.port), '127.0.0.1');
    for (const end of [socket, behind]) end.setNoDelay(true);
    socket.on('error', () => behind.destroy()).pipe(behind);
    behind.on('error', () => socket.destroy()).pipe(socket);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const address = front.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const baseUrl = new URL(`https://127.0.0.1:${address.port}`);
  return {
    ...provider,
    baseUrl,
    clockUrl: new URL(provider.clockUrl.pathname, baseUrl),
    ca: cert,
    async [Symbol.asyncDispose]() {
      front.close();
      await provider.close();
    },
  };
}

/** The settings of a command for a provider, without its test clock. */
export const settingsFor = (
  provider: Pick<Addressed, 'baseUrl' | 'state' | 'ca'>,
): NodeJS.ProcessEnv => ({
  PUBLIC_API_BASE_URL: provider.baseUrl.href,
  PUBLIC_API_KEY: provider.state.account.apiKey,
  PUBLIC_API_SECRET_KEY: provider.state.account.secretKey,
  PUBLIC_API_ENDPOINTS: sandboxEndpoints.map(endpointName).join(', '),
  PUBLIC_API_CA_FILE: provider.ca,
});

/** A monitor that runs in its own process. */
export interface Watching extends AsyncDisposable {
  readonly page: URL;
  readonly pid: number;
}

/** @param wrapper a command in front of it, such as taskset */
export async function startWatching(
  folder: string,
  env: NodeJS.ProcessEnv,
  wrapper: readonly string[] = [],
): Promise<Watching> {
  const [command = '', ...args] = [...wrapper, process.execPath, ...argumentsOf('start')];
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, MONITOR_PORT: '0', MONITOR_STATE: 'monitor.sqlite', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const page = await pageOf(child.stdout);
  child.stdout.resume();
  return {
    page,
    pid: pidOf(child),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** NaN if the program did not start. */
export const pidOf = ({ pid }: ChildProcess): number => pid ?? Number.NaN;

/** The address in the first line of a log that has one. */
async function pageOf(log: Readable): Promise<URL> {
  for await (const line of createInterface(log)) {
    const { page }: { page?: string } = JSON.parse(line);
    if (page !== undefined) return new URL(page);
  }
  throw new Error('the monitor ended before it listened');
}

/** The part of a targets file that switches off all probes except one. */
export function allBut(kept: string): string {
  const others = monitored(probes).filter(({ name }) => name !== kept);
  return `{ ${others.map(({ name }) => `${name}: off`).join(', ')} }`;
}

/** Writes a file with the given number of targets for the same provider. @returns the variables that it names */
export async function targetsFile(
  folder: string,
  provider: Addressed,
  { count, settings }: { readonly count: number; readonly settings: string },
): Promise<NodeJS.ProcessEnv> {
  const target = (index: number): string =>
    `  - { name: target-${index}, url: "${provider.baseUrl.href}", credentials: { apiKeyEnv: BENCH_KEY, secretKeyEnv: BENCH_SECRET } }`;
  const lines = Array.from({ length: count }, (_, index) => target(index));
  const file = path.join(folder, `targets-${count}.yaml`);
  const ca = provider.ca === undefined ? '' : `, ca: ${provider.ca}`;
  const defaults = settings.replace(/ }$/, `${ca} }`);
  await writeFile(file, `defaults: ${defaults}\ntargets:\n${lines.join('\n')}\n`);
  const { apiKey, secretKey } = provider.state.account;
  return { PUBLIC_API_TARGETS: file, BENCH_KEY: apiKey, BENCH_SECRET: secretKey };
}

/** Seconds of CPU time of a process. Linux counts in hundredths. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Bytes that belong to this process alone. */
export function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)];
  return kilobytes.reduce((sum, [, count]) => sum + Number(count) * 1024, 0);
}

/** The samples of a metric, by the text of their labels. */
async function samples(page: URL, name: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(new URL('/metrics', page))).text();
  return new Map(
    [...text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(
      ([, labels = '', value]) => [labels, Number(value)],
    ),
  );
}

/** How many rounds the monitor has missed since its start. */
export const missedRounds = async ({ page }: Pick<Watching, 'page'>): Promise<number> =>
  (await samples(page, 'contract_monitor_ticks_missed_total')).get('') ?? Number.NaN;
