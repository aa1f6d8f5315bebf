import * as v from 'valibot';
import { type Accepted, accepting } from './accepted.ts';

/** A consumer version selector, as the Pact Broker's API defines it. */
export type Selector = Readonly<Record<string, string | true | undefined>>;

export const recommended: readonly Selector[] = [
  { mainBranch: true },
  { matchingBranch: true },
  { deployedOrReleased: true },
];

const flags = 'mainBranch matchingBranch deployedOrReleased deployed released latest'.split(' ');
const names = 'branch fallbackBranch consumer environment tag fallbackTag'.split(' ');

/** Unknown keys are refused: a broker ignores them, and fewer pacts than intended would be verified. */
const selector = v.strictObject({
  ...v.entriesFromList(flags, v.optional(v.literal(true))),
  ...v.entriesFromList(names, v.optional(v.pipe(v.string(), v.nonEmpty()))),
});

export const versionSelectors: Accepted<readonly Selector[]> = accepting(
  `a JSON list of objects with ${[...flags, ...names].join(', ')}`,
  v.pipe(v.string(), v.parseJson(), v.array(v.pipe(selector, v.minEntries(1))), v.nonEmpty()),
);
