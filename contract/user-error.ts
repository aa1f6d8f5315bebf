/** A mistake of the caller. Its message says what is wrong, where, and what to do; it is shown without a stack. */
export class UserError extends Error {}

/** The printed text of an error, and the exit code: 2 for a mistake of the caller, 3 for a defect of ours. */
export function endOf(error: unknown): { readonly text: string; readonly exit: 2 | 3 } {
  if (error instanceof UserError) return { text: error.message, exit: 2 };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: defective(stack), exit: 3 };
}

export const defective = (what: string): string =>
  `${what}\nThis is a defect of the suite, not of the provider`;
