import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { count, fault, type Mutant, unguardedWhen } from './fault.ts';

/** For requests of some kind the guard only checks that there is a token. */
export const halfOpen = (when: (call: Call) => boolean): Pick<Behaviour, 'guard'> => ({
  guard(call, state, self) {
    const cause = right.guard(call, state, self);
    return cause === 'invalid' && when(call) ? undefined : cause;
  },
});

const has =
  (name: string, value: RegExp) =>
  ({ headers }: Call): boolean =>
    value.test(String(headers[name] ?? ''));

/** Requests that the guard admits because of what they claim, or how they are sent. */
export const wavedThroughMutants: readonly Mutant[] = [
  fault('true-client-address-trusted', 'True-Client-IP 127.0.0.1 is trusted', () =>
    unguardedWhen(has('true-client-ip', /^127\.0\.0\.1$/)),
  ),
  fault('private-addresses-trusted', 'Clients of a private network are trusted', () =>
    unguardedWhen(has('x-cluster-client-ip', /^10\./)),
  ),
  fault('ipv6-loopback-trusted', 'CF-Connecting-IP ::1 is trusted', () =>
    unguardedWhen(has('cf-connecting-ip', /^::1$/)),
  ),
  fault('forwarded-host-trusted', 'Requests that were forwarded for localhost are trusted', () =>
    unguardedWhen(has('x-forwarded-host', /^localhost$/)),
  ),
  fault('own-host-trusted', 'Requests for the host localhost are trusted', () =>
    unguardedWhen(has('host', /^localhost/)),
  ),
  fault(
    'remote-user-trusted',
    'The user in a header is trusted as if a proxy had authenticated it',
    () => unguardedWhen(has('remote-user', /^admin$/)),
  ),
  fault('any-user-id-trusted', 'Whatever X-User-Id says is trusted', () =>
    unguardedWhen(has('x-user-id', /./)),
  ),
  fault('root-trusted', 'X-WEBAUTH-USER root is trusted', () =>
    unguardedWhen(has('x-webauth-user', /^root$/)),
  ),
  fault(
    'identity-of-a-balancer-trusted',
    'X-Amzn-Oidc-Identity is trusted without its signed data',
    () => unguardedWhen(has('x-amzn-oidc-identity', /./)),
  ),
  fault(
    'certificate-said-to-be-verified',
    'X-SSL-Client-Verify SUCCESS stands for a certificate',
    () => unguardedWhen(has('x-ssl-client-verify', /^SUCCESS$/)),
  ),
  fault(
    'mesh-certificate-trusted',
    'X-Forwarded-Client-Cert is trusted from outside the mesh',
    () => unguardedWhen(has('x-forwarded-client-cert', /spiffe:\/\//)),
  ),
  fault('internal-requests-trusted', 'X-Internal-Request marks what needs no token', () =>
    unguardedWhen(has('x-internal-request', /^true$/)),
  ),
  fault(
    'middleware-skipped',
    'The middleware is skipped when it seems to have called itself (CVE-2025-29927)',
    () =>
      unguardedWhen(has('x-middleware-subrequest', /^(src\/)?middleware(:(src\/)?middleware){4}$/)),
  ),
  fault('authentication-skipped', 'X-Skip-Auth skips the guard', () =>
    unguardedWhen(has('x-skip-auth', /^(1|true)$/)),
  ),
  fault('probes-of-a-cluster-trusted', 'Health checks by kube-probe need no token', () =>
    unguardedWhen(has('user-agent', /^kube-probe\//)),
  ),
  fault('crawlers-trusted', 'Googlebot needs no token', () =>
    unguardedWhen(has('user-agent', /Googlebot/)),
  ),
  fault('own-pages-trusted', 'A Referer of the service itself is trusted', () =>
    unguardedWhen((call) =>
      String(call.headers.referer).startsWith(`http://${call.headers.host}/`),
    ),
  ),
  fault('prefetch-unguarded', 'What a browser prefetches is not guarded', () =>
    unguardedWhen(has('sec-purpose', /prefetch/)),
  ),
  fault(
    'prefetch-of-a-router-unguarded',
    'What the router of Next.js prefetches is not guarded',
    () => unguardedWhen(has('next-router-prefetch', /^1$/)),
  ),
  fault('front-door-trusted', 'A request with X-Azure-FDID counts as checked by a gateway', () =>
    unguardedWhen(has('x-azure-fdid', /./)),
  ),
  fault(
    'gateway-event-trusted',
    'What X-Apigateway-Event says of an authoriser is trusted (serverless-express)',
    () =>
      unguardedWhen(
        ({ headers }) =>
          headers['x-apigateway-context'] !== undefined &&
          /"authorizer":\{"principalId":"\w+"/.test(
            decodeURIComponent(String(headers['x-apigateway-event'])),
          ),
      ),
  ),
  fault('scripts-trusted', 'XMLHttpRequest in X-Requested-With is trusted', () =>
    unguardedWhen(has('x-requested-with', /^XMLHttpRequest$/)),
  ),
  fault('same-origin-trusted', 'Sec-Fetch-Site same-origin is trusted', () =>
    unguardedWhen(has('sec-fetch-site', /^same-origin$/)),
  ),
  fault('proxy-user-needs-any-token', 'With X-Forwarded-User any token is accepted', () =>
    halfOpen(has('x-forwarded-user', /./)),
  ),
  fault('websocket-unguarded', 'A handshake of a WebSocket is not guarded', () =>
    unguardedWhen(has('upgrade', /^websocket$/)),
  ),
  fault('h2c-unguarded', 'A wish for HTTP/2 is not guarded', () =>
    unguardedWhen(has('upgrade', /^h2c$/)),
  ),
  fault('ranges-unguarded', 'Ranges are served by a cache that does not ask for a token', () => ({
    ...unguardedWhen(has('range', /^bytes=/)),
    authorised: (resource, call, state) => ({
      ...right.authorised(resource, call, state),
      ...(call.headers.range === undefined ? {} : { status: 206 }),
    }),
  })),
  fault('expectation-unguarded', 'Expect: 100-continue leads past the guard', () =>
    unguardedWhen(has('expect', /100/)),
  ),
  fault(
    'preflight-headers-unguarded',
    'A request with the headers of a preflight counts as one',
    () => unguardedWhen(has('access-control-request-method', /./)),
  ),
  fault(
    'authorization-dropped-on-the-way',
    'The headers that Connection lists are dropped, and the guard trusts a request without Authorization',
    () => unguardedWhen(has('connection', /authorization/i)),
  ),
  fault(
    'http-1-0-without-host-unguarded',
    'Requests over HTTP/1.0 without Host count as health checks',
    () =>
      unguardedWhen(
        ({ httpVersion, headers }) => httpVersion === '1.0' && headers.host === undefined,
      ),
  ),
  fault('http-1-0-half-guarded', 'Over HTTP/1.0 any token is accepted', () =>
    halfOpen(({ httpVersion }) => httpVersion === '1.0'),
  ),
  fault('chunked-half-guarded', 'With a chunked body any token is accepted', () =>
    halfOpen(has('transfer-encoding', /chunked/)),
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
