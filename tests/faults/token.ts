import { randomBytes, randomUUID } from 'node:crypto';
import { type Call, day, type Reply, right, type ServiceState } from '../../sandbox/behaviour.ts';
import {
  bearerOf,
  breaking,
  count,
  envelope,
  type Fault,
  type Faults,
  family,
  givingRefreshTokens,
  granting,
  htmlPage,
  issue,
  second,
} from './fault.ts';
import { sign } from './token-forms.ts';

/** What is wrong in the success envelope. */
const changes: Readonly<Record<string, (accessToken: string) => object>> = {
  'message-absent': () => ({ message: undefined }),
  'message-number': () => ({ message: 200 }),
  'success-text': () => ({ success: 'true' }),
  'success-false-with-token': () => ({ success: false }),
  'data-array': (accessToken) => ({ data: [{ accessToken }] }),
  'token-empty': () => ({ data: { accessToken: '' } }),
  'token-in-snake-case': (token) => ({ data: { access_token: token } }),
};

/** The text of a token has what a request cannot carry behind `Bearer `. */
const unsendable: Readonly<Record<string, (text: string) => string>> = {
  'token-ends-with-a-line-break': (text) => `${text}\n`,
  'token-with-a-blank': (text) => `${text.slice(0, 20)} ${text.slice(20)}`,
  'token-with-a-nul': (text) => `${text}\0\0`,
};

/** The token response is not the success envelope, or its token is not valid yet. */
export const tokenAnswerFaults: Faults = {
  ...breaking('TOKEN-1', {
    ...family('*', changes, (change) => granting((token) => envelope(token, change(token)))),
    ...family('*', unsendable, (change) => ({
      mint: (state, now) => change(right.mint(state, now)),
    })),
    'bare-token': granting((body) => ({ body })),
    'token-response-cut': granting((token) => ({
      body: JSON.stringify(envelope(token).json).slice(0, -1),
    })),
    'token-response-not-utf8': granting((token) => ({
      body: Buffer.from(JSON.stringify(envelope(token, { message: 'é' }).json), 'latin1'),
    })),
    'token-endpoint-fails': granting(() => ({ status: 500, body: 'Internal Server Error' })),
    'page-where-json-is-not-named': granting((token, { headers: { accept = '' } }) =>
      accept.includes('json') ? envelope(token) : htmlPage(200, `<p>${token}</p>`),
    ),
    // The pattern wants apiKey first and no white space.
    'reads-json-by-pattern': {
      credentials(call) {
        const pattern = /^\{"apiKey":"(?:[^"\\]|\\.)*","secretKey":"(?:[^"\\]|\\.)*"\}$/;
        return pattern.test(call.body) ? right.credentials(call) : undefined;
      },
    },
  }),
  ...breaking(['TOKEN-4', 'BEARER-1'], {
    'valid-after-a-second': {
      find(text, state, call) {
        const token = right.find(text, state, call);
        return token !== undefined && call.now - token.madeAt >= second ? token : undefined;
      },
    },
    'valid-after-the-first-try': {
      find(text, state, call) {
        const token = right.find(text, state, call);
        return token !== undefined && count(token, 'tries') > 1 ? token : undefined;
      },
    },
    // Of several tokens made within a second only the first is stored.
    'second-token-in-a-second-is-dead': {
      keep(token, state) {
        if (count(state, Math.floor(token.madeAt / second)) === 1) right.keep(token, state);
      },
    },
  }),
};

/** A pair is valid when both halves match by the given comparisons. */
export const matching = (
  key: (sent: unknown, right: string) => boolean,
  secret: (sent: unknown, right: string) => boolean,
): Fault => ({
  valid: (sent, { account }) =>
    key(sent.apiKey, account.apiKey) && secret(sent.secretKey, account.secretKey),
});

export const same = (sent: unknown, right: string): boolean => sent === right;

/** The secret key is right if it equals the right one by this comparison. */
const secretIf = (compare: (sent: string, right: string) => boolean) =>
  matching(same, (sent, right) => typeof sent === 'string' && compare(sent, right));

/** Wrong pairs get a token. */
export const wrongPairFaults: Faults = {
  ...breaking('TOKEN-2', {
    'secret-begins-right': secretIf((sent, right) => sent.startsWith(right)),
    'secret-in-any-case': secretIf((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  }),
  ...breaking(['TOKEN-2', 'TOKEN-3'], {
    'any-key': matching(() => true, same),
    'comparison-stops-at-the-shorter': secretIf(
      (sent, right) => sent.startsWith(right) || right.startsWith(sent),
    ),
    'refusal-holds-a-token': {
      denied: (_why, call, state) => ({
        status: 400,
        json: { success: false, debug: { last: issue(state, call.now).text } },
      }),
    },
  }),
};

type Fields = Readonly<Record<string, unknown>>;

/** Reads the credentials from a JSON value in another way. */
const readAs = (read: (json: Fields) => Fields): Fault => ({
  credentials(call) {
    const json: unknown = right.credentials(call) && JSON.parse(call.body);
    if (json === undefined) return undefined;
    const { apiKey, secretKey } = read(json as Fields);
    return { apiKey, secretKey };
  },
});

/** The token endpoint also gives a token for something else than credentials. */
export const renewing = (isRight: (call: Call, state: ServiceState) => boolean): Fault => ({
  denied: (why, call, state) =>
    isRight(call, state)
      ? right.granted(issue(state, call.now), call, state)
      : right.denied(why, call, state),
});

/** A token of such an age (milliseconds) gets another one. */
const renewingAt = (isRenewed: (ageMs: number) => boolean) =>
  renewing((call, { tokens }) => {
    const token = tokens.get(bearerOf(call));
    return token !== undefined && isRenewed(call.now - token.madeAt);
  });

/** A body that lacks a field, or has something else than a text in it, gets a token. */
export const bodyFaults = breaking('TOKEN-3', {
  'array-equals-its-text': matching(same, (sent, right) => String(sent) === right),
  'nested-fields': readAs((json) => Object.assign({}, json.data, json)),
  'valid-token-gets-another': renewingAt((age) => age < day),
  'expired-token-gets-another': renewingAt((age) => age >= day),
  'refresh-token-gets-a-token': {
    ...renewing(({ body }, { memo }) => memo.has(/"refresh_token":"([^"]+)"/.exec(body)?.[1])),
    ...givingRefreshTokens,
  },
});

export const credentialVariants: Faults = {
  // As Go and ASP.NET do.
  'field-names-in-any-case': readAs((json) => {
    const fields = Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]);
    const { apikey, secretkey } = Object.fromEntries(fields);
    return { apiKey: apikey, secretKey: secretkey };
  }),
};

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Credentials are refused with these members. */
const denying = (status: number, more = (): object => ({})): Fault => ({
  denied: () => ({ status, json: { success: false, message: 'No.', ...more() } }),
});

/** Answers of the token endpoint that the contract leaves open. */
export const tokenAnswerVariants: Faults = {
  created: granting((token) => ({ ...envelope(token), status: 201 })),
  'empty-message': granting((token) => envelope(token, { message: '' })),
  'further-fields': granting((accessToken) =>
    envelope(accessToken, { code: 0, data: { accessToken, expiresIn: 86_400, scope: null } }),
  ),
  // These further secrets open nothing.
  'refresh-token': granting((accessToken) => ({
    ...envelope(accessToken, {
      data: { accessToken, refreshToken: randomUUID().repeat(2), sessionId: randomUUID() },
    }),
    headers: { 'Set-Cookie': `session=${randomUUID()}; Path=/; HttpOnly` },
  })),
  ...family('wrong-credentials-*', { 401: 401, 422: 422, 500: 500 }, (status) => denying(status)),
  'wrong-credentials-200': denying(200, () => ({ data: { accessToken: '' }, trace: hex(16) })),
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
  'trial-of-nine-days': {
    granted(token, call, state) {
      const [first = token] = state.tokens.values();
      const hasEnded = token.madeAt - first.madeAt > 9 * day;
      return hasEnded ? right.denied('wrong', call, state) : right.granted(token, call, state);
    },
  },
};

const blockedPage = (status: number): Reply =>
  htmlPage(status, `<html><body><h1>${status}</h1><p>Incident ${randomUUID()}.</p></body></html>`);

/** Whether a firewall takes the header or the body of a request for an attack. */
const isAttack = ({ headers, body }: Call): boolean =>
  [headers.authorization ?? '', body].some((text) =>
    /' ?OR ?'|OR 1=1|UNION SELECT|<\/?\w+>|\$(ne|gt|regex|where)|__proto__|\.\.\//i.test(text),
  );

/** Refusals of credentials and of unusual texts that the contract leaves open. */
export const denialVariants: Faults = {
  'refusal-with-identifiers': denying(401, () => ({
    requestId: randomUUID(),
    traceparent: `00-${hex(16)}-${hex(8)}-01`,
    fingerprint: hex(32),
    state: sign({ sub: 'login', iat: 1, exp: 2 }, 'a key of another service'),
    data: { accessToken: 'Unavailable-0000000000' },
  })),
  'refusal-repeats-the-request': {
    denied: (_why, { headers: { authorization = '' }, body }) => ({
      status: 400,
      json: { success: false, authorization: authorization.split(' '), body: body.split('"') },
    }),
  },
  ...family('firewall-*', { 403: 403, 406: 406, 503: 503 }, (status) => ({
    finish: (reply, call) => (isAttack(call) ? blockedPage(status) : reply),
  })),
  'firewall-drops-connections': {
    socket: true,
    arrived(call) {
      if (isAttack(call)) call.connection.destroy?.();
      return 0;
    },
  },
  // Every unknown path gets that page too.
  'firewall-with-a-welcome-page': {
    finish: (reply, call) => (isAttack(call) || reply.status === 404 ? blockedPage(200) : reply),
  },
};
