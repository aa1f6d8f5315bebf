import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Environment, fromRoot, startNode } from '../process.ts';
import { account } from './provider.ts';

const main = fromRoot('monitor/main.ts');

/** The settings of a monitor that watches this provider with short periods. */
export const watching = (origin: URL): Environment => ({
  PUBLIC_API_BASE_URL: origin.href,
  PUBLIC_API_KEY: account.apiKey,
  PUBLIC_API_SECRET_KEY: account.secretKey,
  PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets, POST /public-api/v1/reports',
  MONITOR_WRITES: 'true',
  MONITOR_PERIOD_SECONDS: '1',
});

/** A monitor as a separate process. */
export interface Monitor {
  readonly pid: number;
  /** Resolves with its whole first line, or with undefined when it ended without one. */
  readonly started: Promise<string | undefined>;
  readonly ended: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** Closes the pipe that the monitor writes its log to. */
  deafen(): void;
  /** @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the monitor in a folder without `.env`, on a free port by default. */
export function startMonitor(env: Environment, args: readonly string[] = []): Monitor {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'monitor-'));
  const more = { MONITOR_PORT: '0', ...env };
  const { child, line, output, ...running } = startNode(folder, [main, ...args], more);
  const ended = running.ended.then(({ exit }) => {
    rmSync(folder, { recursive: true });
    return exit;
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid ?? Number.NaN,
    started: line(/^(.*)\n/),
    ended,
    stdout: () => output().stdout,
    stderr: () => output().stderr,
    deafen: () => child.stdout.destroy(),
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

/** The address that the monitor prints. */
export async function findAddress(monitor: Monitor): Promise<URL> {
  const line = await monitor.started;
  if (line === undefined) throw new Error(`the monitor ended: ${monitor.stderr()}`);
  return new URL(JSON.parse(line).page);
}
