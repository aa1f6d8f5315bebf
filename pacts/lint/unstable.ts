import { field } from '../../contract/http/answer.ts';
import type { Interaction } from '../pact.ts';
import { isAbout, matchersOf } from './attachment.ts';
import { type ExampleText, placesOf } from './place.ts';

/** What is true for a while only, or of one machine. */
const unstable: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a UUID', /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i],
  ['a date', /\b\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])(?!\d)|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d/],
  ['a time of day', /(?<![\d:])([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?(?![\d:])/],
  ['an address', /\b[a-z][a-z\d+.-]*:\/\/|\b\d{1,3}(\.\d{1,3}){3}\b|\blocalhost\b/i],
  [
    'the name of a host',
    /\b([a-z\d-]{1,63}\.)+(com|net|org|io|dev|app|cloud|example|test|local|internal|invalid)\b/i,
  ],
];

/**
 * Examples are sent, or compared, as they stand. In an answer a matching rule may say what a value looks like; in a
 * request it would say so to the consumer's own test alone.
 */
export const unstableValues = (interaction: Interaction): string[] =>
  placesOf(interaction).flatMap((place) => {
    const what = unstable.find(([, shape]) => shape.test(place.text))?.[0];
    if (what === undefined || isLoose(place, interaction)) return [];
    const remedy =
      place.side === 'request'
        ? 'write one that is true everywhere and always'
        : 'match its type or its form instead of the value';
    return [`${place.where} has ${what}: ${remedy}`];
  });

/** Whether the rule nearest to a place of an answer compares it other than by equality. */
export function isLoose(place: ExampleText, interaction: Interaction): boolean {
  const [nearest] = matchersOf(interaction, 'response')
    .filter((one) => isAbout(one, place, 'inside'))
    .sort((one, other) => other.steps.length - one.steps.length);
  return nearest !== undefined && field(nearest.document, 'match') !== 'equality';
}
