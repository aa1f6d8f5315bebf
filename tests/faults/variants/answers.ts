import { randomBytes, randomUUID } from 'node:crypto';
import { type Call, day, type Reply, right } from '../../../sandbox/behaviour.ts';
import { type Fault, type Faults, family, htmlPage, refusal, refusedAs, texts } from '../fault.ts';
import { sign } from '../jwt.ts';
import { refusingAs, refusingWith } from '../refusals.ts';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** A token response has these members too. */
const granting = (more: (token: string) => object, headers?: Reply['headers']): Fault => ({
  granted: ({ text }) => ({
    status: 200,
    headers,
    json: { success: true, message: 'OK', data: { accessToken: text }, ...more(text) },
  }),
});

/** Credentials are refused with these members. */
const denying = (status: number, more = (): object => ({}), headers?: Reply['headers']): Fault => ({
  denied: () => ({ status, headers, json: { success: false, message: 'No.', ...more() } }),
});

/** Answers that the contract leaves open. */
export const answerVariants: Faults = {
  created: { granted: (...given) => ({ ...right.granted(...given), status: 201 }) },
  'empty-message': granting(() => ({ message: '' })),
  'further-fields': granting((accessToken) => ({
    data: { accessToken, tokenType: 'Bearer', expiresIn: 86_400, refreshToken: null },
    code: 0,
  })),
  // They open nothing.
  'refresh-token': granting(
    (accessToken) => ({
      data: { accessToken, refreshToken: randomUUID().repeat(2), sessionId: randomUUID() },
    }),
    { 'Set-Cookie': `session=${randomUUID()}; Path=/; HttpOnly` },
  ),
  ...family('wrong-credentials-*', texts('401', '403', '404', '422', '500'), (status) =>
    denying(Number(status)),
  ),
  'wrong-credentials-200': denying(200, () => ({ data: { accessToken: '' }, trace: hex(16) })),
  'problem-json': denying(
    400,
    () => ({ type: 'about:blank', title: 'Bad Request', status: 400, instance: randomUUID() }),
    { 'Content-Type': 'application/problem+json' },
  ),
  'malformed-json-as-page': {
    denied: (why, call, state) =>
      why === 'malformed' ? htmlPage(400, '<h1>Bad Request</h1>') : right.denied(why, call, state),
  },
  'form-credentials': {
    credentials(call) {
      const { apiKey, secretKey } = Object.fromEntries(new URLSearchParams(call.body));
      return right.credentials(call) ?? { apiKey, secretKey };
    },
  },
  'further-fields-in-the-401': refusingWith(({ path, now }) => ({
    path,
    requestId: randomUUID(),
    timestamp: new Date(now).toISOString(),
    data: null,
  })),
  'www-authenticate': {
    unauthorised: (cause) => ({
      status: 401,
      json: refusal,
      headers: { 'WWW-Authenticate': `Bearer realm="api", error="${cause}"` },
    }),
  },
  'trace-in-the-headers': {
    unauthorised: (_cause, { headers }) => ({
      status: 401,
      json: refusal,
      headers: { traceparent: `${headers.traceparent}`, 'X-Client': `${headers['user-agent']}` },
    }),
  },
  'trace-in-the-body': refusingWith(({ headers: { traceparent, 'user-agent': client } }) => ({
    traceparent,
    client,
  })),
  'language-in-the-401': refusingWith(({ headers }) => ({
    help: `see the manual in ${headers['accept-language'] ?? 'en'}`,
  })),
  'refusal-as-plain-text-type': refusedAs({
    body: `\uFEFF${JSON.stringify(refusal, undefined, 2)}\n`,
    headers: { 'Content-Type': 'application/vnd.api+json; charset=UTF-8' },
  }),
  'endpoints-without-success': {
    authorised: ({ method }) =>
      method === 'GET'
        ? { status: 422, json: { success: false, message: 'A parameter is missing.' } }
        : { status: 409, body: '' },
  },
  // An endpoint answers 404 with and without a token.
  'nothing-there': {
    authorised: () => ({ status: 404, json: { success: false, message: 'No such widget.' } }),
    ...refusingAs({ status: 404 }, ({ method }) => method === 'GET'),
  },
  'trial-of-nine-days': {
    granted(token, call, state) {
      const [first = token] = state.tokens.values();
      const hasEnded = token.madeAt - first.madeAt > 9 * day;
      return hasEnded ? right.denied('wrong', call, state) : right.granted(token, call, state);
    },
  },
  'empty-payload': { authorised: () => ({ status: 204 }) },
  'large-payload': { authorised: () => ({ status: 200, json: { text: 'x'.repeat(200_000) } }) },
};

const blockedPage = (status: number): Reply =>
  htmlPage(status, `<html><body><h1>${status}</h1><p>Incident ${randomUUID()}.</p></body></html>`);

/** Whether a firewall takes the header or the body of a request for an attack. */
const isAttack = ({ headers, body }: Call): boolean =>
  [headers.authorization ?? '', body].some((text) =>
    /' ?OR ?'|OR 1=1|UNION SELECT|<\/?\w+>|\$(ne|gt|regex|where)|__proto__|\.\.\//i.test(text),
  );

/** Wrong credentials get a long answer, and a proxy refuses headers above a number of characters. */
const chatty = (more: () => object, limit = Infinity, status = 431): Fault => ({
  ...denying(401, more),
  finish: (reply, { headers }) =>
    (headers.authorization ?? '').length > limit ? blockedPage(status) : reply,
});

/** Refusals of credentials and of unusual texts that the contract leaves open. */
export const denialVariants: Faults = {
  'refusal-with-identifiers': chatty(() => ({
    requestId: randomUUID(),
    traceparent: `00-${hex(16)}-${hex(8)}-01`,
    fingerprint: hex(32),
    state: sign({ sub: 'login', iat: 1, exp: 2 }, 'a key of another service'),
    data: { accessToken: 'Unavailable-0000000000' },
  })),
  'refusal-with-a-long-text': chatty(() => ({ state: hex(1000) }), 1024),
  'refusal-with-a-text-that-a-proxy-forbids': chatty(() => ({ state: hex(300) }), 500, 403),
  'refusal-repeats-the-request': {
    denied: (_why, { headers: { authorization = '' }, body }) => ({
      status: 400,
      json: { success: false, authorization: authorization.split(' '), body: body.split('"') },
    }),
  },
  ...family('firewall-*', texts('403', '406', '503'), (status) => ({
    finish: (reply, call) => (isAttack(call) ? blockedPage(Number(status)) : reply),
  })),
  'firewall-drops-connections': {
    socket: true,
    arrived(call) {
      if (isAttack(call)) call.connection.destroy?.();
      return 0;
    },
  },
  // And so does every unknown path.
  'firewall-with-a-welcome-page': {
    finish: (reply, call) => (isAttack(call) || reply.status === 404 ? blockedPage(200) : reply),
  },
};
