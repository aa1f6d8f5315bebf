import { once } from 'node:events';

/** The exit code of shells after Ctrl-C. */
export const interruptedCode = 130;

/** Ctrl-C, the CI that stops the job, or a terminal that was closed has ended the command. */
const interruption = new Error('interrupted');

/**
 * Aborts on a signal or an uncaught error, so that the provider's clock is released. A second signal ends the process
 * at once.
 */
export function endedEarly(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(interruptedCode);
      controller.abort(interruption);
    });
  // Errors of loading were printed unchanged. From here on an error may quote a secret.
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => controller.abort(error));
  return controller.signal;
}

/**
 * Reports that a signal has ended a command. @returns the exit code
 * @param error the interruption, or why the provider's clock could not be released
 * @throws the error if something else has ended the command
 */
export function interruptedBy(error: unknown, { reason }: AbortSignal): number {
  if (reason !== interruption) throw error;
  const isMore = error instanceof Error && error !== interruption;
  process.stderr.write(`interrupted${isMore ? `, but ${error.message}` : ''}\n`);
  return interruptedCode;
}

/** Waits for work, but only until the signal aborts: then the work may never end. */
export const orAborted = (signal: AbortSignal, work: Promise<void>): Promise<void> =>
  Promise.race([work, once(signal, 'abort').then(() => signal.throwIfAborted())]);
