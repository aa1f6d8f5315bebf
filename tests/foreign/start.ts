import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Target } from '../../contract/round/target.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { fileClock } from '../../contract/time/file-clock.ts';
import { startDaemon } from '../operations/daemon.ts';
import { fromRoot } from '../process.ts';
import { programPath } from '../programs.ts';

/** A provider in a separate process, in simulated time. */
export interface ForeignProvider extends AsyncDisposable {
  /** How to judge it; its clock is a file. */
  readonly target: Target;
  /** The file that libfaketime reads for it. */
  readonly clockFile: string;
}

/**
 * Starts the Ruby provider on a free port, under libfaketime, and waits until it listens.
 * @param mistake a mistake that `provider.rb` knows; empty for the correct provider
 * @param zone the time zone of its process; this suite uses UTC
 */
export async function startProvider(mistake = '', zone = 'UTC'): Promise<ForeignProvider> {
  let clockFile = '';
  const [apiKey, secretKey, signingKey] = [16, 24, 32].map((bytes) =>
    randomBytes(bytes).toString('base64url'),
  ) as [string, string, string];
  const daemon = await startDaemon({
    program: 'ruby',
    files: { clock: '+0\n' },
    args: () => [fromRoot('tests/foreign/provider.rb')],
    env(at, folder) {
      clockFile = path.join(folder, 'clock');
      return {
        PATH: process.env.PATH,
        LANG: 'C.UTF-8',
        PORT: at.split(':')[1],
        API_KEY: apiKey,
        SECRET_KEY: secretKey,
        SIGNING_KEY: signingKey,
        MISTAKE: mistake,
        TZ: zone,
        // Compiles what runs often: a round costs a third less processor time.
        RUBY_YJIT_ENABLE: '1',
        // libfaketime reads the file at each clock read, and does not change timers.
        LD_PRELOAD: programPath('libfaketime'),
        FAKETIME_TIMESTAMP_FILE: clockFile,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_FORCE_MONOTONIC_FIX: '0',
      };
    },
    readyWith: 'Listening on',
  });
  return {
    target: {
      connection: { origin: daemon.address, timeoutMs: 5_000, maxBodyBytes: 65_536 },
      account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
      endpoints: [{ method: 'GET', path: '/public-api/v1/widgets' }],
      clock: fileClock(clockFile),
      concurrency: 4,
      maxRetryAfterMs: 0,
    },
    clockFile,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      // libfaketime does not remove these if its process is killed.
      for (const name of [`faketime_shm_${daemon.pid}`, `sem.faketime_sem_${daemon.pid}`])
        rmSync(path.join('/dev/shm', name), { force: true });
    },
  };
}
