import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { breaking, count, type Faults, family, htmlPage } from './fault.ts';

const message = 'Access token generated.';

/** A token response whose body is made from the token's text. */
const grantedAs = (json: (token: string) => unknown): Pick<Behaviour, 'granted'> => ({
  granted: ({ text }) => ({ status: 200, json: json(text) }),
});

const grantedInstead = (body: (token: string) => string | Buffer): Pick<Behaviour, 'granted'> => ({
  granted: ({ text }) => ({ status: 200, body: body(text) }),
});

/** Members of the right token response that are changed. */
const changes: Readonly<Record<string, object>> = {
  'message-absent': { message: undefined },
  'message-null': { message: null },
  'message-number': { message: 200 },
  'success-absent': { success: undefined },
  'success-text': { success: 'true' },
  'success-one': { success: 1 },
  'success-false-with-token': { success: false },
  'token-number': { data: { accessToken: 42 } },
  'token-empty': { data: { accessToken: '' } },
  'token-null': { data: { accessToken: null } },
};

/** The token response is not the success envelope, or its token is not valid yet. */
export const tokenAnswerFaults: Faults = {
  ...breaking('TOKEN-1', {
    ...family('*', changes, (change) =>
      grantedAs((accessToken) => ({ success: true, message, data: { accessToken }, ...change })),
    ),
    'data-array': grantedAs((accessToken) => ({ success: true, message, data: [{ accessToken }] })),
    'data-is-the-token': grantedAs((data) => ({ success: true, message, data })),
    'token-beside-data': grantedAs((accessToken) => ({
      success: true,
      message,
      accessToken,
      data: {},
    })),
    'token-in-snake-case': grantedAs((token) => ({
      success: true,
      message,
      data: { access_token: token },
    })),
    'bare-token': grantedInstead((token) => token),
    'token-response-cut': grantedInstead(
      (token) => `{"success":true,"message":"${message}","data":{"accessToken":"${token}"}`,
    ),
    'token-response-not-utf8': grantedInstead((token) =>
      Buffer.from(
        `{"success":true,"message":"généré","data":{"accessToken":"${token}"}}`,
        'latin1',
      ),
    ),
    'token-endpoint-fails': { granted: () => ({ status: 500, body: 'Internal Server Error' }) },
    'page-where-json-is-not-named': {
      granted: (token, call, state) =>
        /json/.test(call.headers.accept ?? '')
          ? right.granted(token, call, state)
          : htmlPage(200, `<p>${token.text}</p>`),
    },
    // The pattern wants apiKey first and no white space.
    'reads-json-by-pattern': {
      credentials(call) {
        const pattern = /^\{"apiKey":("(?:[^"\\]|\\.)*"),"secretKey":("(?:[^"\\]|\\.)*")\}$/;
        const [, key, secret] = pattern.exec(call.body) ?? [];
        if (key === undefined || secret === undefined) return undefined;
        return { apiKey: JSON.parse(key), secretKey: JSON.parse(secret) };
      },
    },
  }),
  ...breaking(['TOKEN-4', 'BEARER-1'], {
    'valid-after-a-second': {
      find(text, state, call) {
        const token = right.find(text, state, call);
        return token !== undefined && call.now - token.madeAt >= 1000 ? token : undefined;
      },
    },
    'valid-after-the-first-try': {
      find(text, state, call) {
        const token = right.find(text, state, call);
        if (token === undefined || token.memo.has('seen')) return token;
        token.memo.set('seen', 1);
        return undefined;
      },
    },
    // Of several tokens made within a second only the first is stored.
    'second-token-in-a-second-is-dead': {
      keep(token, state) {
        if (count(state, `second ${Math.floor(token.madeAt / 1000)}`) === 1)
          right.keep(token, state);
      },
    },
  }),
};
