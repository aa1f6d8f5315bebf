import { randomUUID } from 'node:crypto';
import { day, right } from '../../../sandbox/behaviour.ts';
import { fault, htmlPage, refusal, refusedAs, type Variant } from '../fault.ts';
import { refusingAs } from '../refusals.ts';

/** A token response. @param more further fields of its data */
const success = (accessToken: string, more: object = {}, message = 'OK') => ({
  success: true,
  message,
  data: { accessToken, ...more },
});

/** Answers that the contract leaves open. */
export const answerVariants: readonly Variant[] = [
  fault('created', 'A token response has status 201', () => ({
    granted: (...of) => ({ ...right.granted(...of), status: 201 }),
  })),
  fault('empty-message', 'The message of a token response is empty', () => ({
    granted: ({ text }) => ({ status: 200, json: success(text, {}, '') }),
  })),
  fault('further-fields', 'The token response has further fields at every level', () => ({
    granted: ({ text }) => ({
      status: 200,
      json: {
        ...success(text, { tokenType: 'Bearer', expiresIn: 86_400, refreshToken: null }),
        code: 0,
      },
    }),
  })),
  fault(
    'refresh-token',
    'A token response holds a refresh token and sets a cookie, and neither opens an endpoint',
    () => ({
      granted: ({ text }) => ({
        status: 200,
        json: success(text, { refreshToken: randomUUID().repeat(2), sessionId: randomUUID() }),
        headers: { 'Set-Cookie': `session=${randomUUID()}; Path=/; HttpOnly` },
      }),
    }),
  ),
  ...[401, 403, 404, 422, 500].map((status) =>
    fault(`wrong-credentials-${status}`, `Wrong credentials are answered with ${status}`, () => ({
      denied: () => ({ status, json: { success: false, message: 'No.' } }),
    })),
  ),
  fault(
    'wrong-credentials-200',
    'Wrong credentials are answered with 200 and success false',
    () => ({
      denied: () => ({
        status: 200,
        json: { success: false, message: 'No.', data: { accessToken: '' }, trace: randomUUID() },
      }),
    }),
  ),
  fault('problem-json', 'Wrong credentials are answered as RFC 9457 has it', () => ({
    denied: () => ({
      status: 400,
      json: { type: 'about:blank', title: 'Bad Request', status: 400, instance: randomUUID() },
      headers: { 'Content-Type': 'application/problem+json' },
    }),
  })),
  fault(
    'malformed-json-as-page',
    'Malformed JSON is answered with a page of the framework',
    () => ({
      denied: (why, call, state) =>
        why === 'malformed'
          ? htmlPage(400, '<h1>Bad Request</h1>')
          : right.denied(why, call, state),
    }),
  ),
  fault('form-credentials', 'Credentials may also be sent as a form', () => ({
    credentials(call) {
      const form = new URLSearchParams(call.body);
      return (
        right.credentials(call) ?? {
          apiKey: form.get('apiKey'),
          secretKey: form.get('secretKey'),
        }
      );
    },
  })),
  fault('further-fields-in-the-401', 'The 401 names the request and the time', () => ({
    unauthorised: (_cause, call) => ({
      status: 401,
      json: {
        ...refusal,
        path: call.path,
        requestId: randomUUID(),
        timestamp: new Date(call.now).toISOString(),
        data: null,
      },
    }),
  })),
  fault('www-authenticate', 'The 401 says by WWW-Authenticate what is wrong', () => ({
    unauthorised: (cause) => ({
      status: 401,
      json: refusal,
      headers: { 'WWW-Authenticate': `Bearer realm="api", error="${cause}"` },
    }),
  })),
  fault('trace-in-the-headers', 'The headers of the 401 repeat traceparent and User-Agent', () => ({
    unauthorised: (_cause, { headers }) => ({
      status: 401,
      json: refusal,
      headers: {
        traceparent: String(headers.traceparent ?? 'none'),
        'X-Client': headers['user-agent'] ?? 'none',
      },
    }),
  })),
  fault('trace-in-the-body', 'The body of the 401 repeats traceparent and User-Agent', () => ({
    unauthorised: (_cause, { headers }) => ({
      status: 401,
      json: {
        ...refusal,
        traceId: headers.traceparent ?? null,
        client: headers['user-agent'] ?? null,
      },
    }),
  })),
  fault(
    'refusal-as-plain-text-type',
    'The JSON of the 401 is declared with another type and a byte order mark',
    () =>
      refusedAs({
        body: `\uFEFF${JSON.stringify(refusal, undefined, 2)}\n`,
        headers: { 'Content-Type': 'application/vnd.api+json; charset=UTF-8' },
      }),
  ),
  fault(
    'endpoints-without-success',
    'Authorised requests are answered with 404, 422 and the like',
    () => ({
      authorised: ({ method }) =>
        method === 'GET'
          ? { status: 422, json: { success: false, message: 'A parameter is missing.' } }
          : { status: 409, body: '' },
    }),
  ),
  fault('nothing-there', 'An endpoint answers 404 with and without a token', () => ({
    authorised: () => ({ status: 404, json: { success: false, message: 'No such widget.' } }),
    ...refusingAs({ status: 404 }, ({ method }) => method === 'GET'),
  })),
  fault('trial-of-nine-days', 'Nine days after its first token an account gets no more', () => ({
    granted(token, call, state) {
      const [first = token] = state.tokens.values();
      const hasEnded = token.madeAt - first.madeAt > 9 * day;
      return hasEnded ? right.denied('wrong', call, state) : right.granted(token, call, state);
    },
  })),
  fault('empty-payload', 'Authorised requests are answered with 204', () => ({
    authorised: () => ({ status: 204 }),
  })),
  fault('large-payload', 'Authorised requests are answered with 200,000 bytes', () => ({
    authorised: () => ({ status: 200, json: { text: 'x'.repeat(200_000) } }),
  })),
];
