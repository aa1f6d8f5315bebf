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
  {X-,}{Access,Auth,Api,Authorization,Bearer,Authentication,Jwt,Id,Session,User,User-Access,App,Client,Service,OAuth,
    OAuth2,Refresh,Cognito-Access}-Token {X-,}Token X-{Authorization-Bearer,Ms-Authorization-Auxiliary}
  {X,X-Forwarded,X-Original,Proxy,X-HTTP,X-Custom,X-Proxy,X-User,X-Client,X-Api,X-Internal,X-Backend,X-Upstream,
    X-Gateway,X-Envoy,X-Serverless,X-Amzn-Remapped,X-Tyk,X-Delegated,X-Remote,X-JWT,X-Auth-Request,X-Cybozu,X-Emby,
    Grpc-Metadata,WWW,CF}-Authorization Authorization-{Header,Bearer} WWW-Authenticate {HTTP,REDIRECT_HTTP}_AUTHORIZATION
  {X_,}{Access,Auth,Api}_Token {X_,}Api_Key {X-,}{Access,Auth,Api}Token X-UserToken {X-,}Api{-,}Key {Jwt,Session}Token
  {X-,}{Authentication,Authorisation,Key,Bearer,Auth,Auth-Bearer,JWT,Jwt-Assertion,Session,Session-Id,Credentials,
    Ticket,Password,OAuth,Access} SessionId Assertion DPoP On-Behalf-Of Jenkins-Crumb Cf-Access-Jwt-Assertion
  X-{Auth-Access,Auth-User,Identity,Application,Request,Security,Secure,Secret,Login,Device,Admin,Internal,Sso,
    OAuth-Access,Csrf,Xsrf,Forwarded,Forwarded-Access,Forwarded-Id,Original-Access,Auth-Request,Auth-Request-Access,
    Auth-Request-Id,Amz-Security,Amz-Access,Goog-Iam-Authorization,Firebase-Id,Consumer,Gitlab,Github,Vault,Consul,
    Nomad,Shopify-Access,Shopify-Storefront-Access,Figma,Plex,Emby,MediaBrowser,Rundeck-Auth,Parse-Session,Subject,
    Storage,Sentry,Keycloak,Jenkins,Api-Auth,Api-Access,Rest,Line-Access,Joomla,Hub}-Token
  X-Ms-Token-{Aad,Google,Facebook,Github}-Access-Token X-Ms-Token-{Aad,Google}-Id-Token
  {Cf-Access,Private,Job,Deploy,Grpc-Metadata,St-Access}-Token DD-API-KEY Ocp-Apim-Subscription-Key
  X-{Auth,Master,Forwarded-Api,Goog-Api,Functions,Gravitee-Api,RapidAPI,Redmine-Api,Hasura-Access,Appwrite}-Key
  X-{Token-Auth,Auth-Jwt,Jwt-Payload,User-Jwt,Secret,Token-Id,Credential,Csrftoken,Goog-Iap-Jwt-Assertion,Kong-Jwt,
    Endpoint-Api-Userinfo,Ms-Client-Principal,Zumo-Auth,Identity-Header,Hasura-Admin-Secret,Tableau-Auth,Sentry-Auth,
    Appwrite-JWT,Supabase-Auth,WP-Nonce,Client-Assertion,Api-Auth,Odoo-Session-Id,Firebase-Auth,Firebase-AppCheck}
  X-Forwarded-{Auth,Jwt,Bearer} X-Amzn-Oidc-{Accesstoken,Data,Identity}
`);

/** Headers in which gateways put the requested URL, whose query may hold a token. */
export const addressHeaderNames = words(`
  Referer X-Forwarded-Uri X-Original-URI X-Original-URL X-Auth-Request-Redirect X-Envoy-Original-Path
`);

/** Headers that servers read like Authorization, also with Basic credentials in them. */
export const authorizationLike = words(`
  Proxy-Authorization X-Authorization X-Forwarded-Authorization X-Original-Authorization X-HTTP-Authorization
  Authentication X-Auth Auth
`);

/**
 * Paths with a token: in the parameters of a path (RFC 3986 3.3), from which servlets read the id of a session, and in
 * a segment of its own. `{in}` is the prefix, `{rest}` what follows it in the endpoint's path, `{path}` both.
 */
export const pathPatterns: readonly string[] = [
  '{path};jsessionid=TOKEN;JSESSIONID=TOKEN;access_token=TOKEN;token=TOKEN',
  '{in}TOKEN/{rest}',
  '{path}/TOKEN',
];

/** Query parameters and form fields. */
export const parameterNames = words(`
  {access,api,auth}{_t,T,-t}oken token bearer auth authorization authentication jwt {jwt,id,bearer}{_t,T}oken key
  api{_k,K,-k}ey {x-access,x-auth,x}-token x-api-key x-authorization {bearer,jwt}-token token_id session{,_id,Id} sid sessid
  ssid PHPSESSID JSESSIONID {session,user,oauth,refresh}{_t,T}oken {app,client,private,job,deploy,personal_access,
    oauth_access,oauth2,secret,security,service,login,request,csrf,xsrf,authenticity,authentication,subject,actor,saml,
    sso,magic,verify,websocket,ws,socket,u}_token {,_,_auth}_token oauth authorisation access{,key,_key} secret _csrf
  tk tok t at a k code {client_,}assertion sso ticket sig{nature,} hash pass{,word} pwd credential{,s} subscription-key
  X-{Amz-Security,Plex}-Token X-Goog-Api-Key hapikey {auth,app}_key signed_request connectionToken
`);

/** The same names in another spelling, for servers that compare case-sensitively. */
export const respeltParameterNames = words(`
  Token {ACCESS_,}TOKEN_ID Access{,_,-}Token AuthToken {X-Access,X-Auth}-Token IdToken Api_Token Authorization Bearer
  JWT Auth Key Api{,-,_}Key X-Api-Key Session SID
`);

export const cookieNames = words(`
  access_token{,_cookie} {access,Access,auth,Auth,api,bearer,id,jwt,session,Bearer,OAuth,oauth,user,sAccess,refresh,
    authentication,jhi-authentication,X-Access-,X-Auth-,Auth-}Token {access,auth,api,id,jwt,session,user}-token
  {auth,api,bearer,id,jwt,jwt_access,session,oauth,oauth2,user,remember,csrf,refresh,login,private,sso,app,}_token
  token Token jwt JWT session authorization {,X-,CF_}Authorization auth Auth api{_k,K,k}ey bearer Bearer BEARER
  session{_id,Id,id} SESSION sid SID PHPSESSID JSESSIONID ASP.NET_SessionId connect.sid .AspNetCore.{Cookies,Session}
  .AspNet.ApplicationCookie .ASPXAUTH {laravel_,_,__,__Secure-,__Host-}session _session_id _oauth2_proxy _forward_auth
  GCP_IAP_AUTH_TOKEN __Session __{Host,Secure}-{,access_}token __Host-{jwt,auth}
  {,__Secure-}{next-auth,authjs}.session-token better-auth.session_token {sb-access,supabase-auth,st-access}-token
  appSession KEYCLOAK_IDENTITY {x-access,x-auth,x}-token XSRF-TOKEN csrftoken {a,A}uthentication access key credentials
  secret sso ticket
`);

/** Members of a JSON body; a dot means a nested object. */
export const jsonNames: readonly string[] = [
  ...parameterNames,
  ...words(`
    Token {Access,Auth,Access_,Id}Token Authorization Bearer JWT Auth ApiKey Session
    data.{accessToken,access_token,token,jwt,authorization} headers.{Authorization,authorization,X-Access-Token}
    {header,user,meta,params,payload,context}.token {header,context,meta}.authorization params.access_token
    {context,user,payload}.accessToken connectionParams.{authToken,Authorization,authorization}
    extensions.authorization {variables,request,body,authentication_data,login,account,client}.token
  `),
];

/** User names and passwords that products accept; TOKEN is replaced by the token. */
export const basicPairs = words(`
  TOKEN:{,TOKEN,x-oauth-basic,api,token,api_token} {,x-oauth-basic,api,token}:TOKEN
`);

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
  {X-,}Client-[Id/Secret] {X-,}App-[Key/Secret] X-App-[Id/Token] X-Access-[Key/Secret] [Access-Key/Secret] X-[Key/Secret]
  X-{Consumer,Auth}-[Key/Secret] X-Auth-[User/Password] X-Auth-[Email/Token] X-[User/Password] X-[Username/Pass]
  [Username/Password] X-[Public/Private]-Key X-Token-[Id/Secret] X-Api-[Id/Token] X-{Merchant,Account}-[Id/Secret]
  X-{Service,Subscription,Integration,Rapidapi,Goog-Api,Gravitee-Api}-[Key/Secret] X-Parse-[Application-Id/Rest-Api-Key]
  X-Appwrite-[Project/Key] CF-Access-Client-[Id/Secret] DD-[API/APPLICATION]-KEY Ocp-Apim-Subscription-[Key/Secret]
  X-[Functions/Master]-Key X-Hasura-[Access-Key/Admin-Secret]
`);

/** Pairs of query parameters, cookies or fields: one for the API key, and one for the secret key. */
export const keyParameters = pairs(`
  [apiKey/secretKey] [api/secret]_key api_[key/secret] api[Key/Secret] [api/secret]-key [key/secret] client_[id/secret]
  client[Id/Secret] {app,access,consumer,oauth_consumer}_[key/secret] {app,access}[Key/Secret] app_[id/token]
  [public/private]_key [username/password] [user/pass] [login/passwd] {subscription,x-api}-[key/secret] [k/s] [auth/sign]
  {,access_}token[/_secret]
`);

/** Some of these names in lower case. */
export const smallKeyParameters = pairs('[apikey/secretkey] {api,app}[key/secret]');
