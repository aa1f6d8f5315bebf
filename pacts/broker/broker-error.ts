import { UserError } from '../../contract/user-error.ts';

/** A request that cannot be fulfilled: one line with the reason, and what to do. */
export class BrokerError extends UserError {
  override readonly name = 'BrokerError';
}
