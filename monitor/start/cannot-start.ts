import { UserError } from '../../contract/user-error.ts';

/** The monitor cannot start, with the reason: lines that say what to do. */
export class CannotStart extends UserError {}
