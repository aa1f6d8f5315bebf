/*
 * Where frameworks, gateways and proxies look for a token or a key. The names come from their documentation; the order
 * decides only which of several is named first.
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

/** Headers that hold a token. */
export const headerNames = words(`
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

/** Headers in which gateways put the requested URL, whose query may hold a token. */
export const addressHeaderNames = words('Referer X-Forwarded-Uri X-Original-{URI,URL}');

/** Headers that servers read like Authorization, also with Basic credentials in them. */
export const authorizationLike = words(`
  {Proxy,X,X-Forwarded,X-Original,X-HTTP}-Authorization Authentication X-Auth Auth
`);

/** Query parameters and form fields. Some are spelt twice, for servers that compare them with their case. */
export const parameterNames = words(`
  {access,api,auth}{_t,T,-t}oken token bearer auth authorization authentication jwt {jwt,id,bearer}{_t,T}oken key
  api{_k,K,-k}ey {x-access,x-auth,x}-token x-api-key x-authorization session{,_id,Id} sid PHPSESSID JSESSIONID
  {session,user,oauth,refresh}{_t,T}oken {app,client,private,oauth_access,secret,security,service,login,request,csrf,
    sso}_token {,_}_token token_id oauth access{,key,_key} secret tk tok t at a k code {client_,}assertion ticket
  sig{nature,} hash pass{,word} credential{,s} subscription-key X-Amz-Security-Token X-Goog-Api-Key {auth,app}_key
  Token Access{,_,-}Token AuthToken {X-Access,X-Auth}-Token IdToken Authorization Bearer JWT Auth Key Api{,-}Key
`);

export const cookieNames = words(`
  access_token{,_cookie} {access,Access,auth,Auth,api,bearer,id,jwt,session,Bearer,oauth,user,refresh,authentication,
    X-Access-,X-Auth-,Auth-}Token {access,auth,api,id,jwt,session,user,sb-access,x-access,x-auth,x}-token
  {auth,api,bearer,id,jwt,session,oauth,user,remember,csrf,refresh,login,sso,app,}_token
  token Token jwt JWT session{_id,Id,id,} authorization {,X-}Authorization auth Auth api{_k,K,k}ey bearer Bearer
  sid SID PHPSESSID JSESSIONID ASP.NET_SessionId connect.sid .AspNetCore.{Cookies,Session} .ASPXAUTH
  {laravel_,_,__Secure-,__Host-}session _oauth2_proxy __{Host,Secure}-{,access_}token __Host-{jwt,auth}
  {,__Secure-}{next-auth,authjs}.session-token XSRF-TOKEN authentication access key credentials secret sso ticket
`);

/** Members of a JSON body; a dot means a nested object. */
export const jsonNames: readonly string[] = [
  ...parameterNames,
  ...words(`
    data.{accessToken,access_token,token,jwt} headers.{Authorization,authorization} {header,context,meta}.authorization
    {header,user,meta,params,payload,context,variables,request,body,account,client}.token {context,user}.accessToken
    connectionParams.{authToken,Authorization}
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
  {X-,}Client-[Id/Secret] {X-,}App-[Key/Secret] X-App-[Id/Token] X-{Access,Consumer,Auth,Goog-Api}-[Key/Secret]
  [Access-Key/Secret] X-[Key/Secret] X-Auth-[User/Password] X-[User/Password] [Username/Password] X-[Public/Private]-Key
  X-Token-[Id/Secret] X-Api-[Id/Token] CF-Access-Client-[Id/Secret] Ocp-Apim-Subscription-[Key/Secret]
`);

/** Pairs of query parameters, cookies or fields: one for the API key, and one for the secret key. */
export const keyParameters = pairs(`
  [apiKey/secretKey] [api/secret]_key api_[key/secret] api[Key/Secret] [api/secret]-key [key/secret] client_[id/secret]
  client[Id/Secret] {app,access,consumer}_[key/secret] {app,access}[Key/Secret] app_[id/token] [public/private]_key
  [username/password] [user/pass] {subscription,x-api}-[key/secret] [apikey/secretkey] {api,app}[key/secret]
`);
