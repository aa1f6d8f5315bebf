import { joint, prefix } from '../http/request.ts';

/*
 * Where frameworks, gateways, proxies and products look for a token or a key. The names come from their documentation;
 * the order decides only which of several is named first.
 */

/** The words of a text. Braces have alternatives, as in a shell: `X-{Api,Auth}-Token X-Key`. */
export const words = (text: string): string[] =>
  text.trim().replace(/,\s+/g, ',').split(/\s+/).flatMap(alternatives);

function alternatives(word: string): string[] {
  const [, before = '', list, after = ''] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(word) ?? [];
  if (list === undefined) return [word];
  return list.split(',').flatMap((one) => alternatives(`${before}${one}${after}`));
}

/** Pairs of names: `X-[Key/Secret]` are X-Key and X-Secret. */
const pairs = (text: string): readonly string[][] =>
  words(text).map((pair) => ['$1', '$2'].map((name) => pair.replace(/\[(.*)\/(.*)\]/, name)));

/**
 * An endpoint's path with its query, spelt like a template: `{path}` is the path, `{in}` the prefix, `{rest}` what
 * follows it, `{rest:%2F}` the same with something else for each slash. Other words are `{rest}` in other encodings.
 */
export function respelt(template: string, endpoint: string): string {
  const [path = '', query] = endpoint.split(/\?(.*)/s);
  const rest = path.slice(prefix.length);
  const [first = '', ...more] = rest;
  const tail = more.join('');
  const code = first.charCodeAt(0);
  const hex = (octet: number): string => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  const parts: Readonly<Record<string, string>> = {
    path,
    in: prefix,
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
  };
  const other = template.replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, slash = '/') =>
    (parts[name] ?? '').replaceAll('/', () => slash),
  );
  return query === undefined ? other : `${other}${joint(other)}${query}`;
}

/** Headers that hold a token. */
export const headerNames = words(`
  {X-,}{Access,Auth,Api,Authorization,Bearer,Authentication,Jwt,Id,Session,User,App,Client,Service,OAuth}-Token {X-,}Token
  {X,X-Forwarded,X-Original,Proxy,X-HTTP,X-Custom,X-Proxy,X-User,X-Client,X-Api,X-Internal,X-Backend,X-Gateway,X-Envoy,
    X-Serverless,X-Amzn-Remapped,X-JWT,X-Auth-Request,Grpc-Metadata,WWW}-Authorization Authorization-{Header,Bearer}
  WWW-Authenticate {HTTP,REDIRECT_HTTP}_AUTHORIZATION {X_,}{Access,Auth,Api}_Token {X_,}Api_Key {X-,}{Access,Auth,Api}Token
  {X-,}Api{-,}Key {X-,}{Authentication,Key,Bearer,Auth,JWT,Jwt-Assertion,Session,Session-Id,Credentials,Ticket,Access}
  SessionId Assertion DPoP On-Behalf-Of Cf-Access-Jwt-Assertion
  X-{Auth-Access,Auth-User,Security,Secret,Login,Admin,Internal,Csrf,Xsrf,Forwarded,Forwarded-Access,Forwarded-Id,
    Original-Access,Auth-Request,Auth-Request-Access,Amz-Security,Firebase-Id,Subject}-Token
  X-{Auth,Forwarded-Api,Goog-Api,Functions,Gravitee-Api,RapidAPI}-Key Ocp-Apim-Subscription-Key
  X-{Jwt-Payload,Goog-Iap-Jwt-Assertion,Kong-Jwt,Ms-Client-Principal,Zumo-Auth} X-Forwarded-{Auth,Jwt,Bearer}
  X-Amzn-Oidc-{Accesstoken,Data,Identity}
`);

/** Headers that servers read like Authorization, also with Basic credentials in them. */
export const authorizationLike = words(`
  Proxy-Authorization X-Authorization X-Forwarded-Authorization X-Original-Authorization X-HTTP-Authorization
  Authentication X-Auth Auth
`);

/** Query parameters and form fields. */
export const parameterNames = words(`
  {access,api,auth}{_t,T,-t}oken token bearer auth authorization authentication jwt {jwt,id,bearer}{_t,T}oken key
  api{_k,K,-k}ey {x-access,x-auth,x}-token x-api-key x-authorization token_id session{,_id,Id} sid PHPSESSID JSESSIONID
  {session,user,oauth,refresh}{_t,T}oken {app,client,private,secret,security,login,csrf}_token {,_,_auth}_token oauth
  accesskey access_key secret tk t a k code {client_,}assertion sso ticket sig{nature,} pass{,word} credential{,s}
  subscription-key X-Amz-Security-Token
`);

/** The same names in another spelling, for servers that compare case-sensitively. */
export const respeltParameterNames = words(`
  Token {ACCESS_,}TOKEN_ID Access{,_,-}Token AuthToken {X-Access,X-Auth}-Token IdToken Api_Token Authorization Bearer
  JWT Auth Key Api{,-,_}Key X-Api-Key Session SID
`);

export const cookieNames = words(`
  access_token{,_cookie} {access,Access,auth,Auth,api,bearer,id,jwt,session,Bearer,oauth,user,refresh,authentication,
    X-Access-,X-Auth-,Auth-}Token {access,auth,api,id,jwt,session,user}-token
  {auth,api,bearer,id,jwt,session,oauth,user,csrf,refresh,login,}_token token Token jwt JWT session authorization
  {,X-,CF_}Authorization auth Auth api{_k,K,k}ey bearer Bearer session{_id,Id,id} SESSION sid SID PHPSESSID JSESSIONID
  ASP.NET_SessionId connect.sid .AspNetCore.{Cookies,Session} {laravel_,_,__,__Secure-,__Host-}session _session_id
  _oauth2_proxy _forward_auth __{Host,Secure}-{,access_}token {,__Secure-}{next-auth,authjs}.session-token appSession
  XSRF-TOKEN csrftoken access key credentials secret sso ticket
`);

/** Members of a JSON body; a dot means a nested object. */
export const jsonNames: readonly string[] = [
  ...parameterNames,
  ...words(`
    Token {Access,Auth,Access_,Id}Token Authorization Bearer JWT Auth ApiKey Session
    data.{accessToken,access_token,token,jwt,authorization} headers.{Authorization,authorization}
    {header,user,meta,params,payload,context}.token {context,user,payload}.accessToken {request,body,login,client}.token
  `),
];

/** User names and passwords that products accept; TOKEN is replaced by the token. */
export const basicPairs = words(
  'TOKEN:{,TOKEN,x-oauth-basic,api,token} {,x-oauth-basic,api,token}:TOKEN',
);

/** Schemes that frameworks and products use, and that firewalls do not react to. */
export const commonSchemes = words('Basic Digest Token JWT OAuth');

export const schemes = words(`
  ApiKey Api-Key Key OAuth2 AccessToken Access-Token Auth Session SSWS DPoP MAC Negotiate
`);

/** Values of Authorization without the word Bearer and a blank before the token. */
export const withoutScheme = [
  ...['BearerTOKEN', 'Bearer: TOKEN', 'Bearer=TOKEN', 'Bear TOKEN', 'Bearers TOKEN'],
  ...['Basic Bearer TOKEN', 'Bearer token="TOKEN"', 'Token token="TOKEN"'],
];

/** Pairs of headers: one for the API key, and one for the secret key. */
export const keyHeaders = pairs(`
  X-Api-[Key/Secret] X-[Api-Key/Secret-Key] [apiKey/secretKey] Api-[Key/Secret] [Api/Secret]-Key X-Api[Key/Secret]
  {X-,}Client-[Id/Secret] {X-,}App-[Key/Secret] X-Access-[Key/Secret] X-[Key/Secret] X-{Consumer,Auth}-[Key/Secret]
  X-Auth-[User/Password] X-[User/Password] [Username/Password] X-[Public/Private]-Key X-Api-[Id/Token]
  X-{Service,Subscription,Rapidapi,Goog-Api}-[Key/Secret] Ocp-Apim-Subscription-[Key/Secret]
`);

/** Pairs of query parameters, cookies or fields: one for the API key, and one for the secret key. */
export const keyParameters = pairs(`
  [apiKey/secretKey] [api/secret]_key api_[key/secret] api[Key/Secret] [api/secret]-key [key/secret] client_[id/secret]
  client[Id/Secret] {app,access,consumer}_[key/secret] {app,access}[Key/Secret] [public/private]_key [username/password]
  [user/pass] {subscription,x-api}-[key/secret] {,access_}token[/_secret]
`);

/** Some of these names in lower case. */
export const smallKeyParameters = pairs('[apikey/secretkey] {api,app}[key/secret]');
