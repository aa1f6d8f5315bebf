/** Somebody ended the gate: Ctrl-C, or whoever stops the job. */
export class Interruption extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interruption';
  }
}

/**
 * Ends the round in order, so that the provider's clock is let go: by the first signal, or by an error that nobody has
 * caught. The second of either ends the process at once.
 */
export function endedEarly(): AbortSignal {
  const controller = new AbortController();
  const end = (reason: Error, code: number): void => {
    if (controller.signal.aborted) process.exit(code);
    controller.abort(reason);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => end(new Interruption(), interruptedCode));
  process.on('uncaughtException', (error) => end(error, 3));
  return controller.signal;
}

export const interruptedCode = 130;
