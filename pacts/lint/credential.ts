import type { Interaction } from '../pact.ts';
import { leavesOf, locationText, placesOf } from './place.ts';

/** What keys and tokens are known by, and a password in an address. */
const shapes: readonly RegExp[] = [
  /\beyJ[\w-]{8,}\.[\w.-]{4,}/g,
  /\b[sr]k_(live|test)_\w+/g,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/g,
  /\b(gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{20,})/g,
  /\bxox[abprs]-[\w-]{10,}|\bnpm_\w{30,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*/gs,
  /\b\w+:\/\/[^\s/:@]+:[^\s/@]+@/g,
];

const fewest = 20;
/** Letters of base64, hex, or any other alphabet of tokens. */
const long = new RegExp(`[A-Za-z0-9+/_=-]{${fewest},}`, 'g');

/** Random, but no secret: it is judged as a value that is another one each time. */
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Where nothing but a placeholder may stand, without regard to case, hyphens and underscores. */
const named =
  /^x?(apikey|secretkey|(access|auth|bearer|id|refresh)token|(proxy)?authorization|cookie|password|(client)?secret)$/;

/** A placeholder of the document, also under a scheme or behind a name. */
const placeholder = /^(?:[A-Za-z][\w.-]*[ =])?<(?:API_KEY|SECRET_KEY|ACCESS_TOKEN)>$/;

/** What may be a credential is told by its place, and never quoted. */
export function credentials(interaction: Interaction): string[] {
  const { description, comments, providerStates, request, response } = interaction.document;
  const texts = leavesOf({ description, comments, providerStates, request, response });
  const places = placesOf(interaction);
  const shaped = [...texts.map(({ way, text }) => ({ where: locationText(way), text })), ...places];
  const suspects = [
    ...places.filter(({ steps, text }) => isNamed(steps) && text !== '' && !placeholder.test(text)),
    ...shaped.filter(({ text }) => covered(text) !== text),
  ];
  return [...new Set(suspects.map(({ where }) => where))].map((where) => `${where} ${remedy}`);
}

const remedy =
  'may be a credential: write <API_KEY>, <SECRET_KEY> or Bearer <ACCESS_TOKEN>, or words that look like none';

function isNamed(steps: readonly string[]): boolean {
  const name = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
  return named.test(name.toLowerCase().replace(/[-_]/g, ''));
}

/** A text without what has the shape of a key or a token, or looks like no word, path or identifier. */
export const covered = (text: string): string =>
  shapes
    .reduce((rest, shape) => rest.replace(shape, '[secret]'), text)
    .replace(long, (run) => {
      const rest = run.replace(uuid, '');
      return [rest, ...rest.split(/[/=]/)].some(looksRandom) ? '[secret]' : run;
    });

/** In a random text neighbours are often of different kinds; in words, paths and identifiers seldom. */
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
