import { type Body, type Endpoint, prefix } from '../http/request.ts';
import { type Deviation, haveHeaders, haveParameters } from './deviation.ts';
import { words as splitWords } from './places.ts';

/*
 * Paths, queries and methods that proxies, routers, caches and frameworks are known to treat specially, as data. A
 * guard that relies on any of it admits requests without a valid token.
 */

/** Words in paths and queries that are often left unprotected. */
const openWords = 'health healthz status metrics debug public login swagger docs';

/** Further words that disable a guard as parameters. */
const openParameters = `internal admin test preview anonymous noauth no_auth skipAuth skip_auth bypass trusted dev
  ping ready wsdl raw static`;

/** Spellings of a path; `partsOf` explains the braces. */
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
];

/** Neighbouring paths under which a router may serve the same; another resource may rightly be there. */
const neighbours: readonly string[] = [
  ...splitWords(openWords).map((word) => `{path}/${word}`),
  ...['public', 'static', 'health', 'debug', 'internal'].map((word) => `{in}${word}/{rest}`),
  '{path}/x.css',
];

/** What replaces a slash within the path. */
const slashes = ['%2F', '%252F', '\\', '%5C', '//', '/./', '%c0%af'];

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

/** Other methods than the endpoint's own, and its own in lower case. */
export function otherMethods(own: string): string[] {
  const others = methods.split(' ').filter((method) => method !== own);
  // HEAD shows only a type and a length, and their expected values are known only for GET.
  return [...others.filter((method) => method !== 'HEAD' || own === 'GET'), own.toLowerCase()];
}

/** The path in other spellings, and its neighbours; a cache may keep the answer to what looks like a static file. */
export function pathWays({ method, path: own }: Endpoint): Deviation[][] {
  const isCached = (path: string): boolean => method === 'GET' && /^[^?]*\.css(\?|$)/.test(path);
  const way = (path: string, index: number, of: typeof pathVariants, more: object): Deviation[] => [
    {
      what: `its path is spelt ${path}`,
      ...(isCached(path) ? { cached: true } : {}),
      ...more,
      // The same spelling of another path, too.
      options: ({ path: to }) => ({ path: to === own ? path : (of(to)[index] ?? path) }),
    },
  ];
  return [
    ...pathVariants(own).map((path, index) => way(path, index, pathVariants, {})),
    ...neighbouringPaths(own).map((path, index) =>
      way(path, index, neighbouringPaths, { beside: true }),
    ),
    [{ what: 'its target is an absolute address', options: { address: 'target' } }],
  ];
}

/** Parameters that may disable a guard; some guards check only the end of the address. */
export const queryWays: readonly (readonly Deviation[])[] = [
  ['', '.css'],
  ['=1', 'x=.js'],
  ['=true', 'x=/favicon.png'],
]
  .map(([rest = '', last = '']): Deviation[] => [
    ...haveParameters(`${openWords} ${openParameters}`, rest),
    ...haveParameters(last),
  ])
  .concat([
    [
      ...haveParameters('path url uri next redirect', '=/health'),
      ...haveParameters('auth guard authenticate', '=false'),
      ...haveParameters('file=index.html'),
    ],
    splitWords(openWords).flatMap((word) => haveParameters(`/${word}`)),
  ]);

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

/** Other methods, and headers, parameters and fields that override the method for the guard or the router alone. */
export function methodWays(own: string): Deviation[][] {
  const other = own === 'POST' ? 'GET' : 'POST';
  return [
    ...otherMethods(own).map((method) => [sentBy(method)]),
    ...['OPTIONS', 'HEAD', other].map((named) => overridden(named)),
    ...['OPTIONS', other].map((method) => [sentBy(method), ...overridden(own)]),
    ...inBody(own === 'POST' ? 'OPTIONS' : own),
  ];
}

const sentBy = (method: string): Deviation => ({
  what: `its method is ${method}`,
  options: { method },
});

/** Every known name that overrides the method. OPTIONS and HEAD may be answered without a body. */
const overridden = (named: string): Deviation[] =>
  [...haveHeaders(methodHeaders, named), ...haveParameters(methodParameters, `=${named}`)].map(
    (deviation) => ({ ...deviation, ...preflight(named) }),
  );

const preflight = (method: string): Pick<Deviation, 'preflight'> =>
  method === 'OPTIONS' || method === 'HEAD' ? { preflight: true } : {};

/** HTML forms can only send POST, and name the intended method. */
function inBody(named: string): Deviation[][] {
  const form = { type: 'application/x-www-form-urlencoded', text: `_method=${named}` };
  return [form, { json: { _method: named } }].map((body: Body) => [
    {
      what: `its method is POST, and its body says _method ${named}`,
      ...preflight(named),
      options: { method: 'POST', body },
    },
  ]);
}
