import { type Behaviour, right } from '../behaviour.ts';
import { bodyMutants } from './bodies.ts';
import { boundTokenMutants } from './bound-tokens.ts';
import { calendarMutants, timeCalendarMutants } from './calendar.ts';
import { credentialFormMutants, credentialFormVariants } from './credential-forms.ts';
import { renewalByTokenMutants } from './credential-places.ts';
import { credentialMutants } from './credentials.ts';
import { envelopeChoiceMutants } from './envelope-choice.ts';
import type { Mutant, Variant } from './fault.ts';
import { forgeryMutants } from './forgery.ts';
import { jwtForgeryMutants } from './jwt-forgery.ts';
import { jwtKeyMutants } from './jwt-keys.ts';
import { lifetimeMutants, roundingMutants, roundingVariants, wrappingMutants } from './lifetime.ts';
import { movementMutants } from './movement.ts';
import { placeMutants, schemeMutants } from './places.ts';
import { refusalMutants } from './refusals.ts';
import { rememberedMutants } from './remembered.ts';
import { reuseMutants } from './reuse.ts';
import { revivalMutants, timeRevivalMutants, timeRevivalVariants } from './revival.ts';
import { speltTimeMutants, speltTimeVariants } from './spelt-times.ts';
import { strayedMutants } from './strayed.ts';
import { cacheMutants } from './time-caches.ts';
import { renewalMutants, renewalVariants } from './time-renewal.ts';
import { tokenMutants } from './token.ts';
import {
  tokenFormMutants,
  tokenFormVariants,
  tokenWordMutants,
  tokenWordVariants,
} from './token-forms.ts';
import { tokenPlaceMutants } from './token-places.ts';
import { tokenWrappingMutants, tokenWrappingVariants } from './token-wrapping.ts';
import { twoServerMutants } from './two-servers.ts';
import { uncheckedExpiryMutants } from './unchecked-expiry.ts';
import { answerVariants } from './variants/answers.ts';
import { balancedVariants } from './variants/balanced.ts';
import { noiseVariants } from './variants/noise.ts';
import { proxyVariants } from './variants/proxies.ts';
import { refusalVariants } from './variants/refusals.ts';
import { reuseVariants } from './variants/reuse.ts';
import { routerVariants } from './variants/routers.ts';
import { tokenPlaceVariants } from './variants/token-places.ts';
import { tokenVariants } from './variants/tokens.ts';
import { transportVariants } from './variants/transport.ts';
import { wavedThroughMutants } from './waved-through.ts';
import { wayInMutants } from './ways-in.ts';
import { withdrawalMutants } from './withdrawal.ts';

/** Every fault, by the violated area of the contract. */
export const mutants: Readonly<Record<'TOKEN' | 'BEARER' | 'ERROR' | 'EXPIRY', readonly Mutant[]>> =
  {
    TOKEN: [
      ...tokenMutants,
      ...tokenFormMutants,
      ...credentialMutants,
      ...credentialFormMutants,
      ...renewalByTokenMutants,
      ...bodyMutants,
      ...twoServerMutants('TOKEN'),
    ],
    BEARER: [
      ...withdrawalMutants,
      ...boundTokenMutants,
      ...placeMutants,
      ...schemeMutants,
      ...tokenPlaceMutants,
      ...forgeryMutants,
      ...tokenWordMutants,
      ...tokenWrappingMutants,
      ...speltTimeMutants,
      ...jwtForgeryMutants,
      ...jwtKeyMutants,
      ...wayInMutants,
      ...rememberedMutants,
      ...wavedThroughMutants,
      ...strayedMutants,
      ...twoServerMutants('BEARER'),
    ],
    ERROR: [...refusalMutants, ...envelopeChoiceMutants, ...twoServerMutants('ERROR')],
    EXPIRY: [
      ...lifetimeMutants,
      ...calendarMutants,
      ...movementMutants,
      ...revivalMutants,
      ...roundingMutants,
      ...wrappingMutants,
      ...timeCalendarMutants,
      ...timeRevivalMutants,
      ...renewalMutants,
      ...cacheMutants,
      ...reuseMutants,
      ...uncheckedExpiryMutants,
      ...twoServerMutants('EXPIRY'),
    ],
  };

/** Every difference that the contract permits. */
export const variants: readonly Variant[] = [
  ...tokenVariants,
  ...tokenFormVariants,
  ...tokenWordVariants,
  ...tokenWrappingVariants,
  ...speltTimeVariants,
  ...reuseVariants,
  ...answerVariants,
  ...refusalVariants,
  ...credentialFormVariants,
  ...transportVariants,
  ...noiseVariants,
  ...proxyVariants,
  ...balancedVariants,
  ...tokenPlaceVariants,
  ...roundingVariants,
  ...timeRevivalVariants,
  ...renewalVariants,
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
  if (fault === undefined)
    throw new Error(
      `unknown fault ${JSON.stringify(name)}: npm run sandbox -- --faults lists all faults`,
    );
  return { ...right, ...fault.make() };
}
