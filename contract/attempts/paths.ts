import { apiPrefix, type Endpoint, querySign } from '../http/request.ts';
import { addHeaders, addParameters, expand, inPercents, type Way } from './deviation.ts';
import { sentBy } from './variations.ts';

/* Paths, queries and methods that a guard may treat otherwise than the router behind it, as data. */

/** Words in paths and queries that are often left unprotected. */
const open = expand('health healthz status metrics debug public login swagger docs');

/** Words that disable a guard as parameters. */
const guardParameters = `${open.join(' ')} internal admin test preview anonymous {no,no_,skip_}auth skipAuth bypass trusted
  dev ping ready wsdl raw static`;

/** Spellings of a path: `respelt` explains the words in braces. A lenient router or server treats them as the same. */
const spellings = expand(String.raw`
  {path}{/,//,%2F,%252F,/.,/x/..,.,%2E,;,;x=1,;/auth/token,;jsessionid=1,;x.css,%3Bx=1,\,%5C,%20,%09,%0A,%00,%00.css}
  {path}{?,?/auth/token,#,#.css,%23,%3F,%3f.css,%c0%af,%ef%bc%8f,~}
  {path}.{json,css,js,png,ico,html,xml,txt,svg,jpg,bak} {path}/x.css {path};/${open.join('/')}
  {in}{/,%2F,./,x/../,auth/../,auth/token/../../,public/../,docs/../,login/../,%2e/,x/%2e%2e/,x/..%2F,x/%252e%252e/}{rest}
  {in}{x%252f..%252f,auth/token/..;/..;/,x/..;/,;x=1/,\,x\..\,x%5c..%5c,x/%c0%ae%c0%ae/,x/..%c0%af,x/..%EF%BC%8F}{rest}
  {in}${open.join('/../')}/../{rest}
  {in}{encoded} {in}{REST}
`);

/**
 * An endpoint's path with its query, spelt like a template: `{path}` is the path, `{in}` the prefix, `{rest}` what
 * follows it. Other words are `{rest}` in other encodings.
 */
function respelt(template: string, endpoint: string): string {
  const [path = '', query] = endpoint.split(/\?(.*)/s);
  const rest = path.slice(apiPrefix.length);
  const parts: Readonly<Record<string, string>> = {
    path,
    in: apiPrefix,
    rest,
    REST: rest.toUpperCase(),
    encoded: inPercents(rest.slice(0, 1)) + rest.slice(1),
  };
  const respelled = template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
  return query === undefined ? respelled : `${respelled}${querySign(respelled)}${query}`;
}

/** One request for each spelling of the path. All of them stay below the prefix (VERSION-1), and keep the query. */
export const spellingWays = ({ path: endpointPath }: Endpoint): Way[] =>
  [...new Map(spellings.map((spelling) => [respelt(spelling, endpointPath), spelling]))]
    .filter(([path]) => path !== endpointPath)
    .map(([path, spelling]) => {
      const options = ({ path: to }: Endpoint) => ({ path: respelt(spelling, to) });
      return [{ what: `its path is spelt ${path}`, options }];
    });

/** The path in other spellings. */
export const pathWays = (endpoint: Endpoint): Way[] => [
  ...spellingWays(endpoint),
  [{ what: 'its target is an absolute address', options: { absolute: true } }],
];

/** Parameters that may disable a guard; some guards check only the end of the address. */
export const queryWays: readonly Way[] = [
  addParameters(`${guardParameters} .css`),
  [...addParameters(guardParameters, '=1'), ...addParameters('x=.js')],
  [...addParameters(guardParameters, '=true'), ...addParameters('x=/favicon.png')],
  addParameters(
    '{path,url,uri,next,redirect}=/health {auth,guard,authenticate}=false file=index.html',
  ),
  addParameters(`/{${open.join()}}`),
];

/** Headers and parameters that replace the method for whatever reads them. */
const methodHeaders = `X-HTTP-Method{-Override,} {X-,}Method-Override
  X-{,Original-,Forwarded-,Requested-,Override-,Request-}Method`;
const methodParameters = `{_,,$}method {_,}http_method httpMethod methodOverride x-http-method-override
  X-HTTP-Method{-Override,}`;

/**
 * Methods that routers send to the handler of another method, that guards overlook, or that no server implements. PUT
 * and DELETE are not in the list: behind a broken guard they would destroy data.
 */
const methods = 'HEAD OPTIONS TRACE GET POST PATCH PROPFIND SEARCH REPORT QUERY PURGE LOCK FOO';

/** Other methods than the endpoint's own, and its own in lower case. */
export const otherMethods = (endpointMethod: string): Way[] =>
  [
    // HEAD shows only a type and a length, and their expected values are known only for GET.
    ...expand(methods).filter(
      (method) => method !== endpointMethod && (method !== 'HEAD' || endpointMethod === 'GET'),
    ),
    endpointMethod.toLowerCase(),
  ].map(sentBy);

/** Other methods, and headers, parameters and fields that override the method for the guard or the router alone. */
export function methodWays(endpointMethod: string): Way[] {
  const otherMethod = endpointMethod === 'POST' ? 'GET' : 'POST';
  return [
    ...otherMethods(endpointMethod),
    ...['OPTIONS', 'HEAD', otherMethod].map(overridden),
    ...['OPTIONS', otherMethod].map((method) => [...sentBy(method), ...overridden(endpointMethod)]),
  ];
}

/** Every known name that overrides the method. */
const overridden = (named: string): Way => [
  ...addHeaders(`${methodHeaders}: ${named}`),
  ...addParameters(methodParameters, `=${named}`),
];
