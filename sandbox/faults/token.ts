import { right } from '../behaviour.ts';
import { grantedAs, type Mutant } from './fault.ts';

const message = 'Access token generated.';

/** The token response is not the success envelope, or its token is not valid yet. */
export const tokenMutants: readonly Mutant[] = [
  {
    name: 'message-absent',
    means: 'The token response has no message',
    make: () => grantedAs((accessToken) => ({ success: true, data: { accessToken } })),
  },
  {
    name: 'message-null',
    means: 'The message of the token response is null',
    make: () =>
      grantedAs((accessToken) => ({ success: true, message: null, data: { accessToken } })),
  },
  {
    name: 'message-number',
    means: 'The message of the token response is a number',
    make: () =>
      grantedAs((accessToken) => ({ success: true, message: 200, data: { accessToken } })),
  },
  {
    name: 'success-absent',
    means: 'The token response does not say success',
    make: () => grantedAs((accessToken) => ({ message, data: { accessToken } })),
  },
  {
    name: 'success-text',
    means: 'success is the text "true"',
    make: () => grantedAs((accessToken) => ({ success: 'true', message, data: { accessToken } })),
  },
  {
    name: 'success-one',
    means: 'success is 1',
    make: () => grantedAs((accessToken) => ({ success: 1, message, data: { accessToken } })),
  },
  {
    name: 'success-false-with-token',
    means: 'success is false although a token is given',
    make: () => grantedAs((accessToken) => ({ success: false, message, data: { accessToken } })),
  },
  {
    name: 'data-array',
    means: 'data is an array around the right object',
    make: () => grantedAs((accessToken) => ({ success: true, message, data: [{ accessToken }] })),
  },
  {
    name: 'data-is-the-token',
    means: 'data is the token itself',
    make: () => grantedAs((data) => ({ success: true, message, data })),
  },
  {
    name: 'token-beside-data',
    means: 'The token stands beside data',
    make: () => grantedAs((accessToken) => ({ success: true, message, accessToken, data: {} })),
  },
  {
    name: 'token-in-snake-case',
    means: 'The token is called access_token',
    make: () => grantedAs((token) => ({ success: true, message, data: { access_token: token } })),
  },
  {
    name: 'token-number',
    means: 'The token is a number',
    make: () => grantedAs(() => ({ success: true, message, data: { accessToken: 42 } })),
  },
  {
    name: 'token-empty',
    means: 'The token is an empty text',
    make: () => grantedAs(() => ({ success: true, message, data: { accessToken: '' } })),
  },
  {
    name: 'token-null',
    means: 'The token is null',
    make: () => grantedAs(() => ({ success: true, message, data: { accessToken: null } })),
  },
  {
    name: 'bare-token',
    means: 'The token response is the token as plain text',
    make: () => ({
      granted: ({ text }) => ({
        status: 200,
        body: text,
        headers: { 'Content-Type': 'text/plain' },
      }),
    }),
  },
  {
    name: 'token-response-cut',
    means: 'The JSON of the token response ends before its end',
    make: () => ({
      granted: ({ text }) => ({
        status: 200,
        body: `{"success":true,"message":"${message}","data":{"accessToken":"${text}"}`,
      }),
    }),
  },
  {
    name: 'token-response-not-utf8',
    means: 'The message of the token response is in Latin-1',
    make: () => ({
      granted: ({ text }) => ({
        status: 200,
        body: Buffer.from(
          `{"success":true,"message":"gén\u00e9r\u00e9","data":{"accessToken":"${text}"}}`,
          'latin1',
        ),
      }),
    }),
  },
  {
    name: 'token-endpoint-fails',
    means: 'The token endpoint answers right credentials with 500',
    make: () => ({ granted: () => ({ status: 500, body: 'Internal Server Error' }) }),
  },
  {
    name: 'reads-json-by-pattern',
    means: 'The body is read by a pattern that wants apiKey first and no white space',
    make: () => ({
      credentials(call) {
        const found = /^\{"apiKey":("(?:[^"\\]|\\.)*"),"secretKey":("(?:[^"\\]|\\.)*")\}$/.exec(
          call.body,
        );
        if (found === null) return undefined;
        return { apiKey: JSON.parse(found[1] ?? ''), secretKey: JSON.parse(found[2] ?? '') };
      },
    }),
  },
  {
    name: 'page-where-json-is-not-named',
    means: 'The token response is a page unless Accept names JSON',
    make: () => ({
      granted: (token, call, state) =>
        /json/.test(call.headers.accept ?? '')
          ? right.granted(token, call, state)
          : { status: 200, body: `<p>${token.text}</p>`, headers: { 'Content-Type': 'text/html' } },
    }),
  },
  {
    name: 'valid-after-a-second',
    means: 'A token is valid only a second after it was made',
    make: () => ({
      find: (text, state, call) => {
        const token = right.find(text, state, call);
        return token !== undefined && call.now - token.madeAt >= 1000 ? token : undefined;
      },
    }),
  },
  {
    name: 'valid-after-the-first-try',
    means: 'A token is found only at the second look, because the store is written behind',
    make: () => ({
      find(text, state, call) {
        const token = right.find(text, state, call);
        if (token === undefined || token.memo.has('seen')) return token;
        token.memo.set('seen', 1);
        return undefined;
      },
    }),
  },
  {
    name: 'second-token-in-a-second-is-dead',
    means: 'Of several tokens made within a second only the first is stored',
    make: () => ({
      keep(token, state) {
        const second = `second ${Math.floor(token.madeAt / 1000)}`;
        state.memo.set(second, (state.memo.get(second) ?? 0) + 1);
        if ((state.memo.get(second) ?? 0) <= 1) right.keep(token, state);
      },
    }),
  },
];
