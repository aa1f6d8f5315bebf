import { tokenPath } from '../../contract/http/request.ts';
import { field } from '../../contract/json-value.ts';
import type { Interaction } from '../pact.ts';
import { type Attachment, type ExampleText, isAbout, matchersOf, placesOf } from './place.ts';

/** The matching rules about the status of the answer. */
const rulesOf = (interaction: Interaction): unknown[] =>
  matchersOf(interaction, 'response')
    .filter(({ category }) => category === 'status')
    .map(({ document }) => document);

/** Other rules, such as `type`, match every status. */
const exact: ReadonlySet<unknown> = new Set(['statusCode', 'status-code', 'equality']);

/** A status that may have any value is not an expectation. */
export const anyStatuses = (interaction: Interaction): string[] =>
  rulesOf(interaction).some((rule) => !exact.has(field(rule, 'match')))
    ? ['response.matchingRules lets any status be right: name one, or use statusCode']
    : [];

/**
 * Whether the interaction accepts a 401, perhaps among other statuses. Then a control must show that the token causes
 * it. The token endpoint needs no control: a run begins only after that endpoint has accepted valid credentials.
 * @param path the requested path, if it is not the example
 */
export const acceptsRefusal = (interaction: Interaction, path = interaction.path): boolean =>
  path !== tokenPath && acceptsStatus(interaction, 401);

/** Whether a status is that of the example, or one of a rule for statuses. */
export const acceptsStatus = (interaction: Interaction, wanted: number): boolean =>
  interaction.status === wanted ||
  rulesOf(interaction).some((rule) => {
    const status = field(rule, 'status');
    if (Array.isArray(status)) return status.includes(wanted);
    const [from, to] = classes[String(status)] ?? [];
    return from !== undefined && to !== undefined && from <= wanted && wanted <= to;
  });

/** The classes of statuses that may mean a refusal or an outage. */
const classes: Readonly<Record<string, readonly [from: number, to: number]>> = {
  clientError: [400, 499],
  serverError: [500, 599],
  error: [400, 599],
};

/**
 * Response headers that do not reach Pact's core: hop-by-hop headers (RFC 9110 7.6.1), and headers that are wrong
 * after the body was decoded.
 */
export const aboutTransfer =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(encoding|length|md5)|.*digest)$/i;

/** Finds expectations about such headers, which no provider can meet. */
export const transferHeaders = (interaction: Interaction): string[] => {
  const names = placesOf(interaction)
    .filter(({ side, category }) => side === 'response' && category === 'header')
    .map(({ steps }) => steps[0] ?? '');
  return [...new Set(names)]
    .filter((name) => aboutTransfer.test(name))
    .map((name) => `response.headers.${name} is about the transfer, not the answer: leave it out`);
};

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

/** The matching rules about a response, those with the longest paths first. A list may have one for each member. */
const nearestFirst = new WeakMap<Interaction, Attachment[]>();

function responseRules(interaction: Interaction): Attachment[] {
  const known = nearestFirst.get(interaction);
  if (known !== undefined) return known;
  const sorted = matchersOf(interaction, 'response').sort(
    (one, other) => other.steps.length - one.steps.length,
  );
  nearestFirst.set(interaction, sorted);
  return sorted;
}

/** Whether the rule nearest to a place in the response is not an equality rule. */
export function isLoose(place: ExampleText, interaction: Interaction): boolean {
  const nearest = responseRules(interaction).find((one) => isAbout(one, place, 'inside'));
  return nearest !== undefined && field(nearest.document, 'match') !== 'equality';
}
