import { type Behaviour, type Call, right, type ServiceState } from '../../sandbox/behaviour.ts';

/** Which of two servers behind one address gets a request: 0 or 1. */
export type Balancing = (call: Call, state: ServiceState) => number;

/**
 * The requests of each token alternate between the two servers, and so do those without a generated token. So the
 * servers that a probe reaches depend on its own requests, not on concurrent ones.
 */
export function byTurns(): Balancing {
  const turns = new Map<string, number>();
  return ({ method, path, headers: { authorization = '' } }, { tokens }) => {
    const isGenerated = tokens.has(authorization.replace(/^Bearer /, ''));
    const key = isGenerated ? `${method} ${path} ${authorization}` : method;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return turn % 2;
  };
}

/** Each request goes to either server with the same probability, by Lehmer's generator. @param seed from 1 on */
export function atRandom(seed: number): Balancing {
  let state = (seed * 7_919) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state < 1_073_741_824 ? 0 : 1;
  };
}

/** Two servers with the same memory behind one address: each request is answered by one of them alone. */
export function behindOneAddress(
  servers: readonly [Partial<Behaviour>, Partial<Behaviour>],
  balancing: Balancing,
): Partial<Behaviour> {
  const behaviours = servers.map((own) => ({ ...right, ...own }));
  const chosen = new WeakMap<Call, Behaviour>();
  /** The server of the current request: it is answered synchronously, and some decisions do not receive the call. */
  let current = right;
  const of = (call: Call, state: ServiceState): Behaviour => {
    current = chosen.get(call) ?? behaviours[balancing(call, state)] ?? right;
    chosen.set(call, current);
    return current;
  };
  const decisions: Behaviour = {
    arrived: (call, state) => of(call, state).arrived(call, state),
    credentials(call) {
      current = chosen.get(call) ?? right;
      return current.credentials(call);
    },
    valid: (sent, state) => current.valid(sent, state),
    mint: (state, now) => current.mint(state, now),
    keep: (token, state) => current.keep(token, state),
    granted: (token, call, state) => of(call, state).granted(token, call, state),
    denied: (why, call, state) => of(call, state).denied(why, call, state),
    route: (call, state) => of(call, state).route(call, state),
    presented: (call, state) => of(call, state).presented(call, state),
    find: (text, state, call) => of(call, state).find(text, state, call),
    expired: (token, now, state, call) => of(call, state).expired(token, now, state, call),
    used: (token, call, state) => of(call, state).used(token, call, state),
    guard: (call, state) => of(call, state).guard(call, state, current),
    unauthorised: (cause, call, state) => of(call, state).unauthorised(cause, call, state),
    authorised: (resource, call, state) => of(call, state).authorised(resource, call, state),
    finish: (reply, call, state) => of(call, state).finish(reply, call, state),
  };
  // Decisions that neither server changes stay the same, so that it is visible which decisions a fault replaces.
  const own = new Set(['arrived', 'credentials', ...servers.flatMap(Object.keys)]);
  return Object.fromEntries(Object.entries(decisions).filter(([name]) => own.has(name)));
}
