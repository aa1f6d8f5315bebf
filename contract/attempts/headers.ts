import { type CallOptions, type Endpoint, prefix, tokenPath } from '../http/request.ts';
import {
  type Deviation,
  haveHeaders,
  headersIn,
  merged,
  type Way,
  withoutOwn,
} from './deviation.ts';
import { words } from './places.ts';
import { http10, inChunks } from './variations.ts';

/*
 * Headers that proxies, servers and frameworks are known to treat specially, as data. A guard that relies on any
 * of them admits requests without a valid token.
 */

/**
 * Headers that change neither the path nor the method. Each family has names of one meaning, and the values to try: an
 * internal caller's address; its user; what a proxy that terminates TLS reports of a certificate; marks of an internal
 * sub-request, a health check or a test; the middleware of Next.js (CVE-2025-29927); what clients of other kinds send.
 */
const trusted = `
  X-{Forwarded-For,Real-IP,Client-IP,Cluster-Client-IP,Originating-IP,Remote-IP,Remote-Addr,ProxyUser-Ip,Forwarded,
    Custom-IP-Authorization,Original-Forwarded-For,Forwarded-By,Azure-ClientIP,Azure-SocketIP,Appengine-User-IP,
    Envoy-External-Address,Source-IP,Trusted-IP,Sucuri-ClientIP,NF-Client-Connection-IP,Vercel-Forwarded-For,Peer-IP}
    {,True-,Fastly-,Incap-,Fly-,WL-Proxy-,Proxy-}Client-IP {CF,DO}-Connecting-IP Remote-Addr Forwarded-For
    Ali-CDN-Real-IP = 127.0.0.1 | ::1 | localhost | 10.0.0.1 | 192.168.0.1 | 172.16.0.1 | 192.168.1.1 ·
  {X-,}{Remote,Impersonate}-User X-{Forwarded,Auth,Authenticated,Auth-Request,Vouch,Shib}-User X-WEBAUTH-USER
    X-User{,-Id,Id,-Name,name,-Email,-Role,-Roles,Info} X-Authenticated-{UserId,Scope} X-Consumer-{Username,Id,Custom-Id}
    X-Credential-{Identifier,Username} X-Forwarded-{Email,Preferred-Username,Groups} X-Auth-Request-Email
    X-Auth-{Username,Subject,Email} X-Goog-{Authenticated-User-Email,Authenticated-User-Id,IAP-JWT-Assertion}
    X-Amzn-Oidc-{Identity,Data,Accesstoken} X-MS-Client-Principal{,-Name,-Id} X-Pomerium-Claim-Email Oidc-Claim-Sub
    Cf-Access-{Authenticated-User-Email,Jwt-Assertion} X-Endpoint-API-UserInfo X-Apigateway-Api-Userinfo {SM,IV}-USER
    X-{Subject,Sub,Principal,Identity,Account-Id,Client-Id,Role,Roles,Groups,Scope,Scopes,On-Behalf-Of,Act-As,Email}
    Tailscale-User-Login X-Authentik-Username X-JWT-{Claims,Payload} = admin | 1 | root | true ·
  {X-,}SSL-Client-Verify X-{,SSL-}Client-Verified X-SSL-{Verified,Client-Verify-Result} X-MTLS-Verified
    X-Client-{Verify,Cert-Verify,Cert-Verified,Cert-Present} = SUCCESS | true | 1 | OK | 0 ·
  {X-,}SSL-Client-S-DN X-{,SSL-}Client-{DN,CN} SSL-Client-Subject-DN X-SSL-{Client-,}Subject X-Client-Cert-{Subject,DN}
    X-Amzn-Mtls-Clientcert-Subject = CN=admin | admin | CN=localhost | root | true ·
  {X-,}{SSL-,}Client-Cert X-SSL-Cert X-ARR-ClientCert X-Client-Certificate X-Amzn-Mtls-Clientcert
    X-Forwarded-Tls-Client-Cert X-SSL-Client-{Serial,Fingerprint,SHA1} =
    MIIBszCCAVmgAwIBAgIUQ29udHJhY3Q | 1 | true | :MIIBszCCAVmgAwIBAgIUQ29udHJhY3Q=: | SUCCESS ·
  X-Forwarded-Client-Cert =
    By=spiffe://cluster.local/ns/default/sa/api;Hash=0a1b;Subject="CN=admin";URI=spiffe://cluster.local/ns/default/sa/admin
    | Subject="CN=admin" | true | 1 ·
  X-Internal{,-Request,-Call,-Auth,-Token,-Service} X-Is-{Internal,Admin,Authenticated} X-Bypass{,-Auth} X-Auth-Bypass
    X-Skip-{Auth,Authentication,Authorization} X-{No,Disable}-Auth X-Debug{,-Mode,-Token} X-Test{,-Mode,ing}
    X-Dev{,-Mode} X-Health{,-Check,Check} X-Trusted{,-Proxy,-Request} X-Auth{,enticated,orized,-Status,-Result}
    X-Service{,-Call,-Name} X-{From-,Via-,API-,}Gateway X-{Appengine-,}Cron X-Local{,host} X-From-Service
    X-{Admin,Superuser,Probe,Monitoring,Verified,Token-Valid,Subrequest,Envoy-Internal,Proxy,CloudScheduler,Batch,Job,
    Preview,Prerender,Mock,Nextjs-Data,Middleware-Prefetch,Azure-FDID,Amz-Cf-Id,Shadow-Request,Synthetic,Backend,Worker}
    Next-Router-Prefetch = true | 1 | yes | internal ·
  X-Middleware-Subrequest = middleware | middleware:middleware:middleware:middleware:middleware |
    src/middleware:src/middleware:src/middleware:src/middleware:src/middleware | src/middleware | pages/_middleware
    | 1 ·
  {X-,Sec-,}Purpose X-Moz = prefetch | preview | health-check | internal · Cache-Control = no-cache | max-age=0 ·
  X-Requested-With = XMLHttpRequest | com.example.app | internal · Pragma = no-cache | akamai-x-cache-on ·
  X-{Appengine-QueueName,Aws-Sqsd-Queue,CloudTasks-QueueName} = default · TE = trailers ·
  Via = 1.1 localhost | 1.1 127.0.0.1 | 1.1 google | 1.1 varnish · Upgrade-Insecure-Requests DNT Save-Data = 1 ·
  Forwarded = for=127.0.0.1 | for="[::1]" | for=localhost | for=10.0.0.1;host=localhost;proto=https ·
  Sec-Fetch-Site = same-origin | none | same-site · Sec-Fetch-Mode = navigate | cors | no-cors ·
  Sec-Fetch-Dest = document | empty | image ·
  Cookie = admin=true; role=admin; authenticated=true; debug=1 | user=admin; auth=1; internal=1 ·
  Referer = http://localhost/ | https://localhost/admin | https://www.google.com/ | http://127.0.0.1/ ·
  User-Agent = kube-probe/1.30 | ELB-HealthChecker/2.0 | GoogleHC/1.0 | Prometheus/2.53.0 | Blackbox Exporter/0.25.0 |
    Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) | Consul Health Check | internal |
    Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) | curl/8.5.0 | PostmanRuntime/7.39.0 |
    Amazon-Route53-Health-Check-Service (ref 0) | UptimeRobot/2.0 | Datadog/Synthetics |
    Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`;

/** Headers about the host and the scheme, which may lead to another site or to a redirect. */
const hosts = `
  X-{Forwarded-Host,Host,Forwarded-Server,Original-Host,HTTP-Host-Override,Backend-Host,Real-Host,Gateway-Host,
    Forwarded-Http-Host} = localhost | 127.0.0.1 | internal ·
  Forwarded = host=localhost;proto=https | host=127.0.0.1 | proto=https ·
  X-Forwarded-{Proto,Protocol,Scheme} X-{Url-,}Scheme CloudFront-Forwarded-Proto = https | http ·
  Front-End-Https X-Forwarded-Ssl X-HTTPS = on | 1 | off · X-Forwarded-Port = 443 | 8080 | 80`;

/** Headers that replace the path for whatever reads them. */
const pathHeaders = `X-{Original,Rewrite,Override,Proxy}-URL X-Original-URI X-{Forwarded,Request}-Uri X-Forwarded-{Path,Prefix,Url}
  X-{Original,Envoy-Original,Rewrite,Replaced}-Path X-HTTP-DestinationURL X-{Accel,Auth-Request}-Redirect X-Path Request-Uri`;

const gatewayEvent =
  '{"requestContext":{"authorizer":{"principalId":"admin","claims":{"sub":"admin"}}}}';

/**
 * Requests by which browsers, gateways and servers switch protocols, or hand over what they have verified: API
 * Gateway's event, as serverless-express does. A proxy removes the headers that Connection lists (RFC 9110 7.6.1), so
 * the guard behind it does not see them.
 */
const protocols = `
  Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Key: Y29udHJhY3QgdGVzdHMuLg== · Sec-WebSocket-Version: 13 |
  Connection: Upgrade, HTTP2-Settings · Upgrade: h2c · HTTP2-Settings: AAMAAABkAAQAAP__ | Connection: close, Authorization |
  Connection: keep-alive, Authorization, Cookie, X-Forwarded-For, X-Real-IP | Range: bytes=0- | Expect: 100-continue |
  X-Apigateway-Event: ${encodeURIComponent(gatewayEvent)} · X-Apigateway-Context: %7B%7D |
  Host: localhost | Origin: http://localhost`;

/**
 * Headers that a proxy may set, and that any client can send: they name an address, a host, a user or a certificate
 * that the guard trusts, mark an internal request, or change the path after the guard's check.
 */
export function headerWays(endpoint: Endpoint): Way[] {
  // A browser's preflight for a request from another site.
  const preflight = `Access-Control-Request-Method: ${endpoint.method} · Origin: https://example.com ·
    Access-Control-Request-Headers: authorization`;
  const namingOwn = (path: string): Deviation => ({
    what: `its path is ${path}, and headers name the endpoint's`,
    options: ({ path: to }) => ({ ...merged(haveHeaders(pathHeaders, to), endpoint), path }),
  });
  return [
    ...withoutOwn([...packed(trusted, 17), ...packed(hosts, 3)], endpoint),
    ...[tokenPath, `${prefix}health`].map((path) => [namingOwn(path)]),
    ...[tokenPath, '/health', '/'].map((path) => haveHeaders(pathHeaders, path)),
    together(preflight),
    together(preflight, { method: 'OPTIONS' }),
    ...protocols.split('|').map((text) => together(text)),
    [{ what: 'it comes from the endpoint itself', options: { address: 'Referer' } }],
  ];
}

/** Headers of which none is tried without the others. */
const together = (text: string, options: CallOptions = {}): Way => {
  const headers = Object.fromEntries(headersIn(text));
  return [{ what: `it has ${JSON.stringify(headers)}`, options: { ...options, headers } }];
};

/** Old clients, some proxies and health checks speak HTTP/1.0, and bodies without a length are read by other code. */
export const wireWays = ({ body }: Endpoint): Way[] => [
  [http10],
  overHttp10('without Host', { Host: '' }),
  overHttp10('on a connection to be kept', { Connection: 'keep-alive' }),
  [inChunks(body)],
];

const overHttp10 = (how: string, headers: CallOptions['headers']): Way => [
  { what: `${http10.what} ${how}`, options: { version: '1.0', headers } },
];

/**
 * Distributes the headers of families evenly over some requests. A proxy may limit a request to a hundred headers, and
 * to 4,096 characters. No name may have more values than there are requests, so that each is once in a request.
 */
function packed(families: string, count: number): Way[] {
  const headers = headersIn(families, ' = ').flatMap(([names, values]) =>
    words(names).flatMap((name) =>
      values.split(' | ').flatMap((value) => haveHeaders(name, value)),
    ),
  );
  return Array.from({ length: count }, (_, first) =>
    headers.filter((_header, index) => index % count === first),
  );
}
