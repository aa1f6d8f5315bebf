/** What was asked cannot be done: one line that says why, and what to do. */
export class FlowError extends Error {
  override readonly name = 'FlowError';
}
