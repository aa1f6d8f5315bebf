import { type Behaviour, right } from '../behaviour.ts';
import { bodyMutants } from './bodies.ts';
import { calendarMutants } from './calendar.ts';
import { credentialMutants } from './credentials.ts';
import { envelopeMutants } from './envelopes.ts';
import type { Mutant, Variant } from './fault.ts';
import { forgeryMutants } from './forgery.ts';
import { lifetimeMutants } from './lifetime.ts';
import { messageMutants } from './messages.ts';
import { movementMutants } from './movement.ts';
import { placeMutants } from './places.ts';
import { revivalMutants } from './revival.ts';
import { schemeMutants } from './schemes.ts';
import { statusMutants } from './statuses.ts';
import { strayedMutants } from './strayed.ts';
import { tokenMutants } from './token.ts';
import { answerVariants } from './variants/answers.ts';
import { routerVariants } from './variants/routers.ts';
import { tokenVariants } from './variants/tokens.ts';
import { transportVariants } from './variants/transport.ts';
import { wavedThroughMutants } from './waved-through.ts';
import { wayInMutants } from './ways-in.ts';
import { withdrawalMutants } from './withdrawal.ts';

/** Every fault that the contract forbids, by the area of the contract. */
export const mutants: Readonly<Record<'TOKEN' | 'BEARER' | 'ERROR' | 'EXPIRY', readonly Mutant[]>> =
  {
    TOKEN: [...tokenMutants, ...credentialMutants, ...bodyMutants],
    BEARER: [
      ...withdrawalMutants,
      ...placeMutants,
      ...schemeMutants,
      ...forgeryMutants,
      ...wayInMutants,
      ...wavedThroughMutants,
      ...strayedMutants,
    ],
    ERROR: [...statusMutants, ...envelopeMutants, ...messageMutants],
    EXPIRY: [...lifetimeMutants, ...calendarMutants, ...movementMutants, ...revivalMutants],
  };

/** Every difference that the document allows. */
export const variants: readonly Variant[] = [
  ...tokenVariants,
  ...answerVariants,
  ...transportVariants,
  ...routerVariants,
];

/** Mutants and variants alike. */
export const faults: readonly (Mutant | Variant)[] = [
  ...Object.values(mutants).flat(),
  ...variants,
];

/** The behaviour of the sandbox with a fault switched on. @throws when there is no such fault */
export function faulty(name: string): Behaviour {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no fault ${JSON.stringify(name)}, see --faults`);
  return { ...right, ...fault.make(right) };
}
