import type { Body, CallOptions, Endpoint } from '../http/request.ts';
import { isObject } from '../json-value.ts';
import { joinParts, type Secret, seal } from '../secrets/secret.ts';
import { respelt } from './paths.ts';

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
}

/** One request with all of these guesses. JSON and form fields are added to the endpoint's own. */
export function optionsOf<From>(
  guesses: readonly Guess<From>[],
  from: From,
  { path: own, body }: Endpoint,
): CallOptions {
  const all = guesses.flatMap(({ put }) => put(from));
  const items = [...new Map(all.map((item) => [`${item.part} ${item.name}`, item])).values()];
  const of = (part: Part): Item[] => items.filter((item) => item.part === part);
  const { Authorization: authorization, ...headers }: Record<string, Secret | string> =
    Object.fromEntries(of('header').map(({ name, value }) => [name, value]));
  const cookies = of('cookie').map(({ name, value }) => seal`${name}=${value}`);
  const [path] = of('path');
  const query = of('query');
  return {
    authorization,
    headers: cookies.length > 0 ? { ...headers, Cookie: joined(cookies, '; ') } : headers,
    secretPath: path && joined(respelt(path.name, own).split('TOKEN'), uriEncoded(path.value)),
    query: query.length > 0 ? urlEncoded(query) : undefined,
    body: bodyWith(of, body),
  };
}

const uriEncoded = (value: Secret | string): Secret => seal`${value}`.derive(encodeURIComponent);

/** Items as in a query or in a form. */
const urlEncoded = (items: readonly Item[]): Secret =>
  joined(
    items.map(({ name, value }) => seal`${encodeURIComponent(name)}=${uriEncoded(value)}`),
    '&',
  );

/** Texts with a separator between them. */
export const joined = (texts: readonly (string | Secret)[], separator: string | Secret): Secret =>
  joinParts(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));

/** @param own the endpoint's body, whose members and fields stay */
function bodyWith(of: (part: Part) => Item[], own: Body | undefined): Body | undefined {
  const form = of('form');
  const parts = of('multipart').map(
    ({ name, value }) =>
      seal`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  if (parts.length > 0)
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      text: joined([...parts, `--${boundary}--\r\n`], ''),
    };
  if (form.length > 0) {
    const type = 'application/x-www-form-urlencoded';
    const fields = own !== undefined && 'text' in own && own.type === type ? [own.text] : [];
    return { type, text: joined([...fields, urlEncoded(form)], '&') };
  }
  let json: unknown = own !== undefined && 'json' in own ? own.json : {};
  for (const { name, value } of of('json')) json = withMember(json, name.split('.'), value);
  return of('json').length > 0 ? { json } : undefined;
}

const boundary = 'public-api-contract-part';

/** An object with one more member, at a path of names. */
function withMember(object: unknown, [name = '', ...rest]: string[], value: unknown): object {
  const members = isObject(object) ? object : {};
  return { ...members, [name]: rest.length === 0 ? value : withMember(members[name], rest, value) };
}
