import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { scratch } from '../../contract/command.ts';
import type { Relay } from './relay.ts';

export type Core = ReturnType<typeof startCore>;

/** Options of pact-core's `verifyPacts`. */
const constant = {
  providerStatesSetupBody: true,
  providerStatesSetupTeardown: true,
  followRedirects: false,
  logLevel: 'error',
};

const program = fileURLToPath(new URL('child.ts', import.meta.url));

/**
 * Starts Pact's core in its own process. It runs one job at a time. It gets the values of states, but no variable of
 * this process: neither credentials nor proxies nor filters of Pact. Its output, what it sends, is thrown away.
 * @param signal kills the core
 */
export function startCore(signal?: AbortSignal) {
  const { folder, remove } = scratch('pacts');
  // The core reads all trusted certificates before each request, which takes most of its time, and without any it sends
  // none. It needs none, because it calls only the relay, over http.
  const certificate = path.join(folder, 'certificate.pem');
  writeFileSync(certificate, `${rootCertificates[0]}\n`);
  const child = fork(program, {
    cwd: folder,
    env: { PACT_DO_NOT_TRACK: 'true', SSL_CERT_FILE: certificate },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, name) =>
      reject(new Error(`Pact's core has ended (${name ?? `exit code ${code}`})`)),
    );
  });
  ended.catch(() => {});
  const close = (): void => {
    child.kill('SIGKILL');
    remove();
  };
  return {
    /**
     * @param pact its text
     * @returns the core's results as JSON, or the text of its error
     * @throws when the core crashes, is killed or exceeds the limit: a defect of this suite
     */
    async verify(
      pact: string,
      { origin, states }: Pick<Relay, 'origin' | 'states'>,
      boundMs: number,
    ): Promise<string> {
      const copy = path.join(folder, 'pact.json');
      writeFileSync(copy, pact);
      const options = { ...constant, pactUrls: [copy], providerBaseUrl: origin, timeout: boundMs };
      const answer = new Promise<string>((resolve) => child.once('message', resolve));
      // A longer timer of Node fires at once.
      const bound = setTimeout(close, Math.min(boundMs, 2 ** 31 - 1));
      // If the core has already ended, that is a better message than the error of the pipe.
      if (child.connected) child.send({ ...options, providerStatesSetupUrl: states }, () => {});
      return Promise.race([answer, ended]).finally(() => clearTimeout(bound));
    },
    close,
  };
}
