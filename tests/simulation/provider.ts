import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { newState, serve, type Written } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';

/** 24 hours in milliseconds, written out: no judged code computes them. */
const dayMs = 86_400_000;

/** Every token begins like this, so that leaked tokens are found. */
export const tokenMark = 'simulatedTOKEN';

/** The result of a request with a token that the provider issued. */
export interface TokenUse {
  /** True time. */
  readonly at: number;
  readonly token: string;
  /** The token's true age. */
  readonly ageMs: number;
  /** Whether another client had it before, for hours perhaps. */
  readonly wasOld: boolean;
  readonly admitted: boolean;
}

/** How tokens are repeated. */
interface Reuse {
  /** A token is repeated up to this age (milliseconds). */
  readonly givenMs: number;
  readonly livesMs: number;
  /** Other clients of the account get tokens too, so a token may be hours old when it is first seen. */
  readonly others?: true;
}

/** The provider, with the true age of each token, which only it knows. */
export interface SimulatedProvider {
  readonly account: { readonly apiKey: string; readonly secretKey: string };
  /** The provider's own clock, milliseconds since 1970. */
  now(): number;
  answer(call: Omit<Call, 'now'>): Written;
  /** From now on behaves like this fault of the sandbox; without a name, correctly. */
  become(fault?: string): void;
  /** From now on behaves correctly except for the lifetime of its tokens. */
  live(ms: number): void;
  /** From now on repeats tokens, and behaves correctly except for that and their lifetime. */
  giveAgain(reuse: Reuse): void;
  /** Forgets all tokens. */
  lose(): void;
  /** Forgets one token. */
  revoke(token: string): void;
  /** The tokens that were issued in the last days, oldest first, and when. */
  made(): ReadonlyMap<string, number>;
  /** The results of the latest requests; undefined for one without a token of this provider. */
  latest(count: number): readonly (TokenUse | undefined)[];
  /** How many requests there were. */
  count(): number;
  /** All answers that were wrong: a token younger than 24 hours refused, or an older one admitted. */
  readonly wrong: TokenUse[];
}

/** The number of requests that are remembered: more than one run sends. */
const mostRemembered = 300;

/** @param truth true time, milliseconds since 1970; @param ahead how far the provider's clock is ahead of it */
export function simulatedProvider(
  name: string,
  truth: () => number,
  ahead: number,
): SimulatedProvider {
  const account = { apiKey: `${name}-planted-KEY-5c1`, secretKey: `${name}-planted-SECRET-"&7f` };
  const state = newState(account);
  const made = new Map<string, number>();
  const givenOld = new Set<string>();
  const latest: (TokenUse | undefined)[] = [];
  const wrong: TokenUse[] = [];
  let behaviour: Behaviour = right;
  let minted = 0;
  let requests = 0;

  const now = (): number => truth() + ahead;

  function own(base: Behaviour, reuse?: Reuse): Behaviour {
    /** The token that is issued now, and when it was made; none at first. */
    let given = { text: '', madeAt: now() - (reuse?.givenMs ?? 0) - dayMs };
    return {
      ...base,
      mint(remembered, at) {
        const isValid = reuse !== undefined && at - given.madeAt < reuse.givenMs;
        if (isValid && remembered.tokens.has(given.text)) return given.text;
        // The text depends only on the seed. It has letters in both cases and digits, like real tokens.
        const text = `${tokenMark}${name}${minted++}aZ9xQ7rT2kLm5VbN8w`;
        const endedMs = Math.min(at - given.madeAt - (reuse?.givenMs ?? 0), dayMs - 1);
        const agoMs = reuse?.others === true ? Math.floor(endedMs * ((minted * 0.618) % 1)) : 0;
        given = { text, madeAt: at - Math.max(0, agoMs) };
        return text;
      },
      keep(token, remembered) {
        if (remembered.tokens.has(token.text)) return;
        const kept = reuse === undefined ? token : { ...token, madeAt: given.madeAt };
        base.keep(kept, remembered);
        made.set(token.text, truth() - (token.madeAt - kept.madeAt));
        if (token.madeAt > kept.madeAt) givenOld.add(token.text);
        for (const [text, at] of made) {
          if (truth() - at < 10 * dayMs) break;
          made.delete(text);
          remembered.tokens.delete(text);
        }
      },
    };
  }

  /** Recognises a request with nothing but a token to a protected endpoint. */
  function shownIn({ method, path, headers }: Omit<Call, 'now'>, status: number) {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const madeAt = made.get(token);
    const isThere = state.resources.some(
      (resource) => resource.method === method && resource.path === path,
    );
    if (madeAt === undefined || !isThere) return undefined;
    const ageMs = truth() - madeAt;
    return { at: truth(), token, ageMs, wasOld: givenOld.has(token), admitted: status !== 401 };
  }

  behaviour = own(right);
  return {
    account,
    now,
    answer(call) {
      const answer = serve({ ...call, now: now() }, state, behaviour);
      const shown = shownIn(call, answer.status);
      requests += 1;
      latest.push(shown);
      if (latest.length > mostRemembered) latest.shift();
      if (shown !== undefined && shown.admitted !== shown.ageMs < dayMs) wrong.push(shown);
      return answer;
    },
    become(fault) {
      behaviour = own(fault === undefined ? right : faulty(fault));
    },
    live(ms) {
      behaviour = own({ ...right, expired: ({ madeAt }, at) => at - madeAt >= ms });
    },
    giveAgain(reuse) {
      const { livesMs } = reuse;
      behaviour = own({ ...right, expired: ({ madeAt }, at) => at - madeAt >= livesMs }, reuse);
    },
    lose: () => state.tokens.clear(),
    revoke: (token) => void state.tokens.delete(token),
    made: () => made,
    latest: (count) => latest.slice(-count),
    count: () => requests,
    wrong,
  };
}
