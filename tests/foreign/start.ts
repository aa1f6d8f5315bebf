import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../../contract/round/target.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { fileClock } from '../../contract/time/file-clock.ts';
import { programPath } from '../programs.ts';

const startBoundMs = 20_000;
const stopBoundMs = 5_000;

/** A provider in a separate process, in simulated time. */
export interface ForeignProvider extends AsyncDisposable {
  /** How to judge it; its clock is a file. */
  readonly target: Target;
  /** The file that libfaketime reads for it. */
  readonly clockFile: string;
  readonly process: ChildProcess;
}

/**
 * Starts the Ruby provider on a free port, under libfaketime, and waits until it listens.
 * @param mistake a mistake that `provider.rb` knows; empty for the correct provider
 * @param zone the time zone of its process; this suite uses UTC
 */
export async function startProvider(mistake = '', zone = 'UTC'): Promise<ForeignProvider> {
  const ruby = programPath('ruby');
  const library = programPath('libfaketime');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'foreign-'));
  const clockFile = path.join(folder, 'clock');
  writeFileSync(clockFile, '+0\n');
  const [apiKey, secretKey, signingKey] = [16, 24, 32].map((bytes) =>
    randomBytes(bytes).toString('base64url'),
  ) as [string, string, string];
  const child = spawn(ruby, [fileURLToPath(new URL('provider.rb', import.meta.url))], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      PORT: '0',
      API_KEY: apiKey,
      SECRET_KEY: secretKey,
      SIGNING_KEY: signingKey,
      MISTAKE: mistake,
      TZ: zone,
      // Compiles what runs often: a round costs a third less processor time.
      RUBY_YJIT_ENABLE: '1',
      ...simulatedTime(library, clockFile),
    },
  });
  const clear = (): void => {
    child.kill('SIGKILL');
    // libfaketime does not remove these if its process is killed.
    for (const name of [`faketime_shm_${child.pid}`, `sem.faketime_sem_${child.pid}`])
      rmSync(path.join('/dev/shm', name), { force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', clear);
  const stop = async (): Promise<void> => {
    await ended(child);
    clear();
    process.off('exit', clear);
  };
  try {
    return {
      target: {
        connection: { origin: await listening(child), timeoutMs: 5_000, maxBodyBytes: 65_536 },
        account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
        endpoints: [{ method: 'GET', path: '/public-api/v1/widgets' }],
        clock: fileClock(clockFile),
        concurrency: 4,
        maxRetryAfterMs: 0,
      },
      clockFile,
      process: child,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The environment in which libfaketime reads the file at each clock read, and does not change timers. */
function simulatedTime(library: string, clockFile: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  };
}

/** Waits for the address that Puma prints. The system chooses the port, so that no other process can take it. */
function listening(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let output = '';
    const bound = setTimeout(
      () => reject(new Error(`the provider does not listen after ${startBoundMs} ms: ${output}`)),
      startBoundMs,
    );
    child.stdout?.on('data', (text) => {
      output += text;
      const address = /Listening on (http:\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(bound);
      resolve(new URL(address));
    });
    child.once('exit', (code) => {
      clearTimeout(bound);
      reject(new Error(`the provider ended with code ${code}: ${output}`));
    });
  });
}

/** Asks the process to end, and waits for that up to a limit. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const bound = setTimeout(() => child.kill('SIGKILL'), stopBoundMs);
    child.once('exit', () => {
      clearTimeout(bound);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
