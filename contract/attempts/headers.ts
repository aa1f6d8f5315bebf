import { apiPrefix, type Endpoint, tokenPath } from '../http/request.ts';
import { addHeaders, type Deviation, mergeWay, type Way } from './deviation.ts';
import { sentBy } from './variations.ts';

/*
 * Headers that a guard may rely on because proxies, servers and frameworks treat them specially, as data.
 */

/**
 * Headers that change neither the path nor the method. Each family has names of one meaning, and the values to try: an
 * internal caller's address; its user; a proxy that has verified a client's certificate; marks of an internal
 * sub-request, a health check or a test; the middleware of Next.js (CVE-2025-29927); what clients of other kinds send.
 */
const trusted = `
  X-{Forwarded-For,Real-IP,Client-IP,Cluster-Client-IP,Originating-IP,Remote-IP,Remote-Addr,Forwarded,Source-IP,
    Custom-IP-Authorization,Original-Forwarded-For,Forwarded-By,Azure-ClientIP,Envoy-External-Address,Trusted-IP}
    {,True-,Fastly-,Fly-,Proxy-}Client-IP CF-Connecting-IP Remote-Addr Forwarded-For:
    127.0.0.1 | ::1 | localhost | 10.0.0.1 | 192.168.0.1 | 172.16.0.1 ·
  {X-,}Remote-User X-{Forwarded,Auth,Authenticated,Auth-Request,Impersonate}-User X-WEBAUTH-USER X-JWT-Claims
    X-User{,-Id,-Name,-Email,-Role,-Roles} X-Authenticated-UserId X-Consumer-{Username,Id} X-Forwarded-{Email,Groups}
    X-Auth-{Username,Subject} X-Auth-Request-Email X-Goog-Authenticated-User-{Email,Id} X-Amzn-Oidc-Identity
    X-MS-Client-Principal{,-Name,-Id} Cf-Access-Authenticated-User-Email X-Apigateway-Api-Userinfo
    X-{Subject,Sub,Principal,Identity,Account-Id,Client-Id,Role,Roles,Groups,Scope,Scopes,On-Behalf-Of}:
    admin | 1 | root | true ·
  {X-,}SSL-Client-Verify X-SSL-Verified: SUCCESS | 1 ·
  X-Internal{,-Request,-Call,-Auth,-Token,-Service} X-Is-{Internal,Admin,Authenticated} X-Bypass{,-Auth} X-Auth-Bypass
    X-Skip-{Auth,Authentication} X-{No,Disable}-Auth X-Debug{,-Mode} X-Test{,-Mode} X-Dev X-Health{,-Check} X-Trusted
    X-Auth{,enticated,orized} X-Service{,-Call,-Name} X-{From-,Via-,API-,}Gateway X-{Appengine-,}Cron X-Local
    X-{Admin,Probe,Monitoring,Verified,Token-Valid,Subrequest,Proxy,Job,Preview,Mock,Backend,Worker,Synthetic}:
    true | 1 | yes | internal ·
  X-Middleware-Subrequest: middleware | middleware:middleware:middleware:middleware:middleware |
    src/middleware:src/middleware:src/middleware:src/middleware:src/middleware | src/middleware | pages/_middleware ·
  {X-,Sec-,}Purpose: prefetch | preview | internal · X-Requested-With: XMLHttpRequest | internal · TE: trailers ·
  Via: 1.1 localhost | 1.1 127.0.0.1 · Forwarded: for=127.0.0.1 | for="[::1]" | for=localhost ·
  Sec-Fetch-Site: same-origin | none | same-site · Sec-Fetch-Mode: navigate | cors · Sec-Fetch-Dest: document | image ·
  Cookie: admin=true; role=admin; authenticated=true; debug=1 | user=admin; auth=1; internal=1 ·
  Referer: http://localhost/ | https://localhost/admin | https://www.google.com/ ·
  User-Agent: kube-probe/1.30 | ELB-HealthChecker/2.0 | GoogleHC/1.0 | Prometheus/2.53.0 | curl/8.5.0 | internal |
    Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) | Blackbox Exporter/0.25.0`;

/** Headers about the host and the scheme, which may lead to another site or to a redirect. */
const hosts = `
  X-{Forwarded-Host,Host,Forwarded-Server,Original-Host,HTTP-Host-Override,Real-Host}: localhost | 127.0.0.1 | internal ·
  Forwarded: host=localhost;proto=https | host=127.0.0.1 | proto=https · X-Forwarded-Port: 443 | 8080 | 80 ·
  X-Forwarded-{Proto,Protocol,Scheme} X-Scheme: https | http · Front-End-Https X-Forwarded-Ssl: on | 1 | off`;

/** Headers that replace the path for whatever reads them. */
const pathHeaders = `X-{Original,Rewrite,Override,Proxy}-URL X-Original-URI X-{Forwarded,Request}-Uri X-Forwarded-{Path,Prefix,Url}
  X-{Original,Envoy-Original,Rewrite,Replaced}-Path X-{Accel,Auth-Request}-Redirect Request-Uri`;

/** Headers that a proxy may set, that any client can send, and that a guard may trust. */
export function headerWays(endpoint: Endpoint): Way[] {
  // A browser's preflight for a request from another site.
  const preflight = `Access-Control-Request-Method: ${endpoint.method} · Origin: https://example.com ·
    Access-Control-Request-Headers: authorization`;
  const namingEndpoint = (path: string): Deviation => ({
    what: `its path is ${path}, and headers name the endpoint's`,
    options: ({ path: to }) => ({
      ...mergeWay(addHeaders(`${pathHeaders}: ${to}`), endpoint),
      path,
    }),
  });
  return [
    ...spreadHeaders(trusted, 10),
    ...spreadHeaders(hosts, 3),
    ...[tokenPath, `${apiPrefix}health`].map((path) => [namingEndpoint(path)]),
    ...[tokenPath, '/health', '/'].map((path) => addHeaders(`${pathHeaders}: ${path}`)),
    addHeaders(preflight),
    [...sentBy('OPTIONS'), ...addHeaders(preflight)],
    // A proxy removes what Connection lists (RFC 9110 7.6.1), so the guard behind it does not see it.
    ...`Connection: close, Authorization | Range: bytes=0- | Expect: 100-continue |
      Connection: keep-alive, Authorization, Cookie, X-Forwarded-For, X-Real-IP |
      Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Key: Y29udHJhY3QgdGVzdHMuLg== · Sec-WebSocket-Version: 13 |
      Connection: Upgrade, HTTP2-Settings · Upgrade: h2c · HTTP2-Settings: AAMAAABkAAQAAP__ |
      Host: localhost | Origin: http://localhost`
      .split('|')
      .map(addHeaders),
  ];
}

/** Spreads families over requests, each name once in one: a proxy may limit it to 100 headers and 4,096 characters. */
function spreadHeaders(families: string, count: number): Way[] {
  const headers = addHeaders(families);
  return Array.from({ length: count }, (_, first) =>
    headers.filter((_header, index) => index % count === first),
  );
}
