import { isObject } from '../../contract/json-value.ts';
import { masked } from '../../contract/secrets/masked.ts';
import type { Interaction } from '../pact.ts';
import { isLoose } from './expectation.ts';
import { type ExampleText, leavesOf, locationText, placesOf } from './place.ts';

/** Plain names of fields that must hold a placeholder. */
const named =
  /^x?(apikey|secretkey|(access|auth|bearer|id|refresh|session)token|token|(proxy)?authorization|session(id)?|password|(client)?secret)$/;

/** A name in lower case, without hyphens and underscores. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** Whether a field, a header or a parameter of that name holds a credential. */
export const isNamedCredential = (name: string): boolean => named.test(plain(name));

/** A placeholder of the contract, optionally after a scheme or a name. */
const placeholder = /^(?:[A-Za-z][\w.-]*[ =])?<(?:API_KEY|SECRET_KEY|ACCESS_TOKEN)>$/;

/** Values that look like real credentials. A message names their place, and never quotes them. */
export function credentials(interaction: Interaction): string[] {
  const { description, comments, providerStates, request, response } = interaction.document;
  const texts = leavesOf({
    description,
    comments,
    providerStates,
    request: withoutBody(request),
    response: withoutBody(response),
  });
  const places = placesOf(interaction);
  const suspects = [
    ...texts.map(({ path, text }) => ({
      where: locationText(path),
      text,
      digits: path[1] === 'headers' ? digitsInHeader(path[2]) : undefined,
    })),
    ...places.map((place) => ({ ...place, digits: digitsAt(place) })),
  ].filter(({ text, digits }) => looksSecret(text, digits));
  const real = namedValues(places).filter(({ text }) => looksReal(text));
  return [...new Set([...suspects, ...real].map(({ where }) => where))].map(
    (where) =>
      `${where} may be a credential: write <API_KEY>, <SECRET_KEY> or Bearer <ACCESS_TOKEN>, or words that look like none`,
  );
}

/** Random identifiers that are not secret: a ULID and an ObjectId of MongoDB, both of the years 2004 to 2038. */
const identifiers = /\b(01[0-9A-HJKMNP-TV-Z]{24}|[4-7][0-9a-f]{23})\b/g;

/** Headers of caches and of traces, whose values are often hexadecimal numbers. */
const numbered =
  /^(etag|if-(none-)?match|if-range|traceparent|b3|x-b3-.*|x-.*trace-id|.*(request|correlation)-id)$/i;

/** Plain names of fields of a body whose values are checksums. */
const checksums = /^(checksum|digest|etag|hash|md5|sha256)$/;

const digitsInHeader = (name = ''): RegExp | undefined =>
  numbered.test(name) ? /\b[0-9a-f]{16,64}\b/gi : undefined;

/** Hexadecimal numbers that are not secret at a place, if there are any. */
function digitsAt({ category, steps }: ExampleText): RegExp | undefined {
  if (category === 'header') return digitsInHeader(steps[0]);
  const isChecksum = category === 'body' && checksums.test(plain(steps.at(-1) ?? ''));
  return isChecksum ? /\b[0-9a-f]{32,128}\b/gi : undefined;
}

const shapeOfIban = /\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/g;

/** Whether the check number of an IBAN is right (ISO 7064, MOD 97-10). */
function isIban(text: string): boolean {
  const digits = [...text.slice(4), ...text.slice(0, 4)].map((sign) => Number.parseInt(sign, 36));
  return BigInt(digits.join('')) % 97n === 1n;
}

/** Whether a text, or what it encodes, looks like a key or a token. @param digits numbers in it that are no secrets */
const looksSecret = (text: string, digits?: RegExp): boolean =>
  decodingsOf(text).some((one) => {
    const known = one
      .replace(identifiers, ' ')
      .replace(shapeOfIban, (iban) => (isIban(iban) ? ' ' : iban));
    const rest = digits === undefined ? known : known.replace(digits, ' ');
    return masked(rest) !== rest;
  });

/** `placesOf` already holds the texts of a body, with base64 decoded. */
const withoutBody = (part: unknown): object => ({
  ...(isObject(part) ? part : {}),
  body: undefined,
});

/**
 * Obviously made-up values where a credential is expected. No provider accepts them in a request, or gives them in an
 * answer; an answer whose value is only an example of a type may hold one.
 */
export function madeUpCredentials(interaction: Interaction): string[] {
  const places = placesOf(interaction).filter(
    (place) => place.side === 'request' || !isLoose(place, interaction),
  );
  const madeUp = namedValues(places).filter(({ text }) => !looksReal(text) && !looksSecret(text));
  return [...new Set(madeUp.map(({ where }) => where))].map(
    (where) => `${where} is a fixed value in the place of a credential: a state gives a real one`,
  );
}

/** Values where a credential is expected that are not placeholders. */
const namedValues = (places: readonly ExampleText[]): { where: string; text: string }[] =>
  places
    .flatMap(({ where, steps, text, category }) => {
      const name = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
      const holdsPairs = /^(set-)?cookie$/i.test(name) || (category === 'body' && name === '');
      if (!holdsPairs) return [{ name, where, text }];
      return [...text.matchAll(/(?:^|[&;]\s*)([^=&;\s]+)=([^&;]*)/g)].map(
        ([, pair = '', value = '']) => ({ name: pair, where: `${where} (${pair})`, text: value }),
      );
    })
    .filter(
      ({ name, text }) =>
        isNamedCredential(name) &&
        text !== '' &&
        !decodingsOf(text).some((one) => placeholder.test(one)),
    );

/** A text unchanged, percent-decoded, and with Basic credentials decoded. */
function decodingsOf(text: string): string[] {
  const basic = /^Basic ([\w+/=-]+)$/i.exec(text)?.[1];
  return [
    text,
    ...(text.includes('%') ? [percentDecoded(text)] : []),
    ...(basic === undefined ? [] : [Buffer.from(basic, 'base64').toString()]),
  ];
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Where a credential is expected, less evidence is enough: `q7Wd3XvA` is not a word, but `not-a-token-7` consists of
 * words.
 */
const looksReal = (text: string): boolean =>
  (decodingsOf(text).at(-1) ?? '')
    .replace(/^[A-Za-z]+ +/, '')
    .split(/[^A-Za-z0-9]+/)
    .some((part) => part.length >= 8 && /\d/.test(part));
