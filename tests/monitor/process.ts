import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { account } from './provider.ts';

const main = fileURLToPath(new URL('../../monitor/main.ts', import.meta.url));

/** Where `npm start` keeps what is compiled: a process of a test starts in half the time. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

/** The settings of a monitor that watches the provider of these tests, fast. */
export const watching = (origin: URL): Environment => ({
  PUBLIC_API_BASE_URL: origin.href,
  PUBLIC_API_KEY: account.apiKey,
  PUBLIC_API_SECRET_KEY: account.secretKey,
  PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets, POST /public-api/v1/reports',
  MONITOR_PERIOD_SECONDS: '1',
});

/** A monitor that runs as a process of its own. */
export interface Monitor {
  readonly pid: number;
  /** Resolves with its whole first line, or with undefined when it ended without one. */
  readonly started: Promise<string | undefined>;
  readonly ended: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** Closes the pipe that the monitor logs into. */
  deafen(): void;
  /** @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the monitor in a folder without `.env`, on a free port unless told otherwise. */
export function startMonitor(env: Environment, args: readonly string[] = []): Monitor {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'monitor-'));
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache, MONITOR_PORT: '0', ...env },
  });
  let [stdout, stderr] = ['', ''];
  const ended = once(child, 'close').then(([code]): number | null => {
    rmSync(folder, { recursive: true });
    return code;
  });
  const started = new Promise<string | undefined>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      const [line, ...more] = stdout.split('\n');
      if (more.length > 0) resolve(line);
    });
    ended.then(() => resolve(undefined));
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid ?? Number.NaN,
    started,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    deafen: () => child.stdout.destroy(),
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

/** Where the monitor says that it is. */
export async function addressOf(monitor: Monitor): Promise<URL> {
  const line = await monitor.started;
  if (line === undefined) throw new Error(`the monitor ended: ${monitor.stderr()}`);
  return new URL(JSON.parse(line).page);
}
