import type { Body, CallOptions, Endpoint } from '../http/request.ts';
import { isObject } from '../json-value.ts';
import { inBase64, joinParts, type Secret, seal } from '../secrets/secret.ts';

/** One respect in which a request differs from a plain one, and which must not open the endpoint or change its 401. */
export interface Deviation {
  /** `it has Accept: text/html`. */
  readonly what: string;
  readonly options?: CallOptions | ((endpoint: Endpoint) => CallOptions);
  /** What it adds to the parts of a request. */
  readonly items?: readonly Item[];
  /** A firewall may treat it as an attack, and answer instead of the service. */
  readonly odd?: true;
}

/** One request: deviations that it can have at once without hiding one another. */
export type Way = readonly Deviation[];

/** A part of a request in which servers look for tokens and keys. */
export type Part = 'header' | 'query' | 'cookie' | 'json' | 'form';

/** A text at a place in a request. */
export interface Item {
  readonly part: Part;
  readonly name: string;
  /** As `written` reads it. A text without a secret is the same in every request, such as `Upgrade: websocket`. */
  readonly text: string;
}

/** The secrets that texts name: a token, or an account's key and secret key. */
export type Secrets = Readonly<Record<string, Secret>>;
export const named = /(TOKEN|KEY|SECRET)/;

/** A text with the secrets that it names, as they are or encoded: `Bearer TOKEN`, `Basic base64(KEY:SECRET)`. */
export function fillIn(text: string, secrets: Secrets): string | Secret {
  const parts = text.split(/((?:base64|uri)\(.*?\))/).flatMap((part) => {
    const [, encoding, inner] = /^(base64|uri)\((.*)\)$/.exec(part) ?? [];
    if (inner === undefined) return part.split(named).map((word) => secrets[word] ?? word);
    const secret = seal`${fillIn(inner, secrets)}`;
    return encoding === 'base64' ? inBase64(secret) : secret.derive(encodeURI);
  });
  return parts.every((part) => typeof part === 'string') ? text : joinParts(parts);
}

/** The words of a text, each once. Braces have alternatives, as in a shell: `X-{Api,Auth}-Token X-Key`. */
export const expand = (text: string): string[] => [
  ...new Set(text.trim().replace(/,\s+/g, ',').split(/\s+/).flatMap(alternatives)),
];

/** Each byte as in an address: `%41`. */
export const inPercents = (text: string): string =>
  Buffer.from(text).toString('hex').replace(/../g, '%$&');

function alternatives(word: string): string[] {
  const [, before = '', list, after = ''] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(word) ?? [];
  if (list === undefined) return [word];
  return list.split(',').flatMap((alternative) => alternatives(`${before}${alternative}${after}`));
}

/**
 * Headers as deviations of one request: `Connection: close · X-{Auth,User}-Id X-Role: admin | 1`, each name of a list
 * with each of its values.
 */
export const addHeaders = (text: string): Deviation[] =>
  text.split('·').flatMap((family) => {
    const [names = '', ...rest] = family.trim().replace(/\s+/g, ' ').split(': ');
    const values = rest.join(': ').split(' | ');
    return expand(names).flatMap((name) => values.map((value) => addHeader(name, value)));
  });

const addHeader = (name: string, value: string): Deviation => ({
  what: `it has ${name}: ${value}`,
  items: [{ part: 'header', name, text: value }],
});

/** Each parameter of a list, with the rest of it. */
export const addParameters = (names: string, rest = ''): Deviation[] =>
  expand(names).map((name) => ({
    what: `its query has ${name}${rest}`,
    items: [{ part: 'query', name: name + rest, text: '' }],
  }));

/** What a finding says of a request. */
export const describeWay = (way: Way): string => way.map(({ what }) => what).join(' and ');

/**
 * All deviations in one request. JSON fields are added to the endpoint's own, and headers that its owner
 * configures are sent as they are configured.
 * @param secrets those in the items
 */
export function mergeWay(way: Way, endpoint: Endpoint, secrets: Secrets = {}): CallOptions {
  const all = way.map(({ options = {} }) =>
    typeof options === 'function' ? options(endpoint) : options,
  );
  const options: CallOptions = Object.assign({}, ...all);
  const configured = new Set(Object.keys(endpoint.headers ?? {}).map((name) => name.toLowerCase()));
  const items = way
    .flatMap((deviation) => deviation.items ?? [])
    .filter(({ part, name }) => part !== 'header' || !configured.has(name.toLowerCase()));
  const of = (part: Part): Field[] => {
    const ofPart = items.filter((item) => item.part === part);
    return [...new Map(ofPart.map(({ name, text }) => [name, fillIn(text, secrets)]))];
  };
  const { Authorization: authorization, ...headers } = Object.fromEntries(of('header'));
  const cookies = of('cookie').map(([name, value]) => seal`${name}=${value}`);
  const query = of('query');
  return {
    ...options,
    ...(authorization && { authorization }),
    headers: {
      ...headers,
      ...options.headers,
      ...(cookies.length > 0 && { Cookie: join(cookies, '; ') }),
    },
    without: all.flatMap(({ without = [] }) => without),
    query: query.length > 0 ? urlEncoded(query) : undefined,
    body: options.body ?? bodyWith(of('form'), of('json'), endpoint.body),
  };
}

type Field = [name: string, value: string | Secret];

/** Fields as in a query or in a form. A name without a value is written as it is. */
const urlEncoded = (fields: readonly Field[]): Secret =>
  join(
    fields.map(([name, value]) => {
      if (value === '') return name;
      const encoded = seal`${value}`.derive(encodeURIComponent);
      return seal`${encodeURIComponent(name)}=${encoded}`;
    }),
    '&',
  );

/** Texts with a separator between them. */
const join = (texts: readonly (string | Secret)[], separator: string): Secret =>
  joinParts(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));

/** @param own the endpoint's body, whose members stay */
function bodyWith(form: Field[], json: Field[], own: Endpoint['body']): Body | undefined {
  if (form.length > 0) return { type: 'application/x-www-form-urlencoded', text: urlEncoded(form) };
  if (json.length === 0) return undefined;
  const members = isObject(own?.json) ? own.json : {};
  return { json: { ...members, ...Object.fromEntries(json) } };
}
