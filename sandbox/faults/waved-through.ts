import { type Behaviour, type Call, right, type ServiceState } from '../behaviour.ts';
import { count, fault, type Mutant, unguardedWhen } from './fault.ts';

/** Requests of some kind are admitted without a check of their token. */
export const open = (name: string, means: string, when: (call: Call) => boolean): Mutant =>
  fault(name, means, () => unguardedWhen(when));

/** For requests of some kind the guard only checks that there is a token. */
export const halfOpen = (
  name: string,
  means: string,
  when: (call: Call, state: ServiceState) => boolean,
  routed: Partial<Behaviour> = {},
): Mutant =>
  fault(name, means, () => ({
    ...routed,
    guard(call, state, self) {
      const cause = right.guard(call, state, self);
      return cause === 'invalid' && when(call, state) ? undefined : cause;
    },
  }));

const has =
  (name: string, value: RegExp) =>
  ({ headers }: Call): boolean =>
    value.test(String(headers[name] ?? ''));

const byHeader: readonly Mutant[] = [
  open('true-client-address-trusted', 'True-Client-IP 127.0.0.1 is trusted', (call) =>
    has('true-client-ip', /^127\.0\.0\.1$/)(call),
  ),
  open('private-addresses-trusted', 'Clients of a private network are trusted', (call) =>
    has('x-cluster-client-ip', /^10\./)(call),
  ),
  open(
    'ipv6-loopback-trusted',
    'CF-Connecting-IP ::1 is trusted',
    has('cf-connecting-ip', /^::1$/),
  ),
  open(
    'forwarded-host-trusted',
    'Requests that were forwarded for localhost are trusted',
    has('x-forwarded-host', /^localhost$/),
  ),
  open(
    'own-host-trusted',
    'Requests for the host localhost are trusted',
    has('host', /^localhost/),
  ),
  open(
    'remote-user-trusted',
    'The user in a header is trusted as if a proxy had authenticated it',
    has('remote-user', /^admin$/),
  ),
  open('any-user-id-trusted', 'Whatever X-User-Id says is trusted', has('x-user-id', /./)),
  open('root-trusted', 'X-WEBAUTH-USER root is trusted', has('x-webauth-user', /^root$/)),
  open(
    'identity-of-a-balancer-trusted',
    'X-Amzn-Oidc-Identity is trusted without its signed data',
    has('x-amzn-oidc-identity', /./),
  ),
  open(
    'certificate-said-to-be-verified',
    'X-SSL-Client-Verify SUCCESS stands for a certificate',
    has('x-ssl-client-verify', /^SUCCESS$/),
  ),
  open(
    'mesh-certificate-trusted',
    'X-Forwarded-Client-Cert is trusted from outside the mesh',
    has('x-forwarded-client-cert', /spiffe:\/\//),
  ),
  open(
    'internal-requests-trusted',
    'X-Internal-Request marks what needs no token',
    has('x-internal-request', /^true$/),
  ),
  open(
    'middleware-skipped',
    'The middleware is skipped when it seems to have called itself (CVE-2025-29927)',
    has('x-middleware-subrequest', /^(src\/)?middleware(:(src\/)?middleware){4}$/),
  ),
  open('authentication-skipped', 'X-Skip-Auth skips the guard', has('x-skip-auth', /^(1|true)$/)),
  open('probes-of-a-cluster-trusted', 'Health checks by kube-probe need no token', (call) =>
    has('user-agent', /^kube-probe\//)(call),
  ),
  open('crawlers-trusted', 'Googlebot needs no token', has('user-agent', /Googlebot/)),
  open('own-pages-trusted', 'A Referer of the service itself is trusted', (call) =>
    String(call.headers.referer).startsWith(`http://${call.headers.host}/`),
  ),
  open('prefetch-unguarded', 'What a browser prefetches is not guarded', (call) =>
    has('sec-purpose', /prefetch/)(call),
  ),
  open(
    'prefetch-of-a-router-unguarded',
    'What the router of Next.js prefetches is not guarded',
    has('next-router-prefetch', /^1$/),
  ),
  open('front-door-trusted', 'A request with X-Azure-FDID counts as checked by a gateway', (call) =>
    has('x-azure-fdid', /./)(call),
  ),
  open(
    'gateway-event-trusted',
    'What X-Apigateway-Event says of an authoriser is trusted (serverless-express)',
    ({ headers }) =>
      headers['x-apigateway-context'] !== undefined &&
      /"authorizer":\{"principalId":"\w+"/.test(
        decodeURIComponent(String(headers['x-apigateway-event'])),
      ),
  ),
  open(
    'scripts-trusted',
    'XMLHttpRequest in X-Requested-With is trusted',
    has('x-requested-with', /^XMLHttpRequest$/),
  ),
  open('same-origin-trusted', 'Sec-Fetch-Site same-origin is trusted', (call) =>
    has('sec-fetch-site', /^same-origin$/)(call),
  ),
  halfOpen(
    'proxy-user-needs-any-token',
    'With X-Forwarded-User any token is accepted',
    has('x-forwarded-user', /./),
  ),
];

const byProtocol: readonly Mutant[] = [
  open(
    'websocket-unguarded',
    'A handshake of a WebSocket is not guarded',
    has('upgrade', /^websocket$/),
  ),
  open('h2c-unguarded', 'A wish for HTTP/2 is not guarded', has('upgrade', /^h2c$/)),
  fault('ranges-unguarded', 'Ranges are served by a cache that does not ask for a token', () => ({
    ...unguardedWhen(has('range', /^bytes=/)),
    authorised: (resource, call, state) => ({
      ...right.authorised(resource, call, state),
      ...(call.headers.range === undefined ? {} : { status: 206 }),
    }),
  })),
  open('expectation-unguarded', 'Expect: 100-continue leads past the guard', has('expect', /100/)),
  open(
    'preflight-headers-unguarded',
    'A request with the headers of a preflight counts as one',
    has('access-control-request-method', /./),
  ),
  open(
    'authorization-dropped-on-the-way',
    'The headers that Connection lists are dropped, and the guard trusts a request without Authorization',
    has('connection', /authorization/i),
  ),
  open(
    'http-1-0-without-host-unguarded',
    'Requests over HTTP/1.0 without Host count as health checks',
    ({ httpVersion, headers }) => httpVersion === '1.0' && headers.host === undefined,
  ),
  halfOpen(
    'http-1-0-half-guarded',
    'Over HTTP/1.0 any token is accepted',
    ({ httpVersion }) => httpVersion === '1.0',
  ),
  halfOpen(
    'chunked-half-guarded',
    'With a chunked body any token is accepted',
    has('transfer-encoding', /chunked/),
  ),
  fault('first-request-guarded-only', 'Only the first request of a connection is guarded', () => ({
    guard: (call, state, self) =>
      count(state, call.connection) > 1 ? undefined : right.guard(call, state, self),
  })),
  fault(
    'refused-connection-opened',
    'After two refusals on a connection the guard gives way',
    () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        return cause !== undefined && count(state, call.connection) > 2 ? undefined : cause;
      },
    }),
  ),
  fault(
    'connection-half-remembered',
    'Once a request was authorised any token is accepted on its connection',
    () => ({
      guard(call, state, self) {
        const cause = right.guard(call, state, self);
        if (cause === undefined) state.memo.set(call.connection, 1);
        return cause === 'invalid' && state.memo.has(call.connection) ? undefined : cause;
      },
    }),
  ),
];

/** Requests that the guard admits because of what they claim, or how they are sent. */
export const wavedThroughMutants: readonly Mutant[] = [...byHeader, ...byProtocol];
