import querystring from 'node:querystring';
import * as v from 'valibot';
import { fitsHeader, isHeaderName } from '../contract/http/http-request.ts';
import type { HttpProxy } from '../contract/http/proxy.ts';
import { apiPrefix } from '../contract/http/request.ts';
import { isObject, parsedJson } from '../contract/json-value.ts';
import { Secret } from '../contract/secrets/secret.ts';
import * as fields from './fields.ts';

const perSecond: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/** Requests a second: a number, or a text such as `60/min`. */
export const rate = fields.withMessage(
  'a number of requests a second, at least 0.001, or with its time: 5/s, 60/min, 600/h',
  v.pipe(
    v.union([v.number(), v.string()]),
    v.toString(),
    fields.transform((text) => {
      const form = /^(\d{1,15}(?:\.\d{1,15})?)(?:\/(s|min|h))?$/;
      const [, count, unit = 's'] = form.exec(text) ?? [];
      return Number(count) / (perSecond[unit] ?? 1);
    }),
    v.minValue(0.001),
  ),
);

/** One of two words. */
export const either = (...words: readonly [string, string]) =>
  fields.withMessage(words.join(' or '), v.picklist(words));

/** Without credentials, which would be shown, but not sent. */
function parseAddress(text: string, form: RegExp): URL | undefined {
  if (/^[a-z\d.-]+(:\d+)?(\/\S*)?$/i.test(text))
    throw new fields.SettingsError('has no scheme: write http:// or https:// before it');
  return form.test(text) ? (URL.parse(text) ?? undefined) : undefined;
}

export const address = fields.text(
  'an http or https address, without user name, password and fragment',
  (text) => parseAddress(text, /^https?:\/\/[^/?#@]+([/?][^#]*)?$/i),
);

/** The address of a provider. The API's paths begin with the version prefix below it. */
export const baseAddress = fields.text(
  `an http or https address, optionally with a path; ${apiPrefix} comes below it; no user name, password, query or fragment`,
  (text) => {
    const url = parseAddress(text, /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i);
    if (!`${url?.pathname}/`.includes(apiPrefix)) return url;
    throw new fields.SettingsError(`already holds ${apiPrefix}, which is added to it`);
  },
);

export const line = fields.matching('a single line of text', /^\P{Cc}*$/u);

/** The address of an HTTP proxy. It may hold a password. */
export const proxyAddress = fields.text(
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

/** Headers whose values may be secret. */
const headers = (words: string, names: RegExp) =>
  fields.text(words, (text): readonly (readonly [string, Secret])[] | undefined => {
    const given = parsedJson(text);
    const fits = ([name, value]: readonly [string, unknown]): boolean =>
      isHeaderName(name) && names.test(name) && typeof value === 'string' && fitsHeader(value);
    if (!isObject(given) || !Object.entries(given).every(fits)) return undefined;
    return Object.entries(given).map(([name, value]) => [name, new Secret(String(value))]);
  });

/** Headers that a test clock needs. */
export const clockHeaders = headers('a JSON object of header names and texts', /^/);

/** Headers that a gateway needs. */
export const requestHeaders = headers(
  'a JSON object of header names and texts, without Authorization',
  /^(?!authorization$)/i,
);

/** One of several monitors that divide the targets of one file, counted from 1. */
export const shard = fields.matching(
  'index and total of the shards, such as 2/5, at most 100; auto/5 takes the first from the host name, as of a pod web-1',
  /^([1-9]\d?|100|auto)\/([1-9]\d?|100)$/,
);

const selectorNames =
  'mainBranch, matchingBranch, deployedOrReleased, deployed, released, latest, branch, fallbackBranch, consumer, environment, tag, fallbackTag';

/** Unknown keys are refused: a broker ignores them, and fewer pacts than intended would be verified. */
const selector = v.record(
  v.picklist(selectorNames.split(', ')),
  v.union([v.string(), v.boolean()]),
);

/** Consumer version selectors, as the Pact Broker's API defines them. */
export const versionSelectors = fields.withMessage(
  `a JSON list of objects with ${selectorNames}`,
  v.pipe(v.string(), v.parseJson(), v.array(v.pipe(selector, v.minEntries(1))), v.minLength(1)),
);
