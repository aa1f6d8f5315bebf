import { UserError } from '../../contract/user-error.ts';
/** What was asked cannot be done: one line that says why, and what to do. */
export class FlowError extends UserError {
  override readonly name = 'FlowError';
}
