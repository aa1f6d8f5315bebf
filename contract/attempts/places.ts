import type { Endpoint } from '../http/request.ts';
import { addHeaders, type Deviation, expand, type Part } from './deviation.ts';

/* Where frameworks, gateways and proxies look for a token or a key. The names come from their documentation. */

/** Pairs of names: `X-[Key/Secret]` are X-Key and X-Secret. */
const pairs = (text: string): readonly string[][] =>
  expand(text).map((pair) => ['$1', '$2'].map((name) => pair.replace(/\[(.*)\/(.*)\]/, name)));

/** Headers that hold a token. */
const headerNames = expand(`
  {X-,}{Access,Auth,Api,Authorization,Bearer,Authentication,Jwt,Id,Session,User,App,Client,Service,OAuth,OAuth2,
    Refresh}-Token {X-,}{Access,Auth,Api}Token {X_,}{Access,Auth,Api}_Token {X_,}Api_Key {X-,}Api{-,}Key {X-,}Token
  {X-,}{Authentication,Key,Bearer,Auth,Auth-Bearer,JWT,Jwt-Assertion,Session,Session-Id,Credentials,Ticket,Password,
    OAuth,Access} SessionId Assertion DPoP On-Behalf-Of {Jwt,Session}Token Authorization-{Header,Bearer}
  {X,X-Forwarded,X-Original,Proxy,X-HTTP,X-Custom,X-Proxy,X-User,X-Client,X-Api,X-Internal,X-Backend,X-Gateway,X-Envoy,
    X-Amzn-Remapped,X-Auth-Request,Grpc-Metadata}-Authorization {HTTP,REDIRECT_HTTP}_AUTHORIZATION
  X-{Auth-Access,Auth-User,Identity,Application,Request,Security,Secure,Secret,Login,Admin,Internal,Sso,OAuth-Access,
    Csrf,Xsrf,Forwarded,Forwarded-Access,Original-Access,Auth-Request,Auth-Request-Access,Amz-Security,Gitlab,Vault,
    Shopify-Access,Subject}-Token X-Ms-Token-Aad-{Access,Id}-Token {Cf-Access,Private}-Token Cf-Access-Jwt-Assertion
  X-{Auth,Master,Forwarded-Api,Goog-Api,Functions,RapidAPI}-Key Ocp-Apim-Subscription-Key X-Forwarded-{Auth,Jwt,Bearer}
  X-{Token-Auth,Auth-Jwt,Jwt-Payload,User-Jwt,Secret,Token-Id,Credential,Goog-Iap-Jwt-Assertion,Kong-Jwt,
    Ms-Client-Principal,Client-Assertion} X-Amzn-Oidc-{Accesstoken,Data}
`);

/** Headers that servers read like Authorization, also with Basic credentials in them. */
const authorizationLike = expand(`
  {Proxy,X,X-Forwarded,X-Original,X-HTTP}-Authorization Authentication X-Auth Auth
`);

/** Query parameters, form fields and members of JSON. Some are spelt twice, for servers that compare them with their case. */
const parameterNames = expand(`
  {access,api,auth}{_t,T,-t}oken token bearer auth authorization authentication jwt {jwt,id,bearer}{_t,T}oken key
  api{_k,K,-k}ey {x-access,x-auth,x}-token x-api-key x-authorization session{,_id,Id} sid PHPSESSID JSESSIONID
  {session,user,oauth,refresh}{_t,T}oken {app,client,private,oauth_access,secret,security,service,login,request,csrf,
    sso}_token {,_}_token token_id oauth access{,key,_key} secret tk tok t at a k code {client_,}assertion ticket
  sig{nature,} hash pass{,word} credential{,s} subscription-key X-Amz-Security-Token X-Goog-Api-Key {auth,app}_key
  Token Access{,_,-}Token AuthToken {X-Access,X-Auth}-Token IdToken Authorization Bearer JWT Auth Key Api{,-}Key
`);

const cookieNames = expand(`
  access_token{,_cookie} {access,Access,auth,Auth,api,bearer,id,jwt,session,Bearer,oauth,user,refresh,authentication,
    X-Access-,X-Auth-,Auth-}Token {access,auth,api,id,jwt,session,user,sb-access,x-access,x-auth,x}-token
  {auth,api,bearer,id,jwt,session,oauth,user,remember,csrf,refresh,login,sso,app,}_token
  token Token jwt JWT session{_id,Id,id,} authorization {,X-}Authorization auth Auth api{_k,K,k}ey bearer Bearer
  sid SID PHPSESSID JSESSIONID ASP.NET_SessionId connect.sid .AspNetCore.{Cookies,Session} .ASPXAUTH
  {laravel_,_,__Secure-,__Host-}session _oauth2_proxy __{Host,Secure}-{,access_}token __Host-{jwt,auth}
  {,__Secure-}{next-auth,authjs}.session-token XSRF-TOKEN authentication access key credentials secret sso ticket
`);

/** Pairs of headers: one for the API key, and one for the secret key. */
const keyHeaders = pairs(`
  X-Api-[Key/Secret] X-[Api-Key/Secret-Key] [apiKey/secretKey] Api-[Key/Secret] [Api/Secret]-Key X-Api[Key/Secret]
  {X-,}Client-[Id/Secret] {X-,}App-[Key/Secret] X-App-[Id/Token] X-{Access,Consumer,Auth,Goog-Api}-[Key/Secret]
  [Access-Key/Secret] X-[Key/Secret] X-Auth-[User/Password] X-[User/Password] [Username/Password] X-[Public/Private]-Key
  X-Token-[Id/Secret] X-Api-[Id/Token] CF-Access-Client-[Id/Secret] Ocp-Apim-Subscription-[Key/Secret]
`);

/** Pairs of query parameters, cookies or fields: one for the API key, and one for the secret key. */
const keyParameters = pairs(`
  [apiKey/secretKey] [api/secret]_key api_[key/secret] api[Key/Secret] [api/secret]-key [key/secret] client_[id/secret]
  client[Id/Secret] {app,access,consumer}_[key/secret] {app,access}[Key/Secret] app_[id/token] [public/private]_key
  [username/password] [user/pass] {subscription,x-api}-[key/secret] [apikey/secretkey] {api,app}[key/secret]
`);

export const bare = 'TOKEN';
export const withScheme = 'Bearer TOKEN';

/** Places from which a server may take the token: each of these names, with each of these texts. */
export const tokenIn = (part: Part, names: readonly string[], ...texts: readonly string[]) =>
  texts.flatMap((text) => {
    const how = text === bare ? '' : `, as ${JSON.stringify(text)}`;
    return names.map((name) => ({
      what: `the token is in the ${part} ${name}${how}`,
      items: [{ part, name, text }],
    }));
  });

/** Browsers set no other header of a WebSocket's handshake (RFC 6455 4.1), so clients put tokens there. */
const handshake: Deviation = {
  what: "the token is among the subprotocols of a WebSocket's handshake",
  items: addHeaders(`
    Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Version: 13 · Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== ·
    Sec-WebSocket-Protocol: bearer, access_token, TOKEN, bearer.TOKEN, token.TOKEN, access_token.TOKEN
  `).flatMap(({ items = [] }) => items),
};

/** All places, besides the Authorization header, from which a service may take a token. */
export function tokenPlaces({ path }: Endpoint): readonly Deviation[] {
  const inAddress = `${path.split('?')[0]}?access_token=TOKEN&token=TOKEN&jwt=TOKEN`;
  return [
    ...tokenIn('query', parameterNames, bare, withScheme),
    // A cookie cannot contain a blank (RFC 6265 4.1.1), so clients encode it.
    ...tokenIn('cookie', cookieNames, bare, withScheme, 'Bearer%20TOKEN'),
    ...tokenIn('header', headerNames, bare, withScheme),
    // Gateways put the requested URL into headers, and its query may hold a token.
    ...tokenIn('header', expand('Referer X-Forwarded-Uri X-Original-{URI,URL}'), inAddress),
    ...tokenIn('header', authorizationLike, 'Basic base64(TOKEN:TOKEN)'),
    handshake,
    ...tokenIn('json', parameterNames, bare, withScheme),
    ...tokenIn('form', parameterNames, bare, withScheme),
  ];
}

/** By default the Authorization header, which is alone in its request. */
export const inHeader = (what: string, text: string, name = 'Authorization'): Deviation => ({
  what,
  items: [{ part: 'header', name, text }],
});

const underScheme = (scheme: string): Deviation =>
  inHeader(`the scheme is ${scheme}`, `${scheme} TOKEN`);

const asPair = (pair: string): Deviation =>
  inHeader(`the Basic credentials are ${pair}`, `Basic base64(${pair})`);

const alone = (text: string): Deviation => inHeader(`the header is ${text}`, text);

/** The Authorization header with a valid token under another scheme than Bearer, or under none. */
export const tokenSchemes: readonly Deviation[] = [
  ...expand(`
    Basic Digest Token JWT OAuth ApiKey Api-Key Key OAuth2 AccessToken Access-Token Auth Session SSWS DPoP MAC Negotiate
  `).map(underScheme),
  ...[bare, 'BearerTOKEN', 'Bearer: TOKEN', 'Bearer=TOKEN', 'Bear TOKEN', 'Bearers TOKEN'].map(
    alone,
  ),
  ...['Basic Bearer TOKEN', 'Bearer token="TOKEN"', 'Token token="TOKEN"'].map(alone),
  // User names and passwords that products accept.
  ...expand(
    'TOKEN:{,TOKEN,x-oauth-basic,api,token,api_token} {,x-oauth-basic,api,token}:TOKEN',
  ).map(asPair),
];

const asBasic = 'Basic base64(KEY:SECRET)';

/** All places from which a service may take the API key and the secret key instead of a token. */
export const credentialPlaces: readonly Deviation[] = [
  inHeader('the API key is the token', 'Bearer uri(KEY)'),
  inHeader('the secret key is the token', 'Bearer uri(SECRET)'),
  inHeader('the API key has a scheme of its own', 'ApiKey uri(KEY)'),
  inHeader('key and secret, as Basic has them, are the token', 'Bearer base64(KEY:SECRET)'),
  inHeader('key and secret are Basic credentials', asBasic),
  inHeader('secret and key are Basic credentials', 'Basic base64(SECRET:KEY)'),
  inHeader('the API key alone is the Basic user', 'Basic base64(KEY:)'),
  inHeader('the API key stands alone', 'uri(KEY)'),
  ...authorizationLike.map((name) =>
    inHeader(`key and secret are Basic credentials in the header ${name}`, asBasic, name),
  ),
  ...[...new Set(keyHeaders.flat())].map((name) =>
    inHeader(`the secret key is in the header ${name}`, 'uri(SECRET)', name),
  ),
  ...pairsIn('header', keyHeaders),
  ...(['query', 'cookie', 'json', 'form'] as const).flatMap((part) => pairsIn(part, keyParameters)),
];

function pairsIn(part: Part, names: readonly (readonly string[])[]): Deviation[] {
  const isHeader = part === 'header' || part === 'cookie';
  const [key, secret] = isHeader ? ['uri(KEY)', 'uri(SECRET)'] : ['KEY', 'SECRET'];
  return names.map(([first = '', second = '']) => ({
    what: `the API key and the secret key are in ${part} ${first} and ${second}`,
    items: [
      { part, name: first, text: key },
      { part, name: second, text: secret },
    ],
  }));
}
