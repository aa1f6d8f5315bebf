import type { MustId } from '../../contract/clauses.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { demoFaults } from '../../sandbox/demo-faults.ts';
import { boundTokenMutants } from './bound-tokens.ts';
import { breaks } from './breaks.ts';
import { calendarFaults } from './calendar.ts';
import { credentialVariants, incompleteBodies, uncheckedPairs, wrongPairs } from './credentials.ts';
import type { Fault, Faults, Mutant } from './fault.ts';
import { forgeryMutants } from './forgery.ts';
import { jwtForgeryMutants } from './jwt-forgery.ts';
import { jwtKeyMutants } from './jwt-keys.ts';
import { lifetimeFaults, roundingFaults, uncheckedFaults, wrappingFaults } from './lifetime.ts';
import { movementFaults } from './movement.ts';
import {
  credentialsAtEndpoints,
  headerNames,
  noToken,
  otherSchemes,
  tokenElsewhere,
} from './places.ts';
import {
  crashFaults,
  differenceFaults,
  envelopeFaults,
  messageFaults,
  refusalFaults,
  statusFaults,
} from './refusals.ts';
import { rememberedMutants } from './remembered.ts';
import { reuseFaults } from './reuse.ts';
import { renewalFaults, revivalFaults } from './revival.ts';
import { speltTimeMutants, speltTimeVariants } from './spelt-times.ts';
import { tokenAnswers } from './token.ts';
import {
  tokenFormMutants,
  tokenFormVariants,
  tokenWordMutants,
  tokenWordVariants,
} from './token-forms.ts';
import { tokenWrappingMutants, tokenWrappingVariants } from './token-wrapping.ts';
import { balancedVariants, twoServerFaults } from './two-servers.ts';
import { answerVariants, denialVariants } from './variants/answers.ts';
import { noiseVariants } from './variants/noise.ts';
import { reuseVariants } from './variants/reuse.ts';
import { tokenPlaceVariants } from './variants/token-places.ts';
import { tokenVariants } from './variants/tokens.ts';
import { proxyVariants, routerVariants, transportVariants } from './variants/transport.ts';
import { halfGuardedFaults, spellingFaults, trustFaults, wayInFaults } from './ways-in.ts';
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
  listed(withdrawalMutants),
  listed(boundTokenMutants),
  listed(forgeryMutants),
  listed(tokenWordMutants),
  listed(tokenWrappingMutants),
  listed(speltTimeMutants),
  listed(jwtForgeryMutants),
  listed(jwtKeyMutants),
  listed(rememberedMutants),
  wayInFaults,
  trustFaults,
  spellingFaults,
  halfGuardedFaults,
  refusalFaults,
  statusFaults,
  envelopeFaults,
  messageFaults,
  crashFaults,
  differenceFaults,
  lifetimeFaults,
  uncheckedFaults,
  roundingFaults,
  wrappingFaults,
  calendarFaults,
  movementFaults,
  revivalFaults,
  renewalFaults,
  reuseFaults,
  balancedVariants,
  twoServerFaults,
  answerVariants,
  denialVariants,
  transportVariants,
  routerVariants,
  proxyVariants,
  noiseVariants,
  listed(tokenVariants),
  listed(tokenFormVariants),
  listed(tokenWordVariants),
  listed(tokenWrappingVariants),
  listed(speltTimeVariants),
  listed(reuseVariants),
  listed(tokenPlaceVariants),
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
