import { isObject } from '../../contract/http/answer.ts';
import type { Interaction } from '../pact.ts';
import { type ExampleText, leavesOf, locationText, placesOf } from './place.ts';

/** The typical forms of keys and tokens, and of a password in a URL. The length bounds keep every search short. */
const shapes: readonly RegExp[] = [
  /\beyJ[\w-]{8,2000}\.[\w.-]{4,}/g,
  /\b[sr]k_(live|test)_\w+/g,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/g,
  /\b(gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{20,})/g,
  /\bxox[abprs]-[\w-]{10,}|\bnpm_\w{30,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*/gs,
  /\b\w+:\/\/[^\s/:@]+:[^\s/@]+@/g,
];

const fewest = 20;
/** Characters of base64, hex, or any other alphabet of tokens. */
const long = new RegExp(`[A-Za-z0-9+/_=-]{${fewest},}`, 'g');

/** Random, but not a secret. */
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The beginnings of PNG, JPEG, GIF, PDF and ZIP files in base64. */
const file = /^(iVBORw0KGgo|\/9j\/|R0lGOD|JVBERi|UEsDB)/;

/** Names of fields that must hold a placeholder, in lower case without hyphens and underscores. */
const named =
  /^x?(apikey|secretkey|(access|auth|bearer|id|refresh|session)token|token|(proxy)?authorization|session(id)?|password|(client)?secret)$/;

/** Whether a field, a header or a parameter of that name holds a credential. */
export const isNamedCredential = (name: string): boolean =>
  named.test(name.toLowerCase().replace(/[-_]/g, ''));

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
    ...texts.map(({ path, text }) => ({ where: locationText(path), text })),
    ...places,
  ].filter(({ text }) => decodingsOf(text).some((one) => masked(one) !== one));
  const real = namedValues(places).filter(({ text }) => looksReal(text));
  return [...new Set([...suspects, ...real].map(({ where }) => where))].map(
    (where) =>
      `${where} may be a credential: write <API_KEY>, <SECRET_KEY> or Bearer <ACCESS_TOKEN>, or words that look like none`,
  );
}

/** `placesOf` already holds the texts of a body, with base64 decoded. */
const withoutBody = (part: unknown): object => ({
  ...(isObject(part) ? part : {}),
  body: undefined,
});

/** Obviously made-up values where a credential is expected. No provider accepts them. */
export const madeUpCredentials = (interaction: Interaction): string[] =>
  [
    ...new Set(
      namedValues(placesOf(interaction))
        .filter(
          ({ text }) => !looksReal(text) && decodingsOf(text).every((one) => masked(one) === one),
        )
        .map(({ where }) => where),
    ),
  ].map(
    (where) => `${where} is a fixed value in the place of a credential: a state gives a real one`,
  );

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

/** Replaces the parts of a text that look like a key or a token, or are not a word, path or identifier. */
export const masked = (text: string): string =>
  shapes
    .reduce((rest, shape) => rest.replace(shape, '[secret]'), text)
    .replace(long, (run) => {
      const inside = textInBase64(run);
      if (inside !== undefined) return masked(inside) === inside ? run : '[secret]';
      const rest = run.replace(uuid, '');
      if (file.test(rest)) return run;
      return [rest, ...rest.split(/[/=]/)].some(looksRandom) ? '[secret]' : run;
    });

/** The decoded text; undefined when the run is not base64 of printable text. Random bytes almost never are. */
function textInBase64(run: string): string | undefined {
  const bytes = Buffer.from(run, 'base64');
  const text = bytes.toString();
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === run.replace(/=+$/, '');
  return isWhole && /^[\x20-\x7e\s]+$/.test(text) ? text : undefined;
}

/** Neighbouring characters often differ in kind in a random text, but rarely in words, paths and identifiers. */
function looksRandom(text: string): boolean {
  if (text.length < fewest) return false;
  if (/^[0-9a-f]+$/i.test(text)) return /\d/.test(text);
  const kinds = [...text].map((letter) =>
    /[a-z]/.test(letter) ? 'a' : /[A-Z]/.test(letter) ? 'A' : /\d/.test(letter) ? '0' : '-',
  );
  const changes = kinds.filter((kind, at) => {
    const before = kinds[at - 1] ?? '-';
    return kind !== '-' && before !== '-' && kind !== before;
  });
  // Identifiers in camel case change at each word.
  const inBothCases = kinds.includes('a') && kinds.includes('A');
  return changes.length / text.length > (inBothCases ? 0.45 : 0.25);
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
