import { type CallOptions, type Endpoint, joint } from '../http/request.ts';
import { words } from './places.ts';

/** One respect in which a request differs from a plain one, and which must not open the endpoint or change its 401. */
export interface Deviation {
  /** `it has Accept: text/html`. */
  readonly what: string;
  readonly options?: CallOptions | ((endpoint: Endpoint) => CallOptions);
  /** Added to the query. */
  readonly parameter?: string;
  /** A firewall may treat it as an attack, and answer with its own page. */
  readonly odd?: boolean;
  /** Other statuses that a proxy or a content negotiation may answer with. */
  readonly tolerated?: readonly number[];
  /** A public resource may be at this path, so only the endpoint's own body proves a way in. */
  readonly beside?: boolean;
  /** A cache may keep the answer to an authorised request (web cache deception): such a request goes before it. */
  readonly cached?: boolean;
}

/** One request: deviations that it can have at once without hiding one another. */
export type Way = readonly Deviation[];

/** Each name of a list with a value. A server that lacks an accepted type may say so (RFC 9110 12.1, OPEN-9). */
export const haveHeaders = (names: string, value: string): Deviation[] =>
  words(names).map((name) => ({
    what: `it has ${name}: ${value}`,
    options: { headers: { [name]: value } },
    ...(name === 'Accept' ? { tolerated: [406] } : {}),
  }));

/** Each parameter of a list, with the rest of it. */
export const haveParameters = (names: string, rest = ''): Deviation[] =>
  words(names).map((name) => ({ what: `its query has ${name}${rest}`, parameter: name + rest }));

/** The headers in a text: `Connection: close · Host: localhost`; a sign separates name and value. */
export const headersIn = (text: string, sign = ': '): (readonly [name: string, value: string])[] =>
  text.split('·').map((field) => {
    const [name = '', ...values] = field.trim().replace(/\s+/g, ' ').split(sign);
    return [name, values.join(sign)];
  });

/** One request with the headers in a text. */
export const hasHeaders = (text: string): Way =>
  headersIn(text).flatMap(([name, value]) => haveHeaders(name, value));

/** All deviations in one request. */
export function merged(deviations: Way, endpoint: Endpoint): CallOptions {
  const all = deviations.map(({ options = {} }) =>
    typeof options === 'function' ? options(endpoint) : options,
  );
  const options: CallOptions = Object.assign({}, ...all);
  const { path = endpoint.path } = options;
  const query = deviations.flatMap(({ parameter = [] }) => parameter).join('&');
  return {
    ...options,
    ...(query === '' ? {} : { path: `${path}${joint(path)}${query}` }),
    headers: Object.assign({}, ...all.map(({ headers }) => headers)),
    without: all.flatMap(({ without = [] }) => without),
  };
}

/** What a finding says of a request. */
export const described = (way: Way): string => way.map(({ what }) => what).join(' and ');

/** The ways without the headers that the endpoint's owner configures, which are sent as they are configured. */
export function withoutOwn(ways: readonly Way[], endpoint: Endpoint): Way[] {
  const own = Object.keys(endpoint.headers ?? {}).map((name) => name.toLowerCase());
  const isFree = (deviation: Deviation): boolean => {
    const { headers = {} } = merged([deviation], endpoint);
    return !Object.keys(headers).some((name) => own.includes(name.toLowerCase()));
  };
  return ways.map((way) => way.filter(isFree)).filter(({ length }) => length > 0);
}
