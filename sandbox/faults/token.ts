import { grantedAs, type Mutant } from './fault.ts';
import { firstUses } from './probes.ts';

const message = 'Access token generated.';

/** The token response is not the success envelope, or its token is not valid yet. */
export const tokenMutants: readonly Mutant[] = [
  {
    name: 'message-absent',
    means: 'The token response has no message',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((accessToken) => ({ success: true, data: { accessToken } })),
  },
  {
    name: 'message-null',
    means: 'The message of the token response is null',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () =>
      grantedAs((accessToken) => ({ success: true, message: null, data: { accessToken } })),
  },
  {
    name: 'message-number',
    means: 'The message of the token response is a number',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () =>
      grantedAs((accessToken) => ({ success: true, message: 200, data: { accessToken } })),
  },
  {
    name: 'success-absent',
    means: 'The token response does not say success',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((accessToken) => ({ message, data: { accessToken } })),
  },
  {
    name: 'success-text',
    means: 'success is the text "true"',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((accessToken) => ({ success: 'true', message, data: { accessToken } })),
  },
  {
    name: 'success-one',
    means: 'success is 1',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((accessToken) => ({ success: 1, message, data: { accessToken } })),
  },
  {
    name: 'success-false-with-token',
    means: 'success is false although a token is given',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((accessToken) => ({ success: false, message, data: { accessToken } })),
  },
  {
    name: 'data-array',
    means: 'data is an array around the right object',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((accessToken) => ({ success: true, message, data: [{ accessToken }] })),
  },
  {
    name: 'data-is-the-token',
    means: 'data is the token itself',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((data) => ({ success: true, message, data })),
  },
  {
    name: 'token-beside-data',
    means: 'The token stands beside data',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((accessToken) => ({ success: true, message, accessToken, data: {} })),
  },
  {
    name: 'token-in-snake-case',
    means: 'The token is called access_token',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs((token) => ({ success: true, message, data: { access_token: token } })),
  },
  {
    name: 'token-number',
    means: 'The token is a number',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs(() => ({ success: true, message, data: { accessToken: 42 } })),
  },
  {
    name: 'token-empty',
    means: 'The token is an empty text',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs(() => ({ success: true, message, data: { accessToken: '' } })),
  },
  {
    name: 'token-null',
    means: 'The token is null',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => grantedAs(() => ({ success: true, message, data: { accessToken: null } })),
  },
  {
    name: 'bare-token',
    means: 'The token response is the token as plain text',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
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
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
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
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
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
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token', 'right-credentials-get-a-token'],
    make: () => ({ granted: () => ({ status: 500, body: 'Internal Server Error' }) }),
  },
  {
    name: 'reads-json-by-pattern',
    means: 'The body is read by a pattern that wants apiKey first and no white space',
    breaks: ['TOKEN-1'],
    caughtBy: ['any-spelling-of-the-json-gets-a-token'],
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
    name: 'valid-after-a-second',
    means: 'A token is valid only a second after it was made',
    breaks: ['TOKEN-4', 'BEARER-1'],
    caughtBy: firstUses,
    make: (right) => ({
      find: (text, state, call) => {
        const token = right.find(text, state, call);
        return token !== undefined && call.now - token.madeAt >= 1000 ? token : undefined;
      },
    }),
  },
  {
    name: 'valid-after-the-first-try',
    means: 'A token is found only at the second look, because the store is written behind',
    breaks: ['TOKEN-4', 'BEARER-1'],
    caughtBy: firstUses,
    make: (right) => ({
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
    breaks: ['TOKEN-4', 'BEARER-1'],
    caughtBy: firstUses,
    make: (right) => ({
      keep(token, state) {
        const second = `second ${Math.floor(token.madeAt / 1000)}`;
        state.memo.set(second, (state.memo.get(second) ?? 0) + 1);
        if ((state.memo.get(second) ?? 0) <= 1) right.keep(token, state);
      },
    }),
  },
];
