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
  /** The provider may answer it as a preflight, which has no body and needs no token. */
  readonly preflight?: boolean;
}

/** One request: deviations that it can have at once without hiding one another. */
export type Way = readonly Deviation[];

/** Each name of a list, separated by white space, with a value. */
export const haveHeaders = (names: string, value: string): Deviation[] =>
  words(names).map((name) => ({
    what: `it has ${name}: ${value}`,
    options: { headers: { [name]: value } },
  }));

/** Each parameter of a list, separated by white space, with the rest of it. */
export const haveParameters = (names: string, rest = ''): Deviation[] =>
  words(names).map((name) => ({
    what: `its query has ${name}${rest}`,
    parameter: `${name}${rest}`,
  }));

/** The headers in a text: `Connection: close · Host: localhost`; a sign separates name and value. */
export const headersIn = (text: string, sign = ': '): (readonly [name: string, value: string])[] =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .split(' · ')
    .map((field) => {
      const [name = '', ...values] = field.split(sign);
      return [name, values.join(sign)];
    });

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

/** What a finding says of them. */
export const described = (deviations: Way): string =>
  deviations.map(({ what }) => what).join(' and ');
