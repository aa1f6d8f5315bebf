import * as v from 'valibot';
import { type Accepted, accepting } from './accepted.ts';

/** A consumer version selector, as the Pact Broker's API defines it. */
export type Selector = Readonly<Record<string, string | true>>;

export const recommended: readonly Selector[] = [
  { mainBranch: true },
  { matchingBranch: true },
  { deployedOrReleased: true },
];

const keys = {
  ...v.entriesFromList(
    ['mainBranch', 'matchingBranch', 'deployedOrReleased', 'deployed', 'released', 'latest'],
    v.optional(v.literal(true)),
  ),
  ...v.entriesFromList(
    ['branch', 'fallbackBranch', 'consumer', 'environment', 'tag', 'fallbackTag'],
    v.optional(v.pipe(v.string(), v.nonEmpty())),
  ),
};

/** Unknown keys are refused: a broker ignores them, and fewer pacts than intended would be verified. */
export const versionSelectors: Accepted<readonly Selector[]> = accepting(
  `a JSON list of objects with ${Object.keys(keys).join(', ')}`,
  v.pipe(
    v.string(),
    v.parseJson(),
    v.array(v.pipe(v.strictObject(keys), v.minEntries(1))),
    v.nonEmpty(),
  ),
);
