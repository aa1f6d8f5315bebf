import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { faulty } from '../../sandbox/faults/index.ts';
import { newState, serve, type Written } from '../../sandbox/provider.ts';

/** 24 hours in milliseconds, written out: no judged code computes them. */
const dayMs = 86_400_000;

/** Every token begins like this, so that one that leaks is found. */
export const tokenMark = 'simulatedTOKEN';

/** What a request with a token came to that the provider had made. */
export interface TokenUse {
  /** True time. */
  readonly at: number;
  readonly token: string;
  /** The token's true age. */
  readonly ageMs: number;
  readonly admitted: boolean;
}

/** How tokens are given again. */
interface Reuse {
  /** A token is given again until it is so old (milliseconds). */
  readonly givenMs: number;
  readonly livesMs: number;
  /** Other clients of the account are given tokens too, so that one may be hours old when it is first seen. */
  readonly others?: true;
}

/** The provider, and what only it can know: the true age of each token. */
export interface SimulatedProvider {
  readonly account: { readonly apiKey: string; readonly secretKey: string };
  /** By its own clock, milliseconds since 1970. */
  now(): number;
  answer(call: Omit<Call, 'now'>): Written;
  /** Behaves from now on as this fault of the sandbox has it; rightly without one. */
  become(fault?: string): void;
  /** Behaves rightly from now on, but for how long its tokens live. */
  live(ms: number): void;
  /** Gives tokens again from now on, and behaves rightly but for how long they live. */
  giveAgain(reuse: Reuse): void;
  /** Forgets all tokens. */
  lose(): void;
  /** Forgets one. */
  revoke(token: string): void;
  /** The tokens that were made in the last days, oldest first, and when. */
  made(): ReadonlyMap<string, number>;
  /** What became of the latest requests; undefined for one without a token that the provider has made. */
  latest(count: number): readonly (TokenUse | undefined)[];
  /** All answers that were wrong: a token younger than 24 hours refused, or an older one admitted. */
  readonly wrong: TokenUse[];
}

/** The number of requests that are remembered: more than a run makes. */
const mostRemembered = 300;

/** @param truth true time, milliseconds since 1970; @param ahead by how much the provider's clock is */
export function simulatedProvider(
  name: string,
  truth: () => number,
  ahead: number,
): SimulatedProvider {
  const account = { apiKey: `${name}-planted-KEY-5c1`, secretKey: `${name}-planted-SECRET-"&7f` };
  const state = newState(account);
  const made = new Map<string, number>();
  const latest: (TokenUse | undefined)[] = [];
  const wrong: TokenUse[] = [];
  let behaviour: Behaviour = right;
  let minted = 0;

  const now = (): number => truth() + ahead;

  function own(base: Behaviour, reuse?: Reuse): Behaviour {
    /** What is given now, and since when; no token at first. */
    let given = { text: '', madeAt: now() - (reuse?.givenMs ?? 0) - dayMs };
    return {
      ...base,
      mint(remembered, at) {
        const isValid = reuse !== undefined && at - given.madeAt < reuse.givenMs;
        if (isValid && remembered.tokens.has(given.text)) return given.text;
        // From the seed, not from chance; letters in both cases and digits, as tokens have.
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
        for (const [text, at] of made) {
          if (truth() - at < 10 * dayMs) break;
          made.delete(text);
          remembered.tokens.delete(text);
        }
      },
    };
  }

  /** What a request was that shows nothing but a token, at the endpoint that it is for. */
  function shownIn({ method, path, headers }: Omit<Call, 'now'>, status: number) {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const madeAt = made.get(token);
    const isThere = state.resources.some((one) => one.method === method && one.path === path);
    if (madeAt === undefined || !isThere) return undefined;
    return { at: truth(), token, ageMs: truth() - madeAt, admitted: status !== 401 };
  }

  behaviour = own(right);
  return {
    account,
    now,
    answer(call) {
      const answer = serve({ ...call, now: now() }, state, behaviour);
      const shown = shownIn(call, answer.status);
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
    wrong,
  };
}
