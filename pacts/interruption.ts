import { interruptedCode } from '../contract/command.ts';

const interruption = new Error('interrupted');

/** Aborts on a signal, so that the provider's clock is released. A second signal exits at once. */
export function endedEarly(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(interruptedCode);
      controller.abort(interruption);
    });
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
