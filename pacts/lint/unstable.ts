import { field } from '../../contract/http/answer.ts';
import type { Interaction } from '../pact.ts';
import { isAbout, matchersOf } from './attachment.ts';
import { type ExampleText, placesOf } from './place.ts';

/** Values that are right only for a while, or on one machine. */
const unstable: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a UUID', /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i],
  ['a date', /\b\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])(?!\d)|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d/],
  ['a time of day', /(?<![\d:])([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?(?![\d:])/],
  ['an address', /\b[a-z][a-z\d+.-]{0,30}:\/\/|\b\d{1,3}(\.\d{1,3}){3}\b|\blocalhost\b/i],
  [
    'the name of a host',
    /\b[a-z\d-]{1,63}\.(com|net|org|io|dev|app|cloud|example|test|local|internal|invalid)\b/i,
  ],
];

/** A provider rarely returns these values twice. In a request they are harmless, because they are constant. */
export const unstableValues = (interaction: Interaction): string[] =>
  placesOf(interaction)
    .filter((place) => place.side === 'response' && !isLoose(place, interaction))
    .flatMap(({ where, text }) => {
      const what = unstable.find(([, shape]) => shape.test(text))?.[0];
      return what === undefined
        ? []
        : [`${where} has ${what}: match its type or its form instead of the value`];
    });

/** Whether the rule nearest to a place in the response is not an equality rule. */
export function isLoose(place: ExampleText, interaction: Interaction): boolean {
  const [nearest] = matchersOf(interaction, 'response')
    .filter((one) => isAbout(one, place, 'inside'))
    .sort((one, other) => other.steps.length - one.steps.length);
  return nearest !== undefined && field(nearest.document, 'match') !== 'equality';
}
