import { type Body, type CallOptions, type Endpoint, prefix } from '../http/request.ts';
import { isObject } from '../json-value.ts';
import { joinParts, type Secret, seal } from '../secrets/secret.ts';

/** A part of a request in which servers look for tokens and keys. */
export type Part = 'header' | 'path' | 'query' | 'cookie' | 'json' | 'form' | 'multipart';

/** A text in a request. Text that is not secret is the same in every guess, such as `Upgrade: websocket`. */
export interface Item {
  readonly part: Part;
  /** In JSON a dot means a nested object: `data.accessToken`. In a path it is a pattern: see `pathPatterns`. */
  readonly name: string;
  readonly value: Secret | string;
}

/** A place where a server may look for a token or a key, although it must not. */
export interface Guess<From> {
  /** What a finding says: `the token is in the header X-Token`. */
  readonly reason: string;
  readonly put: (from: From) => readonly Item[];
  /** An ordinary request, whose refusal is judged completely: it is sent alone. */
  readonly plain?: true;
  /** How often it is sent, alone in its request: one of several servers may behave differently. */
  readonly times?: number;
}

/** One request with all of these guesses. JSON and form fields are added to the endpoint's own. */
export function optionsOf<From>(
  guesses: readonly Guess<From>[],
  from: From,
  to: Endpoint,
): CallOptions {
  return optionsWith(itemsOf(guesses, from), to);
}

export function optionsWith(items: readonly Item[], to: Endpoint): CallOptions {
  const of = (part: Part): Item[] => items.filter((item) => item.part === part);
  const query = of('query');
  const cookies = of('cookie');
  const [path] = of('path');
  const headers = Object.fromEntries(of('header').map(({ name, value }) => [name, value]));
  if (cookies.length > 0) headers.Cookie = joined(cookies.map(pair), '; ');
  const body = bodyOf(of('json'), of('form'), of('multipart'), to.body);
  return {
    headers,
    ...(path === undefined ? {} : { secretPath: pathWith(path, to) }),
    ...(query.length === 0 ? {} : { query: joined(query.map(encodedPair), '&') }),
    body,
  };
}

/** The items of several guesses, each once. */
export function itemsOf<From>(guesses: readonly Guess<From>[], from: From): Item[] {
  const items = guesses.flatMap(({ put }) => put(from));
  return [...new Map(items.map((item) => [`${item.part} ${item.name}`, item])).values()];
}

/** The same items, with a note instead of each secret. */
export const withoutSecrets = (items: readonly Item[]): Item[] =>
  items.map((item) =>
    typeof item.value === 'string'
      ? item
      : {
          part: item.part,
          name: item.part === 'path' ? item.name : 'note',
          value: isBlankCookie(item) ? 'Bearer 1' : '1',
        },
  );

/** Whether it is a cookie with a blank, for which strict servers refuse a request (RFC 6265 4.1.1). */
const isBlankCookie = ({ part, value }: Item): boolean =>
  part === 'cookie' && typeof value !== 'string' && value.is((text) => text.includes(' '));

/**
 * Whether an item determines the kind of its request: text that is not secret, the path, and the Authorization
 * header.
 */
const isOwnKind = ({ part, name, value }: Item): boolean =>
  typeof value === 'string' || part === 'path' || (part === 'header' && name === 'Authorization');

/**
 * The kind of a request with these items: its parts, its text that is not secret, its path, whether it uses
 * Authorization, and whether a cookie has a blank.
 */
export const kindOf = (items: readonly Item[]): string => {
  const kinds = items.map((item) => {
    if (isOwnKind(item)) return `${item.part} ${item.name}`;
    return isBlankCookie(item) ? `${item.part} with a blank` : item.part;
  });
  return [...new Set(kinds)].join();
};

/** A path by its pattern, with the query of the endpoint. */
function pathWith({ name, value }: Item, { path: own }: Endpoint): Secret {
  const [path = '', query] = own.split(/\?(.*)/s);
  const texts = name
    .replace('{path}', () => path)
    .replace('{in}', () => prefix)
    .replace('{rest}', () => path.slice(prefix.length))
    .split('TOKEN');
  const text = typeof value === 'string' ? value : value.derive(encodeURIComponent);
  const whole = joined(texts, text);
  return query === undefined ? whole : seal`${whole}?${query}`;
}

const pair = ({ name, value }: Item): Secret => seal`${name}=${value}`;

const encodedPair = ({ name, value }: Item): Secret =>
  pair({
    part: 'query',
    name: encodeURIComponent(name),
    value: typeof value === 'string' ? encodeURIComponent(value) : value.derive(encodeURIComponent),
  });

const joined = (texts: readonly (string | Secret)[], separator: string | Secret): Secret =>
  joinParts(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));

function bodyOf(
  json: readonly Item[],
  form: readonly Item[],
  multipart: readonly Item[],
  own: Body | undefined,
): Body | undefined {
  if (json.length > 0) {
    const fields = own !== undefined && 'json' in own && isObject(own.json) ? own.json : {};
    return { json: { ...fields, ...nested(json) } };
  }
  if (form.length > 0) {
    const type = 'application/x-www-form-urlencoded';
    const text = joined(form.map(encodedPair), '&');
    const fields = own !== undefined && 'text' in own && own.type === type ? own.text : undefined;
    return { type, text: fields === undefined ? text : seal`${fields}&${text}` };
  }
  if (multipart.length === 0) return undefined;
  const parts = multipart.map(
    ({ name, value }) =>
      seal`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    text: seal`${joined(parts, '')}--${boundary}--\r\n`,
  };
}

const boundary = 'public-api-contract-part';

/** An object with a member for each item; a dot means a nested object. */
function nested(items: readonly Item[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const { name, value } of items) {
    const names = name.split('.');
    const last = names.pop() ?? name;
    const within = names.reduce<Record<string, unknown>>((object, key) => {
      const known = object[key];
      const inner = isObject(known) ? known : {};
      object[key] = inner;
      return inner;
    }, whole);
    within[last] = value;
  }
  return whole;
}
