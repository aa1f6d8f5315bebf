import { type Behaviour, right } from '../behaviour.ts';
import { count, fault, htmlPage, type Mutant } from './fault.ts';

const message = 'Access token generated.';

/** A token response whose body is made from the token's text. */
const grantedAs = (json: (token: string) => unknown): Pick<Behaviour, 'granted'> => ({
  granted: ({ text }) => ({ status: 200, json: json(text) }),
});

/** The right token response with something changed. */
const changed = (name: string, means: string, change: object): Mutant =>
  fault(name, means, () =>
    grantedAs((accessToken) => ({ success: true, message, data: { accessToken }, ...change })),
  );

/** The token response is not the success envelope, or its token is not valid yet. */
export const tokenMutants: readonly Mutant[] = [
  changed('message-absent', 'The token response has no message', { message: undefined }),
  changed('message-null', 'The message of the token response is null', { message: null }),
  changed('message-number', 'The message of the token response is a number', { message: 200 }),
  changed('success-absent', 'The token response does not say success', { success: undefined }),
  changed('success-text', 'success is the text "true"', { success: 'true' }),
  changed('success-one', 'success is 1', { success: 1 }),
  changed('success-false-with-token', 'success is false although a token is given', {
    success: false,
  }),
  fault('data-array', 'data is an array around the right object', () =>
    grantedAs((accessToken) => ({ success: true, message, data: [{ accessToken }] })),
  ),
  fault('data-is-the-token', 'data is the token itself', () =>
    grantedAs((data) => ({ success: true, message, data })),
  ),
  fault('token-beside-data', 'The token stands beside data', () =>
    grantedAs((accessToken) => ({ success: true, message, accessToken, data: {} })),
  ),
  fault('token-in-snake-case', 'The token is called access_token', () =>
    grantedAs((token) => ({ success: true, message, data: { access_token: token } })),
  ),
  changed('token-number', 'The token is a number', { data: { accessToken: 42 } }),
  changed('token-empty', 'The token is an empty text', { data: { accessToken: '' } }),
  changed('token-null', 'The token is null', { data: { accessToken: null } }),
  fault('bare-token', 'The token response is the token as plain text', () => ({
    granted: ({ text }) => ({
      status: 200,
      body: text,
      headers: { 'Content-Type': 'text/plain' },
    }),
  })),
  fault('token-response-cut', 'The JSON of the token response ends before its end', () => ({
    granted: ({ text }) => ({
      status: 200,
      body: `{"success":true,"message":"${message}","data":{"accessToken":"${text}"}`,
    }),
  })),
  fault('token-response-not-utf8', 'The message of the token response is in Latin-1', () => ({
    granted: ({ text }) => ({
      status: 200,
      body: Buffer.from(
        `{"success":true,"message":"gén\u00e9r\u00e9","data":{"accessToken":"${text}"}}`,
        'latin1',
      ),
    }),
  })),
  fault('token-endpoint-fails', 'The token endpoint answers right credentials with 500', () => ({
    granted: () => ({ status: 500, body: 'Internal Server Error' }),
  })),
  fault(
    'reads-json-by-pattern',
    'The body is read by a pattern that wants apiKey first and no white space',
    () => ({
      credentials(call) {
        const found = /^\{"apiKey":("(?:[^"\\]|\\.)*"),"secretKey":("(?:[^"\\]|\\.)*")\}$/.exec(
          call.body,
        );
        if (found === null) return undefined;
        return { apiKey: JSON.parse(found[1] ?? ''), secretKey: JSON.parse(found[2] ?? '') };
      },
    }),
  ),
  fault(
    'page-where-json-is-not-named',
    'The token response is a page unless Accept names JSON',
    () => ({
      granted: (token, call, state) =>
        /json/.test(call.headers.accept ?? '')
          ? right.granted(token, call, state)
          : htmlPage(200, `<p>${token.text}</p>`),
    }),
  ),
  fault('valid-after-a-second', 'A token is valid only a second after it was made', () => ({
    find: (text, state, call) => {
      const token = right.find(text, state, call);
      return token !== undefined && call.now - token.madeAt >= 1000 ? token : undefined;
    },
  })),
  fault(
    'valid-after-the-first-try',
    'A token is found only at the second look, because the store is written behind',
    () => ({
      find(text, state, call) {
        const token = right.find(text, state, call);
        if (token === undefined || token.memo.has('seen')) return token;
        token.memo.set('seen', 1);
        return undefined;
      },
    }),
  ),
  fault(
    'second-token-in-a-second-is-dead',
    'Of several tokens made within a second only the first is stored',
    () => ({
      keep(token, state) {
        const second = `second ${Math.floor(token.madeAt / 1000)}`;
        if (count(state, second) === 1) right.keep(token, state);
      },
    }),
  ),
];
