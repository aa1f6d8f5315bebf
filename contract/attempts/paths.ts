import { type Body, type Endpoint, joint, prefix } from '../http/request.ts';
import { type Deviation, deviating, haveHeaders, haveParameters } from './deviation.ts';
import { words as splitWords } from './places.ts';

/*
 * Paths, queries and methods that proxies, routers, caches and frameworks are known to treat specially, as data. A
 * guard that relies on any of it admits requests without a valid token.
 */

/** Words in paths and queries that are often left unprotected. */
const openWords = 'health healthz status metrics debug public login swagger docs';

/** Words that disable a guard as parameters. */
const guardParameters = `${openWords} internal admin test preview anonymous noauth no_auth skipAuth skip_auth bypass trusted dev
  ping ready wsdl raw static`;

/** Spellings of a path; `partsOf` explains the words in braces. */
const spellings: readonly string[] = [
  ...splitWords(String.raw`
    {path}/ {path}// {in}/{rest} {path}%2F {in}%2F{rest} {path}%252F
    {in}./{rest} {in}x/../{rest} {in}auth/../{rest} {in}auth/token/../../{rest}
    {in}public/../{rest} {in}docs/../{rest} {in}login/../{rest}
    {in}%2e/{rest} {in}x/%2e%2e/{rest} {in}x/..%2F{rest} {in}x/%252e%252e/{rest}
    {in}x%252f..%252f{rest} {path}/. {path}/x/.. {path}. {path}%2E
    {in}auth/token/..;/..;/{rest} {in}x/..;/{rest} {in};x=1/{rest} {path};
    {path};x=1 {path};/auth/token {path};jsessionid=1 {path};x.css {path}%3Bx=1
    {path}\ {in}\{rest} {in}x\..\{rest} {path}%5C {in}x%5c..%5c{rest}
    {path}%20 {path}%09 {path}%0A {path}%00 {path}%00.css
    {path}? {path}?/auth/token {path}# {path}#.css {path}%23 {path}%3F {path}%3f.css
    {in}{encoded} {in}{twice} {in}{overlong} {in}{wide} {path}%c0%af
    {in}x/%c0%ae%c0%ae/{rest} {path}%ef%bc%8f {in}x/..%c0%af{rest} {in}x/..%EF%BC%8F{rest}
    {path}.json {path}.css {path}.js {path}.png {path}.ico {path}.html {path}.xml {path}.txt {path}.svg {path}.jpg
    {path}.gif {path}.bak {path}~ {in}{words}{rest} {path};/{list}
  `),
  // These come last, because they may equal the path itself.
  ...['{in}{every}', '{in}{Rest}', '{in}{REST}'],
  // With something else for each slash in the path.
  ...['%2F', '%252F', '\\', '%5C', '//', '/./', '%c0%af'].map((slash) => `{in}{rest:${slash}}`),
];

/** Neighbouring paths under which a router may serve the same; another resource may rightly be there. */
const neighbours: readonly string[] = [
  ...splitWords(openWords).map((word) => `{path}/${word}`),
  ...['public', 'static', 'health', 'debug', 'internal'].map((word) => `{in}${word}/{rest}`),
  '{path}/x.css',
];

/**
 * Other spellings of a path that a lenient router treats as the same, or that a proxy, cache or file server
 * treats specially. All of them stay below the prefix (VERSION-1), and keep the query.
 */
export const pathVariants = (endpoint: string): string[] => [
  ...respelt(spellings, endpoint).keys(),
];

/** Neighbouring paths that a lenient router treats as the endpoint's, and where another resource may be. */
export const neighbouringPaths = (endpoint: string): string[] => [
  ...respelt(neighbours, endpoint).keys(),
];

/** What spellings make of an endpoint's path, other than the path itself, and the spelling of each. */
function respelt(templates: readonly string[], endpoint: string): ReadonlyMap<string, string> {
  const paths = new Map(templates.map((template) => [filled(template, endpoint), template]));
  paths.delete(endpoint);
  return paths;
}

/** A spelling of an endpoint's path, with its query. */
function filled(template: string, endpoint: string): string {
  const [path = '', query] = endpoint.split(/\?(.*)/s);
  const parts = partsOf(path, path.slice(prefix.length));
  const other = template.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, slash = '/') =>
    (parts[name] ?? '').replaceAll('/', () => slash),
  );
  return query === undefined ? other : `${other}${joint(other)}${query}`;
}

/** The values of the placeholders in a spelling: the path, its part below the prefix, that part in other encodings. */
function partsOf(path: string, rest: string): Readonly<Record<string, string>> {
  const [first = '', ...more] = rest;
  const tail = more.join('');
  const code = first.charCodeAt(0);
  const hex = (octet: number): string => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  const words = splitWords(openWords);
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

/** The path in other spellings, and its neighbours; a cache may keep the answer to what looks like a static file. */
export function pathWays({ method, path: own }: Endpoint): Deviation[][] {
  const ways = (templates: readonly string[], beside: boolean): Deviation[][] =>
    [...respelt(templates, own)].map(([path, template]) => {
      const cached = method === 'GET' && /^[^?]*\.css(\?|$)/.test(path);
      // The same spelling of another path, too.
      const options = ({ path: to }: Endpoint) => ({ path: filled(template, to) });
      return [deviating(`its path is spelt ${path}`, options, { cached, beside })];
    });
  return [
    ...ways(spellings, false),
    ...ways(neighbours, true),
    [deviating('its target is an absolute address', { address: 'target' })],
  ];
}

/** Parameters that may disable a guard; some guards check only the end of the address. */
export const queryWays: readonly (readonly Deviation[])[] = [
  [...haveParameters(guardParameters), ...haveParameters('.css')],
  [...haveParameters(guardParameters, '=1'), ...haveParameters('x=.js')],
  [...haveParameters(guardParameters, '=true'), ...haveParameters('x=/favicon.png')],
  [
    ...haveParameters('path url uri next redirect', '=/health'),
    ...haveParameters('auth guard authenticate', '=false'),
    ...haveParameters('file=index.html'),
  ],
  splitWords(openWords).flatMap((word) => haveParameters(`/${word}`)),
];

/** Headers and parameters that replace the method for whatever reads them. */
const methodHeaders = `X-HTTP-Method-Override X-Method-Override X-HTTP-Method X-Method X-Original-Method
  X-Forwarded-Method X-Requested-Method X-Override-Method X-Request-Method Method-Override`;
const methodParameters = `_method method _http_method httpMethod http_method methodOverride
  x-http-method-override X-HTTP-Method-Override X-HTTP-Method $method`;

/**
 * Methods that routers send to the handler of another method, that guards overlook, or that no server implements. PUT
 * and DELETE are not in the list: behind a broken guard they would destroy data.
 */
const methods = 'HEAD OPTIONS TRACE GET POST PATCH PROPFIND SEARCH REPORT QUERY PURGE LOCK FOO';

/** Other methods than the endpoint's own, and its own in lower case. */
export const otherMethods = (own: string): string[] => [
  // HEAD shows only a type and a length, and their expected values are known only for GET.
  ...methods.split(' ').filter((method) => method !== own && (method !== 'HEAD' || own === 'GET')),
  own.toLowerCase(),
];

/** Other methods, and headers, parameters and fields that override the method for the guard or the router alone. */
export function methodWays(own: string): Deviation[][] {
  const other = own === 'POST' ? 'GET' : 'POST';
  // HTML forms can only send POST, and name the intended method.
  const _method = own === 'POST' ? 'OPTIONS' : own;
  const type = 'application/x-www-form-urlencoded';
  const bodies: readonly Body[] = [{ type, text: `_method=${_method}` }, { json: { _method } }];
  const what = `its method is POST, and its body says _method ${_method}`;
  return [
    ...otherMethods(own).map((method) => [sentBy(method)]),
    ...['OPTIONS', 'HEAD', other].map(overridden),
    ...['OPTIONS', other].map((method) => [sentBy(method), ...overridden(own)]),
    ...bodies.map((body) => [
      deviating(what, { method: 'POST', body }, { preflight: isBodiless(_method) }),
    ]),
  ];
}

const sentBy = (method: string): Deviation => deviating(`its method is ${method}`, { method });

/** Every known name that overrides the method. */
const overridden = (named: string): Deviation[] =>
  [...haveHeaders(methodHeaders, named), ...haveParameters(methodParameters, `=${named}`)].map(
    (deviation) => ({ ...deviation, preflight: isBodiless(named) }),
  );

/** Whether the answer to a method may have no body. */
const isBodiless = (method: string): boolean => method === 'OPTIONS' || method === 'HEAD';
