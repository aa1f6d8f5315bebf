import type { MustId } from '../../contract/clauses.ts';
import {
  type Behaviour,
  type Call,
  type Credentials,
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
  /** Clauses that it violates too, but which a single request shows by chance. */
  readonly mayBreak?: readonly MustId[];
  /** It concerns connections, or the bytes on them: without a socket it does not show. */
  readonly socket?: true;
  /** Probes judge it one at a time, because their findings depend on the order of all requests. */
  readonly alone?: true;
}

/** Faults by name. A function makes the closures of one sandbox; other state belongs into `memo`. */
export type Faults = Readonly<Record<string, Fault | (() => Fault)>>;

/** Faults that violate the same clauses. */
export const breaking = (breaks: Fault['breaks'], faults: Faults): Faults =>
  Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [
      name,
      typeof fault === 'function' ? () => ({ breaks, ...fault() }) : { breaks, ...fault },
    ]),
  );

/**
 * A fault for each row of a table.
 * @param pattern of the names, with a star for the key of the row in kebab case
 */
export const family = <Row>(
  pattern: string,
  rows: Readonly<Record<string, Row>>,
  make: (row: Row, key: string) => Fault,
): Faults =>
  Object.fromEntries(
    Object.entries(rows).map(([key, row]) => [
      pattern.replace('*', key.toLowerCase().replaceAll('_', '-')),
      make(row, key),
    ]),
  );

/** A table whose rows are texts, and their own keys. */
export const texts = (...rows: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map((text) => [text, text]));

/** A pair is valid when both halves match by the given comparisons. */
export const matching = (
  key: (sent: unknown, right: string) => boolean,
  secret: (sent: unknown, right: string) => boolean,
): Pick<Behaviour, 'valid'> => ({
  valid: (sent: Credentials, { account }: ServiceState) =>
    key(sent.apiKey, account.apiKey) && secret(sent.secretKey, account.secretKey),
});

export const same = (sent: unknown, right: string): boolean => sent === right;

/** Also accepts a token from another place of the request. */
export const alsoFrom = (
  place: (call: Call) => string | null | undefined,
): Pick<Behaviour, 'presented'> => ({
  presented(call, state) {
    const usual = right.presented(call, state);
    if (typeof usual !== 'string') return usual;
    const token = place(call);
    return typeof token === 'string' && token !== '' ? { token } : usual;
  },
});

/** Finds a token if any generated one is similar to the text. */
export const foundWhen = (
  like: (made: string, sent: string) => boolean,
): Pick<Behaviour, 'find'> => ({
  find: (text, { tokens }) =>
    tokens.get(text) ?? [...tokens.values()].reverse().find((issued) => like(issued.text, text)),
});

/** Stores a new token. */
export function issue(state: ServiceState, madeAt: number): Issued {
  const token = { text: right.mint(state, madeAt), madeAt, memo: new Map() };
  right.keep(token, state);
  return token;
}

type Cause = ReturnType<Behaviour['guard']>;

/** Admits a request without a check of its token. */
export const unguardedWhen = (
  open: (call: Call, state: ServiceState) => boolean,
): Pick<Behaviour, 'guard'> => ({
  guard: (call, state, self) => (open(call, state) ? undefined : right.guard(call, state, self)),
});

/** Changes the verdict of the guard. */
export const guarding = (
  change: (cause: Cause, call: Call, state: ServiceState) => Cause,
): Pick<Behaviour, 'guard'> => ({
  guard: (call, state, self) => change(right.guard(call, state, self), call, state),
});

/** Expires a token by another rule. */
export const expiringWhen = (
  ended: (ageMs: number, token: Issued, now: number) => boolean,
): Pick<Behaviour, 'expired'> => ({
  expired: (token, now) => ended(now - token.madeAt, token, now),
});

/** Repeats the newest token that satisfies a rule, instead of a new one. @param mint makes a new one */
export const givingAgain = (
  again: (token: Issued, now: number, state: ServiceState) => boolean,
  mint = right.mint,
): Pick<Behaviour, 'mint' | 'keep'> => ({
  mint(state, now) {
    for (const token of [...state.tokens.values()].reverse())
      if (again(token, now, state)) return token.text;
    return mint(state, now);
  },
  keep(token, state) {
    if (!state.tokens.has(token.text)) right.keep(token, state);
  },
});

/** Adds one to a counter of the service. */
export function count(state: ServiceState, what: unknown): number {
  const next = (state.memo.get(what) ?? 0) + 1;
  state.memo.set(what, next);
  return next;
}

export const refusal = { success: false, message: 'Invalid or expired access token.' };

/** A page in place of JSON. */
export const htmlPage = (status: number, body: string): Reply => ({
  status,
  body,
  headers: { 'Content-Type': 'text/html' },
});

/** The right refusal with something changed. */
export const refusedAs = (change: Partial<Reply>): Pick<Behaviour, 'unauthorised'> => ({
  unauthorised: () => ({ status: 401, json: refusal, ...change }),
});
