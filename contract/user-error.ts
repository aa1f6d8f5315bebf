/** A mistake of the caller. Its message says what is wrong, where, and what to do; it is shown without a stack. */
export class UserError extends Error {}

export const defective = (what: string): string =>
  `${what}\nThis is a defect of the suite, not of the provider`;
