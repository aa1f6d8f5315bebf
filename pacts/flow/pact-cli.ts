import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import { scratch } from '../../contract/round/scratch.ts';
import { open } from '../../contract/secrets/secret.ts';
import type { BrokerAccess } from '../../settings.ts';
import { FlowError } from './flow-error.ts';

export interface CliResult {
  readonly ok: boolean;
  /** The complete output. It holds credentials if the broker's responses repeat them. */
  readonly output: string;
}

/** A command sends a few requests, none of which has a time limit. */
const requestsAtMost = 6;

/** Pact's client retries after a 5xx response: twice, after half a second and after one second. */
const retries = 2;

/**
 * Runs a command of `pact-broker`. Its environment holds the addresses and credentials of the broker and its proxy, but
 * nothing else of this process. Credentials are not arguments, because every user of the machine can see those.
 * @param signal kills the command
 * @throws FlowError when the command does not end in time or is not installed
 * @throws the reason of the signal
 */
export function runPactCli(
  access: BrokerAccess,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CliResult> {
  const timeout = requestsAtMost * access.timeoutMs;
  const { folder, remove } = scratch('pact-cli');
  const env = { ...environmentFor(access), SSL_CERT_FILE: trustedIn(folder) };
  const options = { timeout, signal, killSignal: 'SIGKILL', env } as const;
  return new Promise((resolve, reject) => {
    execFile(program(), ['broker', ...args], options, (error, stdout, stderr) => {
      remove();
      if (signal?.aborted === true) reject(signal.reason);
      else if (error?.killed === true)
        reject(
          new FlowError(
            `the Pact Broker does not answer: pact-broker ${args[0]} was not done in time (${timeout} ms)`,
          ),
        );
      else resolve({ ok: error === null, output: `${stdout}\n${stderr}` });
    });
  });
}

/** The native program. Killing the script that wraps it would leave it running. @throws FlowError */
function program(): string {
  try {
    const [system, ending] =
      process.platform === 'win32' ? ['windows', '.exe'] : [process.platform, ''];
    const require = createRequire(import.meta.resolve('@pact-foundation/pact-cli/package.json'));
    return require.resolve(
      `@pact-foundation/pact-cli-${system}-${process.arch}/standalone/pact${ending}`,
    );
  } catch {
    throw new FlowError(
      "Pact's client of the broker is not installed: npm ci installs it, without --omit=optional",
    );
  }
}

/**
 * Pact's client trusts what this process trusts, with NODE_EXTRA_CA_CERTS. A small image has no certificates of its
 * own, and a file in SSL_CERT_FILE replaces those of the system.
 */
function trustedIn(folder: string): string {
  const file = path.join(folder, 'certificates.pem');
  writeFileSync(file, `${getCACertificates('default').join('\n')}\n`);
  return file;
}

function environmentFor({ baseUrl, credentials, proxies }: BrokerAccess): NodeJS.ProcessEnv {
  const proxy = proxies?.for(baseUrl)?.address;
  return {
    ...(proxy && { [baseUrl.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY']: open(proxy) }),
    PACT_BROKER_BASE_URL: baseUrl.href.replace(/\/$/, ''),
    PACT_BROKER_HTTP_RETRIES: String(retries),
    PACT_DO_NOT_TRACK: 'true',
    ...(credentials === undefined
      ? {}
      : 'token' in credentials
        ? { PACT_BROKER_TOKEN: open(credentials.token) }
        : {
            PACT_BROKER_USERNAME: credentials.username,
            PACT_BROKER_PASSWORD: open(credentials.password),
          }),
  };
}
