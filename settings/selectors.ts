import { parsedJson } from '../contract/json-value.ts';
import { type Accepted, NotAccepted } from './accepted.ts';

/** A consumer version selector, as the Pact Broker's API defines it. */
export type Selector = Readonly<Record<string, string | boolean>>;

export const recommendedSelectors =
  '[{"mainBranch":true},{"matchingBranch":true},{"deployedOrReleased":true}]';

const texts = ['branch', 'fallbackBranch', 'consumer', 'environment', 'tag', 'fallbackTag'];
const facts = [
  'mainBranch',
  'matchingBranch',
  'deployedOrReleased',
  'deployed',
  'released',
  'latest',
];

/** Unknown keys are refused: a broker ignores them, and fewer pacts than intended would be verified. */
export const versionSelectors: Accepted<readonly Selector[]> = {
  words: `a JSON list of objects with ${[...facts, ...texts].join(', ')}`,
  read(text) {
    const list = parsedJson(text);
    if (!Array.isArray(list) || list.length === 0) throw new NotAccepted('is', text);
    return list.map((one: unknown) => selectorOf(one));
  },
};

function selectorOf(value: unknown): Selector {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    throw new NotAccepted('has a selector that is no object:', JSON.stringify(value));
  for (const [key, inside] of Object.entries(value)) {
    if (!facts.includes(key) && !texts.includes(key))
      throw new NotAccepted('has an unknown key in', JSON.stringify(value));
    if (facts.includes(key) ? inside !== true : typeof inside !== 'string' || inside === '')
      throw new NotAccepted(`has a wrong "${key}" in`, JSON.stringify(value));
  }
  return { ...value };
}
