import type { MustId } from '../../contract/clauses.ts';
import {
  type Behaviour,
  type Call,
  day,
  type Issued,
  type Reply,
  right,
  type ServiceState,
} from '../../sandbox/behaviour.ts';

/** Milliseconds: the unit of faults of time. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** A difference of the sandbox from the contract's description: the decisions that it replaces. */
export interface Fault extends Partial<Behaviour> {
  /** The clauses that it violates: exactly these, the one of its area first. None: the contract permits it. */
  readonly breaks?: MustId | readonly MustId[];
  /** It concerns connections, or the bytes on them: without a socket it does not show. */
  readonly socket?: true;
  /** Probes judge it one at a time, because their findings depend on the order of all requests. */
  readonly alone?: true;
}

/** Faults by name. Their state belongs into `memo`. */
export type Faults = Readonly<Record<string, Fault>>;

/** A fault for each row of a table. @param pattern of the names, with a star for the key of the row */
export const family = <Row>(
  pattern: string,
  rows: Readonly<Record<string, Row>>,
  make: (row: Row, key: string) => Fault,
): Faults =>
  Object.fromEntries(
    Object.entries(rows).map(([key, row]) => [pattern.replace('*', key), make(row, key)]),
  );

/** Faults that violate the same clauses. */
export const breaking = (breaks: Fault['breaks'], faults: Faults): Faults =>
  family('*', faults, (fault) => ({ breaks, ...fault }));

/** Adds one to a counter of the service, or of a token. */
export function count(counters: Pick<ServiceState, 'memo'>, what: unknown): number {
  const next = (counters.memo.get(what) ?? 0) + 1;
  counters.memo.set(what, next);
  return next;
}

type Cause = Parameters<Behaviour['unauthorised']>[0];
type Guarded = ReturnType<Behaviour['guard']>;

/** Whether a request has this header with such a value. */
export const has =
  (name: string, value = /./) =>
  ({ headers }: Call): boolean =>
    value.test(String(headers[name] ?? ''));

/** What a pattern captures in the Authorization header. */
export const inAuthorization =
  (pattern: RegExp) =>
  ({ headers }: Call): string | undefined =>
    pattern.exec(headers.authorization ?? '')?.[1];

/** The text behind the scheme Bearer; empty if it is missing. */
export const bearerOf = (call: Call): string => inAuthorization(/^Bearer (.+)$/)(call) ?? '';

/** Also accepts a token from another place of the request. */
export const alsoFrom = (place: (call: Call) => string | null | undefined): Fault => ({
  presented(call, state) {
    const presented = right.presented(call, state);
    const token = typeof presented === 'string' ? place(call) : undefined;
    return token ? { token } : presented;
  },
});

/** Finds a token if any generated one is similar to the text. */
export const foundWhen = (isLike: (made: string, sent: string) => boolean): Fault => ({
  find: (text, { tokens }) =>
    tokens.get(text) ?? [...tokens.values()].reverse().find((issued) => isLike(issued.text, text)),
});

/** Stores a new token. */
export function issue(state: ServiceState, madeAt: number): Issued {
  const token = { text: right.mint(state, madeAt), madeAt, memo: new Map() };
  right.keep(token, state);
  return token;
}

/** Repeats the newest token that satisfies a rule, instead of a new one. @param mint makes a new one */
export const givingAgain = (
  isGivenAgain: (token: Issued, now: number, state: ServiceState) => boolean,
  mint = right.mint,
): Pick<Behaviour, 'mint' | 'keep'> => ({
  mint(state, now) {
    const tokens = [...state.tokens.values()].reverse();
    return tokens.find((token) => isGivenAgain(token, now, state))?.text ?? mint(state, now);
  },
  keep(token, state) {
    if (!state.tokens.has(token.text)) right.keep(token, state);
  },
});

/** A token response with other members, or another answer. */
export const granting = (
  reply: (accessToken: string, call: Call, state: ServiceState) => Partial<Reply>,
): Fault => ({
  granted: ({ text }, call, state) => ({ status: 200, ...reply(text, call, state) }),
});

/** The success envelope with other members. */
export const envelope = (accessToken: string, members: object = {}) => ({
  json: { success: true, message: 'OK', data: { accessToken }, ...members },
});

/** A token response also has a refresh token, and its time is noted. */
export const givingRefreshTokens = granting((accessToken, { now }, state) => {
  const refreshToken = right.mint(state, now);
  state.memo.set(refreshToken, now);
  return envelope(accessToken, { data: { accessToken, refreshToken } });
});

/** Changes the verdict of the guard. */
export const guarding = (
  change: (cause: Guarded, call: Call, state: ServiceState) => Guarded,
): Fault => ({
  guard: (call, state, self) => change(right.guard(call, state, self), call, state),
});

/** Admits some requests without a check of their token. */
export const unguardedWhen = (isOpen: (call: Call, state: ServiceState) => boolean) =>
  guarding((cause, call, state) => (isOpen(call, state) ? undefined : cause));

/** For some requests the guard only checks that there is a token. */
export const halfOpen = (isOpen: (call: Call) => boolean) =>
  guarding((cause, call) => (cause === 'invalid' && isOpen(call) ? undefined : cause));

/** Expires a token by another rule. */
export const expiringWhen = (
  hasEnded: (ageMs: number, token: Issued, now: number, call: Call) => boolean,
): Fault => ({
  expired: (token, now, _state, call) => hasEnded(now - token.madeAt, token, now, call),
});

/** A token lives for this time (milliseconds). */
export const living = (ms: number) => expiringWhen((age) => age >= ms);

/** HEAD is routed like GET. */
export const routingHead: Fault = {
  route: ({ method, ...call }, state) =>
    right.route({ ...call, method: method.replace('HEAD', 'GET') }, state),
};

/** Some requests are authorised by expired tokens too. */
export const uncheckedWhen = (isUnchecked: (call: Call, ageMs: number) => boolean) =>
  expiringWhen((age, _token, _now, call) => age >= day && !isUnchecked(call, age));

export const refusal = { success: false, message: 'Invalid or expired access token.' };

/** The right refusal with further members, or with others. */
export const refusalWith = (members: object): Reply => ({
  status: 401,
  json: { ...refusal, ...members },
});

/** Other answers to unauthorised requests. @param when the cause of those, or a rule; by default all */
export const refusingAs = (
  reply: Reply | ((call: Call, cause: Cause) => Reply),
  when: Cause | ((call: Call, cause: Cause) => boolean) = () => true,
): Fault => ({
  unauthorised(cause, call, state) {
    const isMeant = typeof when === 'string' ? when === cause : when(call, cause);
    if (!isMeant) return right.unauthorised(cause, call, state);
    return typeof reply === 'function' ? reply(call, cause) : reply;
  },
});

/** A page in place of JSON. */
export const htmlPage = (status: number, body: string): Reply => ({
  status,
  body,
  headers: { 'Content-Type': 'text/html' },
});

/** Every answer has further headers. */
export const withHeaders = (
  headers: (call: Call, state: ServiceState) => Reply['headers'],
): Fault => ({
  finish: (reply, ...given) => ({ ...reply, headers: { ...headers(...given), ...reply.headers } }),
});
