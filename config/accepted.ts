import { hostname } from 'node:os';
import querystring from 'node:querystring';
import { UserError } from '../contract/command.ts';
import { fitsHeader, isHeaderName } from '../contract/http/http-request.ts';
import type { HttpProxy } from '../contract/http/proxy.ts';
import { apiPrefix } from '../contract/http/request.ts';
import { isObject, parsedJson } from '../contract/json-value.ts';
import { Secret } from '../contract/secrets/secret.ts';

/** Wrong settings: one line for each, with the remedy and without secrets. */
export class SettingsError extends UserError {}

/** The texts that a setting accepts, in words, and the value of each. */
export interface Accepted<Value> {
  readonly words: string;
  /** A credential keeps the blanks around it, and may not be empty. */
  readonly isCredential?: boolean;
  /** @throws ValueError */
  read(text: string): Value;
}

/** A value is not accepted. The message follows its name, and quotes nothing of it: users mistake one setting for another. */
export class ValueError extends SettingsError {}

/** @param read returns undefined for what is not accepted; it may throw ValueError to say why */
export const accepting = <Value>(
  words: string,
  read: (text: string) => Value | undefined,
): Accepted<Value> => ({
  words,
  read(text) {
    const value = read(text);
    if (value !== undefined) return value;
    throw new ValueError(`is not ${words}`);
  },
});

/** A whole number in a range, limits included; written with digits, never as 1e3 or 0x10. */
export const number = (what: string, min: number, max: number) =>
  accepting(`${what}, ${min} to ${max}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });

const maxPerSecond = 100_000;
const perSecond: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/** Requests a second; also a text such as `60/min`. */
export const rate = accepting(
  `a number of requests a second from 0.001 to ${maxPerSecond}, or with its time: 5/s, 60/min, 600/h`,
  (text) => {
    const [, count, unit = 's'] = /^(\d{1,15}(?:\.\d{1,15})?)(?:\/(s|min|h))?$/.exec(text) ?? [];
    const value = Number(count) / (perSecond[unit] ?? 1);
    return value >= 0.001 && value <= maxPerSecond ? value : undefined;
  },
);

/** One of two words. The value is whether it is the first. */
export const either = (first: string, second: string) =>
  accepting(
    `${first} or ${second}`,
    (text) => text === first || (text === second ? false : undefined),
  );

/** Without credentials, which would be shown, but not sent. */
function parseAddress(text: string, form: RegExp): URL | undefined {
  if (/^[a-z\d.-]+(:\d+)?(\/\S*)?$/i.test(text))
    throw new ValueError('has no scheme: write http:// or https:// before it');
  return form.test(text) ? (URL.parse(text) ?? undefined) : undefined;
}

export const address = accepting(
  'an http or https address, without user name, password and fragment',
  (text) => parseAddress(text, /^https?:\/\/[^/?#@]+([/?][^#]*)?$/i),
);

/** The address of a provider. The API's paths begin with the version prefix below it. */
export const baseAddress = accepting(
  `an http or https address, optionally with a path; ${apiPrefix} comes below it; no user name, password, query or fragment`,
  (text) => {
    const url = parseAddress(text, /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i);
    if (!`${url?.pathname}/`.includes(apiPrefix)) return url;
    throw new ValueError(`already holds ${apiPrefix}, which is added to it`);
  },
);

export const line = accepting('a single line of text', (text) =>
  /^\P{Cc}*$/u.test(text) ? text : undefined,
);

/** The address of an HTTP proxy. It may hold a password. */
export const proxyAddress = accepting(
  'the address of an HTTP proxy: http://host:port, or http://user:password@host:port',
  (text): HttpProxy | undefined => {
    const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    if (url?.protocol !== 'http:' || url.pathname !== '/' || /[?#]/.test(text)) return undefined;
    const { hostname: host, port } = url;
    const proxy = { host, port: Number(port || 80), address: new Secret(url.href) };
    // It takes a wrong %-encoding as it is.
    const [user, key = ''] = [url.username, url.password].map(querystring.unescape);
    if (`${user}${key}` === '') return proxy;
    const basic = new Secret(Buffer.from(`${user}:${key}`).toString('base64'));
    return { ...proxy, secrets: [basic, new Secret(key)] };
  },
);

/** Headers that a test clock needs. Their values may be secret. */
export const clockHeaders: Accepted<readonly (readonly [string, Secret])[]> = {
  ...accepting('a JSON object of header names and texts', (text) => {
    const parsed = parsedJson(text);
    const fits = ([name, value]: readonly [string, unknown]): boolean =>
      isHeaderName(name) && typeof value === 'string' && fitsHeader(value);
    if (!isObject(parsed) || !Object.entries(parsed).every(fits)) return undefined;
    return Object.entries(parsed).map(([name, value]) => [name, new Secret(String(value))]);
  }),
  isCredential: true,
};

/** Headers that a gateway needs. */
export const requestHeaders: typeof clockHeaders = {
  ...accepting(`${clockHeaders.words}, without Authorization`, (text) => {
    const headers = clockHeaders.read(text);
    return headers.some(([name]) => /^authorization$/i.test(name)) ? undefined : headers;
  }),
  isCredential: true,
};

/** One of several monitors that divide the targets of one file, counted from 1. */
export type Shard = ReturnType<typeof shard.read>;

export const shard = accepting(
  `index and total of the shards, such as 2/5: two whole numbers, the first from 1 up to the second, which is at most 100; auto/5 takes the first from the host name, as of a pod web-1`,
  (text) => {
    const [, index, total] = /^(\d{1,3}|auto)\/(\d{1,3})$/.exec(text) ?? [];
    // The pods of a StatefulSet are numbered from 0.
    const pod = Number(/-(\d+)$/.exec(hostname())?.[1]);
    const number = index === 'auto' ? pod + 1 : Number(index);
    const of = Number(total);
    return number >= 1 && number <= of && of <= 100 ? { number, of } : undefined;
  },
);

/** A consumer version selector, as the Pact Broker's API defines it. */
export type Selector = Readonly<Record<string, string | true>>;

const selectorNames =
  'mainBranch, matchingBranch, deployedOrReleased, deployed, released, latest, branch, fallbackBranch, consumer, environment, tag, fallbackTag';

/** Unknown keys are refused: a broker ignores them, and fewer pacts than intended would be verified. */
const isSelector = (parsed: unknown): parsed is Selector =>
  isObject(parsed) &&
  Object.keys(parsed).length > 0 &&
  Object.keys(parsed).every((key) => selectorNames.split(', ').includes(key));

export const versionSelectors = accepting(
  `a JSON list of objects with ${selectorNames}`,
  (text): readonly Selector[] | undefined => {
    const parsed = parsedJson(text);
    return Array.isArray(parsed) && parsed.length > 0 && parsed.every(isSelector)
      ? parsed
      : undefined;
  },
);
