import { type Call, right, type ServiceState } from '../../sandbox/behaviour.ts';
import { breaking, count, type Faults, guarding, mixedAtBothEnds, unguardedWhen } from './fault.ts';
import { decodedBy, has, isHttp10 } from './request-parts.ts';

/** For requests of some kind the guard only checks that there is a token. */
export const halfOpen = (when: (call: Call) => boolean) =>
  guarding((cause, call) => (cause === 'invalid' && when(call) ? undefined : cause));

const trusting = (header: string, value = /./) => unguardedWhen(has(header, value));

/** The router rewrites a request that it does not know. */
const routedAs = (seen: (call: Call) => Partial<Call>) => ({
  route: (call: Call, state: ServiceState) =>
    right.route(call, state) ?? right.route({ ...call, ...seen(call) }, state),
});

/** The guard knows only the requests that the router does not rewrite. */
const strayed = (seen: (call: Call) => Partial<Call>) => ({
  ...routedAs(seen),
  ...unguardedWhen((call, state) => right.route(call, state) === undefined),
});

/** The router reads a part of the path in a way that the guard does not know. */
const spelt = (part: RegExp, read = (_part: string) => '') =>
  strayed(({ path }) => ({ path: path.replace(part, (text) => read(text)) }));

const canonical = (path: string): string => new URL(path, 'http://sandbox').pathname;

const decoded = decodedBy(decodeURIComponent);

const asGet = (method: string) => (call: Call) => (call.method === method ? { method: 'GET' } : {});

const asEndpoint = (method: string) => (call: Call) =>
  call.method === method ? { method: call.path.endsWith('widgets') ? 'GET' : 'POST' } : {};

/** Admits every token whose cached part is that of an admitted one. */
const verdictCachedBy = (part: (text: string) => string) => ({
  find(text: string, state: ServiceState, call: Call) {
    const token = right.find(text, state, call);
    const cached = `cached ${part(text)}`;
    if (token !== undefined) state.memo.set(cached, 1);
    const [first] = state.tokens.values();
    return token ?? (state.memo.has(cached) ? first : undefined);
  },
});

/** The guard trusts what a request claims. */
export const trustFaults = breaking('BEARER-2', {
  'local-address-trusted': trusting('x-forwarded-for', /^127\.0\.0\.1$/),
  'forwarded-trusted': trusting('forwarded', /^for=127\.0\.0\.1$/),
  'true-client-address-trusted': trusting('true-client-ip', /^127\.0\.0\.1$/),
  'private-addresses-trusted': trusting('x-cluster-client-ip', /^10\./),
  'ipv6-loopback-trusted': trusting('cf-connecting-ip', /^::1$/),
  'forwarded-host-trusted': trusting('x-forwarded-host', /^localhost$/),
  'own-host-trusted': trusting('host', /^localhost/),
  'remote-user-trusted': trusting('remote-user', /^admin$/),
  'any-user-id-trusted': trusting('x-user-id'),
  'root-trusted': trusting('x-webauth-user', /^root$/),
  'identity-of-a-balancer-trusted': trusting('x-amzn-oidc-identity'),
  'certificate-said-to-be-verified': trusting('x-ssl-client-verify', /^SUCCESS$/),
  'mesh-certificate-trusted': trusting('x-forwarded-client-cert', /spiffe:\/\//),
  'internal-requests-trusted': trusting('x-internal-request', /^true$/),
  // CVE-2025-29927
  'middleware-skipped': trusting(
    'x-middleware-subrequest',
    /^(src\/)?middleware(:(src\/)?middleware){4}$/,
  ),
  'authentication-skipped': trusting('x-skip-auth', /^(1|true)$/),
  'probes-of-a-cluster-trusted': trusting('user-agent', /^kube-probe\//),
  'crawlers-trusted': trusting('user-agent', /Googlebot/),
  'own-pages-trusted': unguardedWhen(({ headers: { host, referer } }) =>
    String(referer).startsWith(`http://${host}/`),
  ),
  'prefetch-unguarded': trusting('sec-purpose', /prefetch/),
  'prefetch-of-a-router-unguarded': trusting('next-router-prefetch', /^1$/),
  'front-door-trusted': trusting('x-azure-fdid'),
  // serverless-express
  'gateway-event-trusted': unguardedWhen(
    ({ headers: { 'x-apigateway-context': context, 'x-apigateway-event': event } }) =>
      context !== undefined &&
      /"authorizer":\{"principalId":"\w+"/.test(decodeURIComponent(String(event))),
  ),
  'scripts-trusted': trusting('x-requested-with', /^XMLHttpRequest$/),
  'same-origin-trusted': trusting('sec-fetch-site', /^same-origin$/),
  'websocket-unguarded': trusting('upgrade', /^websocket$/),
  'h2c-unguarded': trusting('upgrade', /^h2c$/),
  'expectation-unguarded': trusting('expect', /100/),
  'preflight-headers-unguarded': trusting('access-control-request-method'),
  // The headers that Connection lists are dropped, and the guard trusts a request without Authorization.
  'authorization-dropped-on-the-way': trusting('connection', /authorization/i),
  'http-1-0-unguarded': unguardedWhen(isHttp10),
  'http-1-0-without-host-unguarded': unguardedWhen((call) => isHttp10(call) && !has('host')(call)),
  'chunked-unguarded': trusting('transfer-encoding', /^chunked$/),
  'static-looking-address-unguarded': unguardedWhen(({ url }) => url.endsWith('.js')),
  'debug-parameter-unguarded': unguardedWhen(({ query }) => query.has('debug')),
  'token-path-anywhere-unguarded': unguardedWhen(({ url }) => url.includes('?/auth/token')),
  'method-in-the-query-fools-the-guard': unguardedWhen(
    ({ query }) => query.get('_method') === 'OPTIONS',
  ),
  'method-override-fools-the-guard': trusting('x-http-method', /^OPTIONS$/),
  'rewrite-url-fools-the-guard': trusting('x-rewrite-url', /\/auth\/token$/),
});

/** Methods and spellings that router and guard understand differently. */
export const spellingFaults = breaking('BEARER-2', {
  'trailing-slash-unguarded': spelt(/\/$/),
  'doubled-slash-unguarded': spelt(/\/\/+/g, () => '/'),
  'dot-segments-unguarded': spelt(/.+/, canonical),
  'path-parameters-unguarded': spelt(/;[^/]*/g),
  'encoded-letters-unguarded': spelt(/%5[A-F]|%[67][0-9A-F]/gi, decodeURIComponent),
  'capitals-unguarded': spelt(/.+/, (path) => path.toLowerCase()),
  'suffix-unguarded': spelt(/\.json$/),
  'double-encoding-unguarded': spelt(/.*%25.*/, (path) => decoded(decoded(path))),
  'backslash-unguarded': spelt(/.*\\.*/, (path) =>
    canonical(path.replaceAll('\\', '/')).replace(/\/$/, ''),
  ),
  'nul-unguarded': spelt(/%00.*/),
  'trailing-dot-unguarded': spelt(/\.$/),
  'blank-at-the-end-unguarded': spelt(/(%20|%09|%0a)$/i),
  'fragment-unguarded': spelt(/#.*/),
  'full-width-letters-unguarded': spelt(/.*%EF.*/, (path) => decoded(path).normalize('NFKC')),
  'absolute-address-unguarded': spelt(/^https?:\/\/[^/]+/),
  'style-sheets-unguarded': spelt(/[/;]?(\w*)\.css$/),
  'health-suffix-unguarded': spelt(/\/health$/),
  'public-part-unguarded': spelt(/(?<=\/v1)\/public(?=\/)/),
  'original-url-unguarded': strayed(({ path, headers }) => ({
    path: String(headers['x-original-url'] ?? path),
  })),
  'method-in-the-query-unguarded': strayed(({ query, method }) => ({
    method: query.get('_method') ?? method,
  })),
  'method-in-a-form-unguarded': strayed(({ body, method }) => ({
    method: /^_method=([A-Z]+)$/.exec(body)?.[1] ?? method,
  })),
  'method-override-unguarded': strayed(({ headers, method }) => ({
    method: String(headers['x-http-method-override'] ?? method),
  })),
  'head-unguarded': strayed(asGet('HEAD')),
  'propfind-unguarded': strayed(asGet('PROPFIND')),
  'patch-unguarded': strayed(asEndpoint('PATCH')),
  'options-unguarded': strayed(asEndpoint('OPTIONS')),
});

/** Any token is accepted. */
export const halfGuardedFaults = breaking('BEARER-3', {
  'proxy-user-needs-any-token': halfOpen(has('x-forwarded-user')),
  'http-1-0-half-guarded': halfOpen(isHttp10),
  'chunked-half-guarded': halfOpen(has('transfer-encoding', /chunked/)),
  'purge-half-guarded': {
    ...routedAs(asGet('PURGE')),
    ...halfOpen(({ method }) => method === 'PURGE'),
  },
  'trailing-slash-half-guarded': {
    ...routedAs(({ path }) => ({ path: path.replace(/\/$/, '') })),
    ...halfOpen(({ path }) => path.endsWith('/')),
  },
  'verdict-cached-by-beginning': {
    ...mixedAtBothEnds,
    ...verdictCachedBy((text) => text.slice(0, 20)),
  },
  'verdict-cached-by-most-of-it': verdictCachedBy((text) => `${text.slice(0, -4)} ${text.length}`),
});

/** What a guard that is open to all violates, and a lifetime without end. */
const endless = ['EXPIRY-2', 'EXPIRY-4', 'EXPIRY-5', 'EXPIRY-7'] as const;
export const unguarded = ['BEARER-2', 'BEARER-3', 'BEARER-4', 'BEARER-5', ...endless] as const;

/** The verdict depends on earlier requests. */
export const wayInFaults: Faults = {
  ...breaking(unguarded, {
    'first-request-guarded-only': guarding((cause, { connection }, state) =>
      count(state, connection) > 1 ? undefined : cause,
    ),
    'refused-connection-opened': guarding((cause, { connection }, state) =>
      cause !== undefined && count(state, connection) > 2 ? undefined : cause,
    ),
  }),
  'connection-remembered': {
    breaks: ['BEARER-2', 'BEARER-3', 'BEARER-4', 'EXPIRY-3'],
    ...guarding((cause, { connection }, { memo }) => {
      if (cause === undefined) memo.set(connection, 1);
      return memo.has(connection) ? undefined : cause;
    }),
  },
  'connection-half-remembered': {
    breaks: ['BEARER-3', 'BEARER-4'],
    ...guarding((cause, { connection }, { memo }) => {
      if (cause === undefined) memo.set(connection, 1);
      return cause === 'invalid' && memo.has(connection) ? undefined : cause;
    }),
  },
  'refused-connection-remembered': {
    breaks: 'BEARER-1',
    ...guarding((cause, { connection }, { memo }) => {
      if (cause !== undefined) memo.set(connection, 1);
      return memo.has(connection) ? 'invalid' : cause;
    }),
  },
  'refusal-cached': {
    breaks: 'BEARER-6',
    ...guarding((cause, _call, { memo }) => {
      if (cause === undefined && memo.delete('refused')) return 'invalid';
      if (cause === 'invalid') memo.set('refused', 1);
      return cause;
    }),
  },
  ...breaking('BEARER-2', {
    // Of the requests without a token at one moment.
    'one-in-fifty': guarding((cause, { path, now }, state) =>
      cause === 'missing' && count(state, `${path} ${now}`) % 50 === 0 ? undefined : cause,
    ),
    'open-under-load': guarding((cause, { path, now }, state) =>
      count(state, `${path} ${now}`) > 50 && cause === 'missing' ? undefined : cause,
    ),
  }),
  'ranges-unguarded': {
    breaks: ['BEARER-2', 'ERROR-1'],
    ...trusting('range', /^bytes=/),
    authorised: ({ reply }, { headers }) =>
      headers.range === undefined ? reply : { ...reply, status: 206 },
  },
};
