import type { MustId } from '../../contract/clauses.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { demoFaults } from '../../sandbox/demo-faults.ts';
import { boundTokenMutants } from './bound-tokens.ts';
import { breaks } from './breaks.ts';
import { calendarMutants, timeCalendarMutants } from './calendar.ts';
import { credentialVariants, incompleteBodies, uncheckedPairs, wrongPairs } from './credentials.ts';
import { envelopeChoiceMutants } from './envelope-choice.ts';
import type { Fault, Faults, Mutant } from './fault.ts';
import { forgeryMutants } from './forgery.ts';
import { jwtForgeryMutants } from './jwt-forgery.ts';
import { jwtKeyMutants } from './jwt-keys.ts';
import { lifetimeMutants, roundingMutants, roundingVariants, wrappingMutants } from './lifetime.ts';
import { movementMutants } from './movement.ts';
import {
  credentialsAtEndpoints,
  headerNames,
  noToken,
  otherSchemes,
  tokenElsewhere,
} from './places.ts';
import { refusalMutants } from './refusals.ts';
import { rememberedMutants } from './remembered.ts';
import { reuseMutants } from './reuse.ts';
import { revivalMutants, timeRevivalMutants, timeRevivalVariants } from './revival.ts';
import { speltTimeMutants, speltTimeVariants } from './spelt-times.ts';
import { strayedMutants } from './strayed.ts';
import { cacheMutants } from './time-caches.ts';
import { renewalMutants, renewalVariants } from './time-renewal.ts';
import { tokenAnswers } from './token.ts';
import {
  tokenFormMutants,
  tokenFormVariants,
  tokenWordMutants,
  tokenWordVariants,
} from './token-forms.ts';
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

/** A list that is not yet a table. Faults for trying out are in the sandbox. */
const listed = (list: readonly Mutant[]): Faults =>
  Object.fromEntries(
    list
      .filter(({ name }) => !(name in demoFaults))
      .map(({ name, connection, oneAtATime, make }) => [
        name,
        () => ({ ...make(), breaks: breaks[name], socket: connection, alone: oneAtATime }),
      ]),
  );

/** Each table of faults. */
export const tables: readonly Faults[] = [
  demoFaults,
  tokenElsewhere,
  noToken,
  otherSchemes,
  headerNames,
  credentialsAtEndpoints,
  wrongPairs,
  uncheckedPairs,
  incompleteBodies,
  credentialVariants,
  tokenAnswers,
  listed(tokenFormMutants),
  listed(twoServerMutants('TOKEN')),
  listed(withdrawalMutants),
  listed(boundTokenMutants),
  listed(forgeryMutants),
  listed(tokenWordMutants),
  listed(tokenWrappingMutants),
  listed(speltTimeMutants),
  listed(jwtForgeryMutants),
  listed(jwtKeyMutants),
  listed(wayInMutants),
  listed(rememberedMutants),
  listed(wavedThroughMutants),
  listed(strayedMutants),
  listed(twoServerMutants('BEARER')),
  listed(refusalMutants),
  listed(envelopeChoiceMutants),
  listed(twoServerMutants('ERROR')),
  listed(lifetimeMutants),
  listed(calendarMutants),
  listed(movementMutants),
  listed(revivalMutants),
  listed(roundingMutants),
  listed(wrappingMutants),
  listed(timeCalendarMutants),
  listed(timeRevivalMutants),
  listed(renewalMutants),
  listed(cacheMutants),
  listed(reuseMutants),
  listed(uncheckedExpiryMutants),
  listed(twoServerMutants('EXPIRY')),
  listed(tokenVariants),
  listed(tokenFormVariants),
  listed(tokenWordVariants),
  listed(tokenWrappingVariants),
  listed(speltTimeVariants),
  listed(reuseVariants),
  listed(answerVariants),
  listed(refusalVariants),
  listed(transportVariants),
  listed(noiseVariants),
  listed(proxyVariants),
  listed(balancedVariants),
  listed(tokenPlaceVariants),
  listed(roundingVariants),
  listed(timeRevivalVariants),
  listed(renewalVariants),
  listed(routerVariants),
];

const areas = ['TOKEN', 'BEARER', 'ERROR', 'EXPIRY', 'VARIANT'] as const;

/** A fault by its name. */
export interface FaultCase {
  readonly name: string;
  /** That of the first clause that it violates; `VARIANT` for what the contract permits. */
  readonly area: string;
  readonly breaks: readonly MustId[];
  readonly socket: boolean;
  readonly alone: boolean;
}

/** All mutants and variants, by area. */
export const faultCases: readonly FaultCase[] = tables
  .flatMap((table) => Object.entries(table))
  .map(([name, fault]) => {
    const { breaks, socket = false, alone = false } = resolved(fault);
    const clauses = [breaks ?? []].flat();
    const area = areas.find((one) => clauses[0]?.startsWith(one)) ?? 'VARIANT';
    return { name, area, breaks: clauses, socket, alone };
  })
  .sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area));

const all: Faults = Object.assign({}, ...tables);

function resolved(fault: Faults[string]): Fault {
  return typeof fault === 'function' ? fault() : fault;
}

/** The behaviour of the sandbox with a fault switched on. @throws when there is no such fault */
export function faulty(name: string): Behaviour {
  const fault = all[name];
  if (fault === undefined) throw new Error(`tests/faults has no fault ${JSON.stringify(name)}`);
  const { breaks, socket, alone, ...behaviour } = resolved(fault);
  return { ...right, ...behaviour };
}
