import { type Endpoint, prefix, tokenPath } from '../http/request.ts';
import { type Deviation, deviating, hasHeader, haveHeaders, headersIn } from './deviation.ts';
import { words } from './places.ts';
import { inChunks } from './variations.ts';

/*
 * Headers that proxies, servers and frameworks are known to treat specially, as data. A guard that relies on any
 * of them admits requests without a valid token.
 */

type Header = readonly [name: string, value: string];

/**
 * Every name with every value of a family.
 * @param texts names of one meaning, and the values to try, the most likely first: `A B = 1 | 2`
 */
const families = (texts: readonly string[]): readonly Header[] =>
  texts.flatMap((text) => {
    const [names = '', values = ''] = text.replace(/\s+/g, ' ').split(/ = (.*)/);
    return values
      .split(' | ')
      .flatMap((value) => words(names).map((name) => [name, value] as const));
  });

/**
 * Headers that change neither the path nor the method; they are combined in few requests. An internal caller's address;
 * its user; what a proxy that terminates TLS reports of a certificate; marks of an internal sub-request, a health
 * check, a debugger or a test; the middleware of Next.js (CVE-2025-29927); and what clients of other kinds send.
 */
const trusted = families([
  `X-Forwarded-For X-Real-IP X-Client-IP Client-IP True-Client-IP CF-Connecting-IP X-Cluster-Client-IP
    Fastly-Client-IP X-Originating-IP X-Remote-IP X-Remote-Addr Remote-Addr X-ProxyUser-Ip X-Custom-IP-Authorization
    X-Forwarded X-Original-Forwarded-For Forwarded-For X-Forwarded-By X-Azure-ClientIP X-Azure-SocketIP
    X-Appengine-User-IP X-Envoy-External-Address X-Source-IP X-Trusted-IP X-Sucuri-ClientIP Incap-Client-IP
    Ali-CDN-Real-IP Fly-Client-IP X-NF-Client-Connection-IP DO-Connecting-IP WL-Proxy-Client-IP Proxy-Client-IP
    X-Vercel-Forwarded-For X-Peer-IP = 127.0.0.1 | ::1 | localhost | 10.0.0.1 | 192.168.0.1 | 172.16.0.1 |
    192.168.1.1`,
  `X-Forwarded-User X-Remote-User Remote-User X-Auth-User X-User X-User-Id X-UserId X-User-Name X-Username
    X-User-Email X-Authenticated-User X-Authenticated-UserId X-Authenticated-Scope X-Consumer-Username X-Consumer-Id
    X-Consumer-Custom-Id X-Credential-Identifier X-Credential-Username X-WEBAUTH-USER X-Forwarded-Email
    X-Forwarded-Preferred-Username X-Forwarded-Groups X-Auth-Request-User X-Auth-Request-Email X-Auth-Username
    X-Auth-Subject X-Auth-Email X-Email X-Goog-Authenticated-User-Email X-Goog-Authenticated-User-Id
    X-Goog-IAP-JWT-Assertion X-Amzn-Oidc-Identity X-Amzn-Oidc-Data X-Amzn-Oidc-Accesstoken X-MS-Client-Principal
    X-MS-Client-Principal-Name X-MS-Client-Principal-Id Cf-Access-Authenticated-User-Email Cf-Access-Jwt-Assertion
    X-Pomerium-Claim-Email X-Endpoint-API-UserInfo X-UserInfo X-Apigateway-Api-Userinfo Oidc-Claim-Sub X-Subject
    X-Sub X-Principal X-Identity X-Account-Id X-Client-Id X-Role X-Roles X-User-Role X-User-Roles X-Groups X-Scope
    X-Scopes X-Impersonate-User Impersonate-User X-On-Behalf-Of X-Act-As Tailscale-User-Login X-Authentik-Username
    X-Vouch-User SM-USER IV-USER X-Shib-User X-JWT-Claims X-JWT-Payload = admin | 1 | root | true`,
  `X-SSL-Client-Verify SSL-Client-Verify X-Client-Verify X-SSL-Client-Verified X-Client-Verified X-SSL-Verified
    X-Client-Cert-Verify X-Client-Cert-Verified X-Client-Cert-Present X-MTLS-Verified X-SSL-Client-Verify-Result =
    SUCCESS | true | 1 | OK | 0`,
  `X-SSL-Client-S-DN X-SSL-Client-DN X-Client-DN SSL-Client-S-DN SSL-Client-Subject-DN X-SSL-Client-CN X-Client-CN
    X-SSL-Subject X-Client-Cert-Subject X-Client-Cert-DN X-Amzn-Mtls-Clientcert-Subject X-SSL-Client-Subject =
    CN=admin | admin | CN=localhost | root | true`,
  `X-SSL-Client-Cert SSL-Client-Cert X-SSL-Cert X-Client-Cert Client-Cert X-ARR-ClientCert X-Client-Certificate
    X-Amzn-Mtls-Clientcert X-Forwarded-Tls-Client-Cert X-SSL-Client-Serial X-SSL-Client-Fingerprint
    X-SSL-Client-SHA1 = MIIBszCCAVmgAwIBAgIUQ29udHJhY3Q | 1 | true | :MIIBszCCAVmgAwIBAgIUQ29udHJhY3Q=: | SUCCESS`,
  `X-Forwarded-Client-Cert =
    By=spiffe://cluster.local/ns/default/sa/api;Hash=0a1b;Subject="CN=admin";URI=spiffe://cluster.local/ns/default/sa/admin
    | Subject="CN=admin" | true | 1`,
  `X-Internal X-Internal-Request X-Internal-Call X-Internal-Auth X-Internal-Token X-Internal-Service X-Is-Internal
    X-Skip-Auth X-Skip-Authentication X-Skip-Authorization X-No-Auth X-Bypass-Auth X-Auth-Bypass X-Bypass
    X-Disable-Auth X-Debug X-Debug-Mode X-Debug-Token X-Test X-Test-Mode X-Testing X-Dev X-Dev-Mode X-Admin
    X-Is-Admin X-Superuser X-Health-Check X-HealthCheck X-Health X-Probe X-Monitoring X-Trusted X-Trusted-Proxy
    X-Trusted-Request X-Authenticated X-Is-Authenticated X-Authorized X-Auth X-Auth-Status X-Auth-Result X-Verified
    X-Token-Valid X-Subrequest X-Service X-Service-Call X-Service-Name X-From-Service X-Envoy-Internal X-Gateway
    X-API-Gateway X-From-Gateway X-Via-Gateway X-Proxy X-Cron X-Appengine-Cron X-CloudScheduler X-Batch X-Preview
    X-Prerender X-Mock X-Nextjs-Data X-Middleware-Prefetch Next-Router-Prefetch X-Azure-FDID X-Amz-Cf-Id
    X-Shadow-Request X-Synthetic X-Local X-Localhost X-Backend X-Worker X-Job = true | 1 | yes | internal`,
  `X-Middleware-Subrequest = middleware | middleware:middleware:middleware:middleware:middleware |
    src/middleware:src/middleware:src/middleware:src/middleware:src/middleware | src/middleware | pages/_middleware
    | 1`,
  'X-Purpose Purpose Sec-Purpose X-Moz = prefetch | preview | health-check | internal',
  'X-Requested-With = XMLHttpRequest | com.example.app | internal',
  'X-Appengine-QueueName X-Aws-Sqsd-Queue X-CloudTasks-QueueName = default',
  'Via = 1.1 localhost | 1.1 127.0.0.1 | 1.1 google | 1.1 varnish',
  'Forwarded = for=127.0.0.1 | for="[::1]" | for=localhost | for=10.0.0.1;host=localhost;proto=https',
  'Sec-Fetch-Site = same-origin | none | same-site',
  'Sec-Fetch-Mode = navigate | cors | no-cors',
  'Sec-Fetch-Dest = document | empty | image',
  'Upgrade-Insecure-Requests DNT Save-Data = 1',
  'Cache-Control = no-cache | max-age=0',
  'Pragma = no-cache | akamai-x-cache-on',
  'TE = trailers',
  'Cookie = admin=true; role=admin; authenticated=true; debug=1 | user=admin; auth=1; internal=1',
  'Referer = http://localhost/ | https://localhost/admin | https://www.google.com/ | http://127.0.0.1/',
  `User-Agent = kube-probe/1.30 | ELB-HealthChecker/2.0 | Mozilla/5.0 (compatible; Googlebot/2.1;
    +http://www.google.com/bot.html) | GoogleHC/1.0 | Mozilla/5.0 (compatible; bingbot/2.0;
    +http://www.bing.com/bingbot.htm) | Prometheus/2.53.0 | Blackbox Exporter/0.25.0 |
    Amazon-Route53-Health-Check-Service (ref 0) | Consul Health Check | Mozilla/5.0 (X11; Linux x86_64; rv:128.0)
    Gecko/20100101 Firefox/128.0 | curl/8.5.0 | PostmanRuntime/7.39.0 | UptimeRobot/2.0 | Datadog/Synthetics |
    internal`,
]);

/** Headers about the host and the scheme, which may lead to another site or to a redirect. */
const hosts = families([
  `X-Forwarded-Host X-Host X-Forwarded-Server X-Original-Host X-HTTP-Host-Override X-Backend-Host X-Real-Host
    X-Forwarded-Http-Host X-Gateway-Host = localhost | 127.0.0.1 | internal`,
  'Forwarded = host=localhost;proto=https | host=127.0.0.1 | proto=https',
  `X-Forwarded-Proto X-Forwarded-Protocol X-Forwarded-Scheme X-Url-Scheme X-Scheme CloudFront-Forwarded-Proto =
    https | http`,
  'Front-End-Https X-Forwarded-Ssl X-HTTPS = on | 1 | off',
  'X-Forwarded-Port = 443 | 8080 | 80',
]);

/** Headers that replace the path for whatever reads them. */
const pathHeaders = `X-Original-URL X-Rewrite-URL X-Forwarded-Uri X-Original-URI X-Forwarded-Path X-Forwarded-Prefix X-Original-Path
  X-Forwarded-Url X-Override-URL X-Request-Uri X-Envoy-Original-Path X-HTTP-DestinationURL X-Proxy-URL X-Rewrite-Path
  X-Accel-Redirect X-Auth-Request-Redirect X-Replaced-Path X-Path Request-Uri`;

/** What API Gateway has verified, as serverless-express hands it to an application. */
const gatewayEvent = encodeURIComponent(
  JSON.stringify({
    requestContext: { authorizer: { principalId: 'admin', claims: { sub: 'admin' } } },
  }),
);

/**
 * Requests by which browsers, gateways and servers switch protocols, or hand over what they have verified; each is
 * sent alone. RFC 9110 7.6.1: a proxy removes the headers that Connection lists, so the guard behind it does not see
 * them.
 */
const protocolHeaders: readonly string[] = [
  `Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Key: Y29udHJhY3QgdGVzdHMuLg== ·
    Sec-WebSocket-Version: 13`,
  'Connection: Upgrade, HTTP2-Settings · Upgrade: h2c · HTTP2-Settings: AAMAAABkAAQAAP__',
  'Range: bytes=0-',
  'Expect: 100-continue',
  'Connection: close, Authorization',
  'Connection: keep-alive, Authorization, Cookie, X-Forwarded-For, X-Real-IP',
  'Host: localhost',
  'Origin: http://localhost',
  `X-Apigateway-Event: ${gatewayEvent} · X-Apigateway-Context: ${encodeURIComponent('{}')}`,
];

/**
 * Headers that a proxy may set, and that any client can send: they name an address, a host, a user or a certificate
 * that the guard trusts, mark an internal request, or change the path after the guard's check.
 */
export function headerWays({ method, headers = {} }: Endpoint): Deviation[][] {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  // A browser's preflight for a request from another site: its answer needs no token, and is not the endpoint's.
  const preflight = Object.fromEntries(
    headersIn(`Origin: https://example.com · Access-Control-Request-Method: ${method} ·
      Access-Control-Request-Headers: authorization`),
  );
  return [
    ...packed(trusted, own),
    ...packed(hosts, own),
    ...[tokenPath, `${prefix}health`].map((path) => [
      deviating(`its path is ${path}, and headers name the endpoint's`, ({ path: to }) => ({
        path,
        headers: Object.fromEntries(words(pathHeaders).map((name) => [name, to])),
      })),
    ]),
    ...[tokenPath, '/health', '/'].map((path) => haveHeaders(pathHeaders, path)),
    ...[{ headers: preflight }, { method: 'OPTIONS', headers: preflight }].map((options) => [
      deviating('it has the headers of a preflight', options, { preflight: true }),
    ]),
    ...protocolHeaders.map((text) => {
      const headers = Object.fromEntries(headersIn(text));
      return [deviating(`it has ${JSON.stringify(headers)}`, { headers })];
    }),
    [deviating('it comes from the endpoint itself', { address: 'Referer' })],
  ];
}

/** Old clients, some proxies and health checks speak HTTP/1.0, and bodies without a length are read by other code. */
export const wireWays = ({ body }: Endpoint): Deviation[][] => [
  [deviating('it is made over HTTP/1.0', { version: '1.0' })],
  [deviating('it is made over HTTP/1.0 without Host', { version: '1.0', headers: { Host: '' } })],
  [
    deviating('it is made over HTTP/1.0 on a connection to be kept', {
      version: '1.0',
      headers: { Connection: 'keep-alive' },
    }),
  ],
  [deviating('its body is sent in chunks', inChunks(body))],
];

/** A proxy may limit a request to a hundred headers, and to 4,096 characters. */
const mostHeaders = 64;

/**
 * Distributes headers over few requests of about the same size, each name once in a request.
 * @param without names, in lower case, that belong to the endpoint
 */
function packed(all: readonly Header[], without: ReadonlySet<string>): Deviation[][] {
  const headers = all.filter(([name]) => !without.has(name.toLowerCase()));
  const byName = Map.groupBy(headers, ([name]) => name.toLowerCase());
  const least = Math.max(
    Math.ceil(headers.length / mostHeaders),
    ...Array.from(byName.values(), ({ length }) => length),
  );
  const requests = Array.from({ length: least }, () => new Map<string, Deviation>());
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const [smallest] = requests.filter((one) => !one.has(key)).sort((a, b) => a.size - b.size);
    smallest?.set(key, hasHeader(name, value));
  }
  return requests.map((one) => [...one.values()]);
}
