import { type CallOptions, type Endpoint, prefix } from '../http/request.ts';
import type { Bypass } from './bypass.ts';
import { methods, neighbours, openWords, slashes, spellings } from './guesses.ts';
import type { HeaderFamily } from './header-guesses.ts';

/**
 * Other spellings of a path that a lenient router treats as the same, or that a proxy, cache or file server
 * treats specially. All of them stay below the prefix (VERSION-1), and keep the query.
 */
export function pathVariants(endpoint: string): string[] {
  const [path = ''] = endpoint.split('?');
  const rest = path.slice(prefix.length);
  const inner = rest.includes('/')
    ? slashes.map((slash) => prefix + rest.replaceAll('/', () => slash))
    : [];
  return [
    ...new Set([...filled(spellings, endpoint), ...inner.map((one) => withQueryOf(one, endpoint))]),
  ].filter((other) => other !== endpoint);
}

/** Neighbouring paths that a lenient router treats as the endpoint's, and where another resource may be. */
export const neighbouringPaths = (endpoint: string): string[] => filled(neighbours, endpoint);

function filled(templates: readonly string[], endpoint: string): string[] {
  const [path = ''] = endpoint.split('?');
  const parts = partsOf(path, path.slice(prefix.length));
  return templates.map((template) =>
    withQueryOf(
      template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? ''),
      endpoint,
    ),
  );
}

/** Another path with the query of the endpoint. */
function withQueryOf(other: string, endpoint: string): string {
  const [, query] = endpoint.split(/\?(.*)/s);
  return query === undefined ? other : `${other}${other.includes('?') ? '&' : '?'}${query}`;
}

/** The values of the placeholders in a spelling: the path, its part below the prefix, that part in other encodings. */
function partsOf(path: string, rest: string): Readonly<Record<string, string>> {
  const [first = '', ...more] = rest;
  const tail = more.join('');
  const code = first.charCodeAt(0);
  const hex = (octet: number): string => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  const words = openWords.split(' ');
  return {
    in: prefix,
    path,
    rest,
    REST: rest.toUpperCase(),
    Rest: first.toUpperCase() + tail,
    encoded: hex(code) + tail,
    every: rest.replace(/[A-Za-z]/g, (letter) => hex(letter.charCodeAt(0))),
    twice: `%25${hex(code).slice(1)}${tail}`,
    // Two octets for a character that needs one: RFC 3629 forbids it, and old decoders accept it.
    overlong: `${hex(0xc0 | (code >> 6))}${hex(0x80 | (code & 0x3f))}${tail}`,
    // The letter's full-width form, which compatibility normalisation (NFKC) turns into the letter.
    wide: encodeURIComponent(String.fromCharCode(code + 0xfee0)) + tail,
    words: words.map((word) => `${word}/../`).join(''),
    list: words.join('/'),
  };
}

/** Other methods than the endpoint's own, and its own in lower case. */
export function otherMethods(own: string): string[] {
  const others = methods.split(' ').filter((method) => method !== own);
  // HEAD shows only a type and a length, and their expected values are known only for GET.
  return [...others.filter((method) => method !== 'HEAD' || own === 'GET'), own.toLowerCase()];
}

/** A guess about what a guard relies on: a header, or a query parameter. */
export type BypassGuess = HeaderGuess | { readonly parameter: string };

interface HeaderGuess {
  readonly header: readonly [name: string, value: string];
}

/** Every name of a list with a value, as headers. */
export const headers = (names: string, value: string): HeaderGuess[] =>
  names.split(/\s+/).map((name) => ({ header: [name, value] }));

/** Each entry of a list as a parameter. */
export const parameters = (names: string, value = ''): BypassGuess[] =>
  names.split(/\s+/).map((name) => ({ parameter: `${name}${value}` }));

/** A proxy may limit a request to a hundred headers, and to 4,096 characters. */
const mostHeaders = 64;

/**
 * Distributes headers over few requests of about the same size, each name once in a request.
 * @param without names, in lower case, that belong to the endpoint
 */
export function packed(
  families: readonly HeaderFamily[],
  without: ReadonlySet<string>,
): BypassGuess[][] {
  const guesses = families
    .flatMap(([names, values]) => values.flatMap((value) => headers(names, value)))
    .filter(({ header: [name] }) => !without.has(name.toLowerCase()));
  const longest = Math.max(...families.map(([, values]) => values.length));
  const least = Math.max(longest, Math.ceil(guesses.length / mostHeaders));
  const requests = Array.from({ length: least }, () => new Map<string, BypassGuess>());
  for (const guess of guesses) {
    const name = guess.header[0].toLowerCase();
    const [smallest] = requests.filter((one) => !one.has(name)).sort((a, b) => a.size - b.size);
    smallest?.set(name, guess);
  }
  return requests.map((one) => [...one.values()]).filter(({ length }) => length > 0);
}

/** Combines guesses. They are split while a combination gets another answer than a plain request. */
export function guessing(
  guesses: readonly BypassGuess[],
  base: Pick<Bypass, 'reason' | 'preflight'> & Partial<Pick<Bypass, 'options'>>,
): Bypass {
  const middle = Math.ceil(guesses.length / 2);
  const { reason, options = () => ({}), ...more } = base;
  return {
    ...more,
    ordinary: base.options === undefined ? true : undefined,
    reason: `${reason} ${guesses.map(shown).join(', ')}`,
    options: (endpoint) => withGuesses(options(endpoint), guesses, endpoint),
    halves:
      guesses.length < 2
        ? undefined
        : () =>
            [guesses.slice(0, middle), guesses.slice(middle)].map((half) => guessing(half, base)),
  };
}

const shown = (guess: BypassGuess): string =>
  'header' in guess ? `${guess.header[0]}: ${guess.header[1]}` : `?${guess.parameter}`;

function withGuesses(
  options: CallOptions,
  guesses: readonly BypassGuess[],
  { path: own }: Endpoint,
): CallOptions {
  const { path = own } = options;
  const query = guesses.flatMap((guess) => ('parameter' in guess ? [guess.parameter] : []));
  return {
    ...options,
    path: query.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers: {
      ...options.headers,
      ...Object.fromEntries(guesses.flatMap((guess) => ('header' in guess ? [guess.header] : []))),
    },
  };
}
