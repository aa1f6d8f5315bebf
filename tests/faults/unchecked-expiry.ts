import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { fault, type Mutant } from './fault.ts';

/** For requests of some kind the guard does not check whether the token has expired. */
const unchecked = (when: (call: Call) => boolean): Pick<Behaviour, 'expired'> => ({
  expired: (token, now, state, call) => !when(call) && right.expired(token, now, state, call),
});

/** An expired token is admitted, but only in requests of one form. */
export const uncheckedExpiryMutants: readonly Mutant[] = [
  fault('expired-admitted-over-http-1-0', 'Over HTTP/1.0 an expired token is accepted', () =>
    unchecked(({ httpVersion }) => httpVersion === '1.0'),
  ),
  fault('expired-admitted-in-chunks', 'With a chunked body an expired token is accepted', () =>
    unchecked(({ headers }) => headers['transfer-encoding'] !== undefined),
  ),
  fault(
    'expired-admitted-behind-a-proxy',
    'With X-Forwarded-For an expired token is accepted',
    () => unchecked(({ headers }) => headers['x-forwarded-for'] !== undefined),
  ),
  fault(
    'expired-admitted-for-browsers',
    'With Accept: text/html an expired token is accepted',
    () => unchecked(({ headers }) => headers.accept?.startsWith('text/html') === true),
  ),
  fault(
    'expired-admitted-under-small-bearer',
    'The scheme is matched without regard to case, and an expired token is accepted under bearer',
    () => ({
      presented(call, state) {
        const [, token] = /^bearer (\S+)$/.exec(call.headers.authorization ?? '') ?? [];
        return token === undefined ? right.presented(call, state) : { token };
      },
      expired: (token, now, state, call) =>
        call.headers.authorization?.startsWith('bearer') !== true &&
        right.expired(token, now, state, call),
    }),
  ),
  fault(
    'expired-admitted-on-its-connection',
    'A token that was authenticated on a connection does not expire there',
    () => {
      const authenticated = new WeakMap<object, string>();
      return {
        expired: (token, now, state, call) =>
          authenticated.get(call.connection) !== token.text &&
          right.expired(token, now, state, call),
        used: ({ text }, { connection }) => void authenticated.set(connection, text),
      };
    },
  ),
];
