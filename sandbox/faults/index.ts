import { bearerMutants } from './bearer.ts';
import { credentialMutants } from './credentials.ts';
import { errorMutants } from './error.ts';
import { expiryMutants } from './expiry.ts';
import type { Mutant } from './fault.ts';
import { forgeryMutants } from './forgery.ts';
import { tokenMutants } from './token.ts';
import { wayInMutants } from './ways-in.ts';

export { variants } from './variants.ts';

/** Every fault that the contract forbids, by the area of the contract. */
export const mutants: Readonly<Record<'TOKEN' | 'BEARER' | 'ERROR' | 'EXPIRY', readonly Mutant[]>> =
  {
    TOKEN: [...tokenMutants, ...credentialMutants],
    BEARER: [...bearerMutants, ...forgeryMutants, ...wayInMutants],
    ERROR: errorMutants,
    EXPIRY: expiryMutants,
  };
