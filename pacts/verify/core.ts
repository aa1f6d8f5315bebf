import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../../contract/process-output.ts';

/** A verification for Pact's core. */
export interface Job {
  readonly copy: string;
  readonly provider: string;
  /** The address to which the core sends requests: that of the relay. */
  readonly origin: string;
  /** The address at which the core requests provider states. */
  readonly states: string;
  /** The time limit of each request of the core. */
  readonly timeoutMs: number;
}

/** The core's result: JSON, or the text of an error. */
export interface CoreMessage {
  readonly results: unknown;
}

/** Pact's core in its own process. It runs one job at a time. */
export interface Core {
  /** @throws CoreEnded when the core crashes, is killed, or exceeds the limit @throws the reason of the signal */
  verify(job: Job, boundMs: number): Promise<unknown>;
  close(): void;
}

/** The core ended early. This is a defect of this suite and proves nothing about the provider. */
export class CoreEnded extends Error {
  override readonly name = 'CoreEnded';
}

const mostOutput = 64 * 1024;
/** A longer timer of Node fires at once. */
const longestTimerMs = 2 ** 31 - 1;
const program = fileURLToPath(new URL('child.ts', import.meta.url));

/**
 * Starts the core with a clean environment: without credentials, proxies or settings of Pact.
 * @param folder the core's working directory
 * @param signal kills the core
 */
export function startCore(folder: string, signal?: AbortSignal): Core {
  const child = fork(program, {
    cwd: folder,
    env: { PACT_DO_NOT_TRACK: 'true', SSL_CERT_FILE: oneCertificate(folder) },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  return new CoreProcess(child, signal);
}

class CoreProcess implements Core {
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal | undefined;
  readonly #output: () => string;
  /** How the process ended. */
  readonly #ended: Promise<string>;
  readonly #kill = (): void => {
    this.#child.kill('SIGKILL');
  };

  constructor(child: ChildProcess, signal: AbortSignal | undefined) {
    this.#child = child;
    this.#signal = signal;
    this.#output = outputOf(child, mostOutput);
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, name) => resolve(name ?? `exit code ${code}`));
      child.once('error', ({ message }) => resolve(message));
    });
    process.once('exit', this.#kill);
  }

  async verify(job: Job, boundMs: number): Promise<unknown> {
    this.#signal?.throwIfAborted();
    const answer = new Promise<CoreMessage>((resolve) => this.#child.once('message', resolve));
    let late = false;
    const bound = setTimeout(
      () => {
        late = true;
        this.#kill();
      },
      Math.min(boundMs, longestTimerMs),
    );
    // If the core has already ended, `#ended` is a better message than the error of the pipe.
    if (this.#child.connected) this.#child.send(job, () => {});
    const message = await Promise.race([answer, this.#ended]).finally(() => clearTimeout(bound));
    this.#signal?.throwIfAborted();
    if (typeof message === 'object') return message.results;
    const why = late ? `was not done after ${boundMs / 1000} s` : `has ended (${message})`;
    throw new CoreEnded(`Pact's core ${why}\n${this.#output()}`.trim());
  }

  close(): void {
    process.off('exit', this.#kill);
    this.#kill();
  }
}

/**
 * The core reads all trusted certificates of the machine before each request, which takes three quarters of its
 * time. Without any certificate it sends no request. It needs none, because it calls only the relay, over http.
 * @returns a file with one certificate
 */
function oneCertificate(folder: string): string {
  const file = path.join(folder, 'certificate.pem');
  writeFileSync(file, `${rootCertificates[0]}\n`);
  return file;
}
