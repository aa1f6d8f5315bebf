import { randomUUID } from 'node:crypto';
import { day, right } from '../../behaviour.ts';
import { refusal, refusedAs, type Variant } from '../fault.ts';
import { refusingAs } from '../other-refusals.ts';

/** A token response. @param more further fields of its data */
const success = (accessToken: string, more: object = {}, message = 'OK') => ({
  success: true,
  message,
  data: { accessToken, ...more },
});

/** Answers that the contract leaves open. */
export const answerVariants: readonly Variant[] = [
  {
    name: 'created',
    means: 'A token response has status 201',
    make: () => ({ granted: (...of) => ({ ...right.granted(...of), status: 201 }) }),
  },
  {
    name: 'empty-message',
    means: 'The message of a token response is empty',
    make: () => ({ granted: ({ text }) => ({ status: 200, json: success(text, {}, '') }) }),
  },
  {
    name: 'further-fields',
    means: 'The token response has further fields at every level',
    make: () => ({
      granted: ({ text }) => ({
        status: 200,
        json: {
          ...success(text, { tokenType: 'Bearer', expiresIn: 86_400, refreshToken: null }),
          code: 0,
        },
      }),
    }),
  },
  {
    name: 'refresh-token',
    means:
      'A token response holds a refresh token and sets a cookie, and neither opens an endpoint',
    make: () => ({
      granted: ({ text }) => ({
        status: 200,
        json: success(text, { refreshToken: randomUUID().repeat(2), sessionId: randomUUID() }),
        headers: { 'Set-Cookie': `session=${randomUUID()}; Path=/; HttpOnly` },
      }),
    }),
  },
  ...[401, 403, 404, 422, 500].map(
    (status): Variant => ({
      name: `wrong-credentials-${status}`,
      means: `Wrong credentials are answered with ${status}`,
      make: () => ({ denied: () => ({ status, json: { success: false, message: 'No.' } }) }),
    }),
  ),
  {
    name: 'wrong-credentials-200',
    means: 'Wrong credentials are answered with 200 and success false',
    make: () => ({
      denied: () => ({
        status: 200,
        json: { success: false, message: 'No.', data: { accessToken: '' }, trace: randomUUID() },
      }),
    }),
  },
  {
    name: 'problem-json',
    means: 'Wrong credentials are answered as RFC 9457 has it',
    make: () => ({
      denied: () => ({
        status: 400,
        json: { type: 'about:blank', title: 'Bad Request', status: 400, instance: randomUUID() },
        headers: { 'Content-Type': 'application/problem+json' },
      }),
    }),
  },
  {
    name: 'malformed-json-as-page',
    means: 'Malformed JSON is answered with a page of the framework',
    make: () => ({
      denied: (why, call, state) =>
        why === 'malformed'
          ? {
              status: 400,
              body: '<h1>Bad Request</h1>',
              headers: { 'Content-Type': 'text/html' },
            }
          : right.denied(why, call, state),
    }),
  },
  {
    name: 'form-credentials',
    means: 'Credentials may also be sent as a form',
    make: () => ({
      credentials(call) {
        const form = new URLSearchParams(call.body);
        return (
          right.credentials(call) ?? {
            apiKey: form.get('apiKey'),
            secretKey: form.get('secretKey'),
          }
        );
      },
    }),
  },
  {
    name: 'further-fields-in-the-401',
    means: 'The 401 names the request and the time',
    make: () => ({
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
    }),
  },
  {
    name: 'www-authenticate',
    means: 'The 401 says by WWW-Authenticate what is wrong',
    make: () => ({
      unauthorised: (cause) => ({
        status: 401,
        json: refusal,
        headers: { 'WWW-Authenticate': `Bearer realm="api", error="${cause}"` },
      }),
    }),
  },
  {
    name: 'trace-in-the-headers',
    means: 'The headers of the 401 repeat traceparent and User-Agent',
    make: () => ({
      unauthorised: (_cause, { headers }) => ({
        status: 401,
        json: refusal,
        headers: {
          traceparent: String(headers.traceparent ?? 'none'),
          'X-Client': headers['user-agent'] ?? 'none',
        },
      }),
    }),
  },
  {
    name: 'trace-in-the-body',
    means: 'The body of the 401 repeats traceparent and User-Agent',
    make: () => ({
      unauthorised: (_cause, { headers }) => ({
        status: 401,
        json: {
          ...refusal,
          traceId: headers.traceparent ?? null,
          client: headers['user-agent'] ?? null,
        },
      }),
    }),
  },
  {
    name: 'refusal-as-plain-text-type',
    means: 'The JSON of the 401 is declared with another type and a byte order mark',
    make: () =>
      refusedAs({
        body: `\uFEFF${JSON.stringify(refusal, undefined, 2)}\n`,
        headers: { 'Content-Type': 'application/vnd.api+json; charset=UTF-8' },
      }),
  },
  {
    name: 'endpoints-without-success',
    means: 'Authorised requests are answered with 404, 422 and the like',
    make: () => ({
      authorised: ({ method }) =>
        method === 'GET'
          ? { status: 422, json: { success: false, message: 'A parameter is missing.' } }
          : { status: 409, body: '' },
    }),
  },
  {
    name: 'nothing-there',
    means: 'An endpoint answers 404 with and without a token',
    make: () => ({
      authorised: () => ({ status: 404, json: { success: false, message: 'No such widget.' } }),
      ...refusingAs({ status: 404 }, ({ method }) => method === 'GET'),
    }),
  },
  {
    name: 'trial-of-nine-days',
    means: 'Nine days after its first token an account gets no more',
    make: () => ({
      granted(token, call, state) {
        const [first = token] = state.tokens.values();
        const hasEnded = token.madeAt - first.madeAt > 9 * day;
        return hasEnded ? right.denied('wrong', call, state) : right.granted(token, call, state);
      },
    }),
  },
  {
    name: 'empty-payload',
    means: 'Authorised requests are answered with 204',
    make: () => ({ authorised: () => ({ status: 204 }) }),
  },
  {
    name: 'large-payload',
    means: 'Authorised requests are answered with 200,000 bytes',
    make: () => ({
      authorised: () => ({ status: 200, json: { text: 'x'.repeat(200_000) } }),
    }),
  },
];
