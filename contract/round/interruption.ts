/** The command was ended by Ctrl-C, by the CI that stops the job, or by a terminal that was closed. */
export class Interruption extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interruption';
  }
}

/**
 * Ends the round in an orderly way, so that the provider's clock is released: on a signal, or an uncaught error. A
 * second signal ends the process at once.
 */
export function endedEarly(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(interruptedCode);
      controller.abort(new Interruption());
    });
  // Loading errors before this point are printed unchanged; from here on an error may quote a secret.
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => controller.abort(error));
  return controller.signal;
}

/** The exit code of shells after Ctrl-C. */
export const interruptedCode = 130;

/**
 * Reports that a command was interrupted.
 * @param error the cause: the interruption, or that the provider's clock could not be released
 * @returns the exit code
 * @throws the error if something other than a signal ended the command
 */
export function interruptedBy(error: unknown, { reason }: AbortSignal): number {
  if (!(reason instanceof Interruption)) throw error;
  const more =
    error instanceof Interruption ? '' : `, but ${error instanceof Error && error.message}`;
  process.stderr.write(`interrupted${more}\n`);
  return interruptedCode;
}

/** Waits for work, but only until the signal aborts. */
export async function orAborted(
  signal: AbortSignal | undefined,
  work: Promise<unknown> | undefined,
): Promise<unknown> {
  if (signal === undefined) return work;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}
