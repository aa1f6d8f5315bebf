/*
 * Where frameworks, gateways, proxies and products look for a token or a key. The names come from their documentation;
 * the order decides only which of several is named first.
 */

/** The words of a text, in which a list of names is shorter than in quotes. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const pairs = (text: string): readonly string[][] => words(text).map((pair) => pair.split('/'));

/** Headers that hold a token. */
export const headerNames = words(`
  X-Access-Token X-Auth-Token X-Api-Token X-Token X-Api-Key Access-Token Auth-Token Api-Token Token Authentication
  X-Authorization X-Forwarded-Authorization X-Original-Authorization Proxy-Authorization X-HTTP-Authorization
  Authorisation X-Authorisation Authorization-Token X-Authorization-Token Authorization-Header X-Authorization-Bearer
  Authorization-Bearer X-Custom-Authorization X-Proxy-Authorization X-User-Authorization X-Client-Authorization
  X-Api-Authorization X-Internal-Authorization X-Backend-Authorization X-Upstream-Authorization X-Gateway-Authorization
  X-Envoy-Authorization X-Serverless-Authorization X-Amzn-Remapped-Authorization X-Tyk-Authorization
  X-Delegated-Authorization X-Remote-Authorization X-JWT-Authorization X-Auth-Request-Authorization
  X-Cybozu-Authorization X-Emby-Authorization X-Ms-Authorization-Auxiliary Grpc-Metadata-Authorization
  HTTP_AUTHORIZATION REDIRECT_HTTP_AUTHORIZATION Access_Token Auth_Token Api_Token X_Access_Token X_Auth_Token X_Api_Key
  X_Api_Token Api_Key AccessToken AuthToken ApiToken ApiKey JwtToken X-AccessToken X-AuthToken X-ApiToken X-ApiKey
  Api-Key X-Key Key Bearer X-Bearer Bearer-Token X-Bearer-Token Auth-Bearer X-Auth-Bearer Auth X-Auth X-Authentication
  Authentication-Token X-Authentication-Token X-Auth-Access-Token X-Auth-User-Token X-Auth-Key X-Token-Auth X-Auth-Jwt
  JWT X-JWT Jwt-Token X-Jwt-Token X-Jwt-Assertion Jwt-Assertion Assertion X-Jwt-Payload Id-Token X-Id-Token Session
  Session-Token Session-Id X-Session X-Session-Token X-Session-Id SessionToken SessionId User-Token X-User-Token
  User-Access-Token X-User-Access-Token X-Identity-Token X-User-Jwt X-UserToken App-Token X-App-Token
  X-Application-Token Client-Token X-Client-Token Service-Token X-Service-Token X-Request-Token X-Security-Token
  X-Secure-Token X-Secret-Token X-Secret X-Login-Token X-Device-Token X-Admin-Token X-Internal-Token X-Master-Key
  X-Sso-Token X-Token-Id X-Credential Credentials X-Credentials X-Ticket Ticket X-Password Password OAuth OAuth-Token
  X-OAuth X-OAuth-Token X-OAuth2-Token X-OAuth-Access-Token OAuth2-Token X-Access Access Refresh-Token X-Refresh-Token
  X-Csrf-Token X-Xsrf-Token X-Csrftoken WWW-Authenticate WWW-Authorization DPoP X-Forwarded-Access-Token
  X-Forwarded-Token X-Forwarded-Auth X-Forwarded-Id-Token X-Forwarded-Jwt X-Forwarded-Api-Key X-Forwarded-Bearer
  X-Original-Access-Token X-Auth-Request-Access-Token X-Auth-Request-Token X-Auth-Request-Id-Token X-Amz-Security-Token
  X-Amz-Access-Token X-Amzn-Oidc-Accesstoken X-Amzn-Oidc-Data X-Amzn-Oidc-Identity X-Goog-Iap-Jwt-Assertion
  X-Goog-Api-Key X-Goog-Iam-Authorization-Token X-Endpoint-Api-Userinfo X-Firebase-Auth X-Firebase-AppCheck
  X-Firebase-Id-Token Cf-Access-Jwt-Assertion Cf-Access-Token CF-Authorization X-Ms-Token-Aad-Access-Token
  X-Ms-Token-Aad-Id-Token X-Ms-Token-Google-Access-Token X-Ms-Token-Google-Id-Token X-Ms-Token-Facebook-Access-Token
  X-Ms-Token-Github-Access-Token X-Ms-Client-Principal X-Zumo-Auth X-Functions-Key Ocp-Apim-Subscription-Key
  X-Identity-Header X-Gravitee-Api-Key X-Consumer-Token X-RapidAPI-Key X-Kong-Jwt Private-Token Job-Token Deploy-Token
  X-Gitlab-Token X-Github-Token X-Vault-Token X-Consul-Token X-Nomad-Token X-Shopify-Access-Token
  X-Shopify-Storefront-Access-Token X-Figma-Token X-Plex-Token X-Emby-Token X-MediaBrowser-Token X-Redmine-Api-Key
  X-Rundeck-Auth-Token X-Parse-Session-Token X-Hasura-Access-Key X-Hasura-Admin-Secret X-Subject-Token X-Storage-Token
  X-Tableau-Auth X-Sentry-Auth X-Sentry-Token DD-API-KEY X-Appwrite-JWT X-Appwrite-Key X-Cognito-Access-Token
  Cognito-Access-Token X-Keycloak-Token X-Supabase-Auth X-WP-Nonce X-Client-Assertion Grpc-Metadata-Token
  X-Jenkins-Token Jenkins-Crumb X-Api-Auth X-Api-Auth-Token X-Api-Access-Token X-Rest-Token St-Access-Token
  X-Line-Access-Token X-Odoo-Session-Id X-Joomla-Token X-Hub-Token On-Behalf-Of
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
  access_token accessToken token api_token apiToken auth_token authToken bearer auth authorization authentication jwt
  jwt_token jwtToken id_token idToken key api_key apiKey access-token auth-token api-token api-key x-access-token
  x-auth-token x-api-key x-token x-authorization bearer_token bearerToken bearer-token token_id session session_id
  sessionId session_token sessionToken sid sessid ssid PHPSESSID JSESSIONID user_token userToken app_token client_token
  private_token job_token deploy_token personal_access_token oauth_token oauthToken oauth_access_token oauth2_token
  oauth authorisation access accesskey access_key secret secret_token security_token service_token login_token
  request_token refresh_token refreshToken csrf_token _csrf _token xsrf_token authenticity_token authentication_token tk
  tok t at a k code assertion client_assertion subject_token actor_token saml_token sso_token sso ticket signature sig
  hash pass password pwd credential credentials subscription-key X-Amz-Security-Token X-Goog-Api-Key X-Plex-Token
  hapikey auth_key app_key _auth_token __token magic_token signed_request verify_token websocket_token ws_token
  socket_token connectionToken u_token jwt-token
`);

/** The same names in another spelling, for servers that compare case-sensitively. */
export const respeltParameterNames = words(`
  Token TOKEN_ID AccessToken Access_Token Authorization Bearer JWT Auth ApiKey Api-Key AuthToken Access-Token Key
  ACCESS_TOKEN_ID X-Access-Token X-Auth-Token X-Api-Key IdToken Session SID Api_Key Api_Token
`);

export const cookieNames = words(`
  access_token access_token_cookie accessToken AccessToken access-token token Token jwt JWT session Authorization
  authorization auth Auth auth_token authToken auth-token AuthToken Auth-Token api_token apiToken api-token api_key
  apiKey apikey bearer Bearer bearer_token bearerToken id_token idToken id-token jwt_token jwtToken jwt-token
  jwt_access_token session_id sessionId sessionid SESSION session_token sessionToken session-token sid SID PHPSESSID
  JSESSIONID ASP.NET_SessionId connect.sid .AspNetCore.Cookies .AspNetCore.Session .AspNet.ApplicationCookie .ASPXAUTH
  laravel_session _session _session_id CF_Authorization _oauth2_proxy _forward_auth GCP_IAP_AUTH_TOKEN __session
  __Session __Secure-session __Host-session __Host-token __Secure-token __Host-access_token __Secure-access_token
  __Host-jwt __Host-auth next-auth.session-token __Secure-next-auth.session-token authjs.session-token
  __Secure-authjs.session-token better-auth.session_token sb-access-token supabase-auth-token sAccessToken
  st-access-token appSession KEYCLOAK_IDENTITY BearerToken OAuthToken oauth_token oauthToken oauth2_token user_token
  userToken user-token remember_token X-Access-Token X-Auth-Token x-access-token x-auth-token X-Authorization x-token
  XSRF-TOKEN csrftoken csrf_token refresh_token refreshToken login_token private_token authentication Authentication
  access key credentials secret sso sso_token ticket jhi-authenticationToken authenticationToken BEARER app_token _token
`);

/** Members of a JSON body; a dot means a nested object. */
export const jsonNames: readonly string[] = [
  ...parameterNames,
  ...words(`
    Token AccessToken Authorization Bearer JWT Auth ApiKey AuthToken Access_Token IdToken Session data.accessToken
    data.access_token data.token data.jwt data.authorization headers.Authorization headers.authorization
    headers.X-Access-Token header.token header.authorization context.token context.accessToken context.authorization
    user.token user.accessToken meta.token meta.authorization params.token params.access_token payload.token
    payload.accessToken connectionParams.authToken connectionParams.Authorization connectionParams.authorization
    extensions.authorization variables.token request.token body.token authentication_data.token login.token
    account.token client.token
  `),
];

/** User names and passwords that products accept; TOKEN is replaced by the token. */
export const basicPairs = words(`
  TOKEN: :TOKEN TOKEN:TOKEN TOKEN:x-oauth-basic x-oauth-basic:TOKEN TOKEN:api api:TOKEN TOKEN:token token:TOKEN
  TOKEN:api_token
`);

/** Schemes that frameworks and products use, and that firewalls do not react to. */
export const commonSchemes = words('Basic Digest Token JWT OAuth');

export const schemes = words(`
  ApiKey Api-Key Key OAuth2 AccessToken Access-Token Auth Session SSWS DPoP MAC Negotiate
`);

/** Values of Authorization without the word Bearer and a blank before the token. */
export const withoutScheme: readonly string[] = [
  'BearerTOKEN',
  'Bearer: TOKEN',
  'Bearer=TOKEN',
  'Bear TOKEN',
  'Bearers TOKEN',
  'Basic Bearer TOKEN',
  'Bearer token="TOKEN"',
  'Token token="TOKEN"',
];

/** Pairs of headers: one for the API key, and one for the secret key. */
export const keyHeaders = pairs(`
  X-Api-Key/X-Api-Secret X-Api-Key/X-Secret-Key apiKey/secretKey Api-Key/Api-Secret Api-Key/Secret-Key
  X-ApiKey/X-ApiSecret X-Client-Id/X-Client-Secret Client-Id/Client-Secret X-App-Key/X-App-Secret App-Key/App-Secret
  X-App-Id/X-App-Token X-Access-Key/X-Access-Secret Access-Key/Secret X-Key/X-Secret X-Consumer-Key/X-Consumer-Secret
  X-Auth-Key/X-Auth-Secret X-Auth-User/X-Auth-Password X-Auth-Email/X-Auth-Token X-User/X-Password X-Username/X-Pass
  Username/Password X-Public-Key/X-Private-Key X-Token-Id/X-Token-Secret X-Api-Id/X-Api-Token
  X-Service-Key/X-Service-Secret X-Subscription-Key/X-Subscription-Secret X-Integration-Key/X-Integration-Secret
  X-Merchant-Id/X-Merchant-Secret X-Account-Id/X-Account-Secret X-Parse-Application-Id/X-Parse-Rest-Api-Key
  X-Appwrite-Project/X-Appwrite-Key CF-Access-Client-Id/CF-Access-Client-Secret DD-API-KEY/DD-APPLICATION-KEY
  X-Rapidapi-Key/X-Rapidapi-Secret Ocp-Apim-Subscription-Key/Ocp-Apim-Subscription-Secret
  X-Goog-Api-Key/X-Goog-Api-Secret X-Functions-Key/X-Master-Key X-Hasura-Access-Key/X-Hasura-Admin-Secret
  X-Gravitee-Api-Key/X-Gravitee-Api-Secret
`);

/** Pairs of query parameters, cookies or fields: one for the API key, and one for the secret key. */
export const keyParameters = pairs(`
  apiKey/secretKey api_key/secret_key api_key/api_secret apiKey/apiSecret api-key/secret-key key/secret
  client_id/client_secret clientId/clientSecret app_key/app_secret appKey/appSecret app_id/app_token
  access_key/access_secret accessKey/accessSecret consumer_key/consumer_secret oauth_consumer_key/oauth_consumer_secret
  public_key/private_key username/password user/pass login/passwd subscription-key/subscription-secret
  x-api-key/x-api-secret k/s auth/sign token/token_secret access_token/access_token_secret
`);

/** Some of these names in lower case. */
export const smallKeyParameters = pairs('apikey/secretkey apikey/apisecret appkey/appsecret');
