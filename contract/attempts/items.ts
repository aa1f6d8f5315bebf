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
export const optionsOf = <From>(guesses: readonly Guess<From>[], from: From, to: Endpoint) =>
  optionsWith(itemsOf(guesses, from), to);

export function optionsWith(items: readonly Item[], to: Endpoint): CallOptions {
  const of = (part: Part): Item[] => items.filter((item) => item.part === part);
  const headers = Object.fromEntries(of('header').map(({ name, value }) => [name, value]));
  const cookies = of('cookie').map(({ name, value }) => seal`${name}=${value}`);
  if (cookies.length > 0) headers.Cookie = joined(cookies, '; ');
  const [path] = of('path');
  const query = of('query');
  return {
    headers,
    secretPath: path && pathWith(path, to),
    query: query.length === 0 ? undefined : urlEncoded(query),
    body:
      jsonWith(of('json'), to.body) ?? formWith(of('form'), to.body) ?? multipart(of('multipart')),
  };
}

/** The items of several guesses, each once. */
export function itemsOf<From>(guesses: readonly Guess<From>[], from: From): Item[] {
  const items = guesses.flatMap(({ put }) => put(from));
  return [...new Map(items.map((item) => [`${item.part} ${item.name}`, item])).values()];
}

/** The same items, with a note instead of each secret. */
export const withoutSecrets = (items: readonly Item[]): Item[] =>
  items.map((item) => {
    if (typeof item.value === 'string') return item;
    const name = item.part === 'path' ? item.name : 'note';
    return { part: item.part, name, value: isBlankCookie(item) ? 'Bearer 1' : '1' };
  });

/** Whether it is a cookie with a blank, for which strict servers refuse a request (RFC 6265 4.1.1). */
const isBlankCookie = ({ part, value }: Item): boolean =>
  part === 'cookie' && typeof value !== 'string' && value.is((text) => text.includes(' '));

/**
 * The kind of a request with these items: its parts, its text that is not secret, its path, whether it uses
 * Authorization, and whether a cookie has a blank.
 */
export function kindOf(items: readonly Item[]): string {
  const kinds = items.map((item) => {
    const { part, name, value } = item;
    const isAuthorization = part === 'header' && name === 'Authorization';
    if (typeof value === 'string' || part === 'path' || isAuthorization) return `${part} ${name}`;
    return isBlankCookie(item) ? `${part} with a blank` : part;
  });
  return [...new Set(kinds)].join();
}

/** A path by its pattern, with the query of the endpoint. */
function pathWith({ name, value }: Item, { path: own }: Endpoint): Secret {
  const [path = '', query] = own.split(/\?(.*)/s);
  const texts = name
    .replace('{path}', () => path)
    .replace('{in}', () => prefix)
    .replace('{rest}', () => path.slice(prefix.length))
    .split('TOKEN');
  const whole = joined(texts, uriEncoded(value));
  return query === undefined ? whole : seal`${whole}?${query}`;
}

const uriEncoded = (value: Secret | string): Secret | string =>
  typeof value === 'string' ? encodeURIComponent(value) : value.derive(encodeURIComponent);

/** Items as in a query or in a form. */
const urlEncoded = (items: readonly Item[]): Secret =>
  joined(
    items.map(({ name, value }) => seal`${encodeURIComponent(name)}=${uriEncoded(value)}`),
    '&',
  );

/** Texts with a separator between them. */
export const joined = (texts: readonly (string | Secret)[], separator: string | Secret): Secret =>
  joinParts(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));

/** @param own the endpoint's body, whose members stay */
function jsonWith(items: readonly Item[], own: Body | undefined): Body | undefined {
  if (items.length === 0) return undefined;
  const members = own !== undefined && 'json' in own ? own.json : {};
  return {
    json: items.reduce<unknown>(
      (whole, { name, value }) => withMember(whole, name.split('.'), value),
      members,
    ),
  };
}

/** An object with one more member, at a path of names. */
function withMember(object: unknown, [name = '', ...rest]: string[], value: unknown): object {
  const members = isObject(object) ? object : {};
  return { ...members, [name]: rest.length === 0 ? value : withMember(members[name], rest, value) };
}

function formWith(items: readonly Item[], own: Body | undefined): Body | undefined {
  if (items.length === 0) return undefined;
  const type = 'application/x-www-form-urlencoded';
  const text = urlEncoded(items);
  const isForm = own !== undefined && 'text' in own && own.type === type;
  return { type, text: isForm ? seal`${own.text}&${text}` : text };
}

const boundary = 'public-api-contract-part';

function multipart(items: readonly Item[]): Body | undefined {
  if (items.length === 0) return undefined;
  const parts = items.map(
    ({ name, value }) =>
      seal`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    text: seal`${joined(parts, '')}--${boundary}--\r\n`,
  };
}
