import { words } from '../attempts/places.ts';

/*
 * Paths and methods that proxies, routers, caches and frameworks are known to treat specially, as data. A guard
 * that relies on any of it admits requests without a valid token.
 */

/** Headers and parameters that replace the method for whatever reads them. */
export const methodHeaders = `X-HTTP-Method-Override X-Method-Override X-HTTP-Method X-Method X-Original-Method
  X-Forwarded-Method X-Requested-Method X-Override-Method X-Request-Method Method-Override`;
export const methodParameters = `_method method _http_method httpMethod http_method methodOverride
  x-http-method-override X-HTTP-Method-Override X-HTTP-Method $method`;

/** Words in paths and queries that are often left unprotected. */
export const openWords = 'health healthz status metrics debug public login swagger docs';

/** Further words that disable a guard as parameters. */
export const openParameters = `internal admin test preview anonymous noauth no_auth skipAuth skip_auth bypass trusted dev
  ping ready wsdl raw static`;

/** Spellings of a path; `partsOf` in path-variants.ts explains the braces. */
export const spellings: readonly string[] = [
  ...words(String.raw`
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
export const neighbours: readonly string[] = [
  ...openWords.split(' ').map((word) => `{path}/${word}`),
  ...['public', 'static', 'health', 'debug', 'internal'].map((word) => `{in}${word}/{rest}`),
  '{path}/x.css',
];

/** What replaces a slash within the path. */
export const slashes = ['%2F', '%252F', '\\', '%5C', '//', '/./', '%c0%af'];

/**
 * Methods that routers send to the handler of another method, that guards overlook, or that no server implements. PUT
 * and DELETE are not in the list: behind a broken guard they would destroy data.
 */
export const methods =
  'HEAD OPTIONS TRACE GET POST PATCH PROPFIND SEARCH REPORT QUERY PURGE LOCK FOO';
