import { minutes, seconds } from '../../contract/durations.ts';
import { orNothing } from '../../contract/http/client.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { type Reading, readClocks } from './age.ts';
import { type Canary, type Check, markLost, nextCheckIn, proveAgeUntil } from './canary.ts';
import { earlyMs } from './check-times.ts';
import { CanaryClient, type ClientContext } from './client.ts';
import { type Evidence, findEvidence } from './evidence.ts';
import { type CanaryRows, CanaryStore } from './store.ts';
import { type CanaryState, findTightest, type Tolerance } from './verdict.ts';

export interface CanaryContext extends ClientContext {
  readonly rows: CanaryRows;
  /** Whether a new token ends the one before it: EXPIRY-4 is violated. */
  readonly endsAnother: () => boolean;
  /** Plans a run. @param at an instant of the monotonic clock @param id of the canary to check; absent to start one */
  readonly plan: (at: number, id?: string) => void;
}

/** What canaries show about the lifetime of tokens. */
export interface TokenStatus {
  /** Some token lived at least, and some token at most, this long: the tightest bounds; absent if unknown. */
  readonly atLeastSeconds?: number | undefined;
  readonly atMostSeconds?: number | undefined;
  /** Why canaries cannot be started; absent if they can. */
  readonly off?: string | undefined;
  readonly canaries: Readonly<Record<CanaryState, number>>;
  readonly toleranceSeconds: number;
}

/** A check of a canary, and what it shows about the contract. */
export interface CanaryResult {
  readonly check: Check;
  readonly evidence?: Evidence;
}

/** After this time a check is repeated if it got no answer, or one that does not show the token's age. */
const repeatMs = seconds(60);

/** After this time the monitor retries a canary that could not be started: its next scheduled start is hours away. */
const makeUpMs = minutes(5);

/** The first canary is started this late after the first tick, so that it does not delay the first round. */
const soonMs = seconds(1);

/** Keeps the canaries of one target: tokens that are kept on purpose, to see when they expire. */
export class CanaryKeeper {
  readonly #context: CanaryContext;
  readonly #tolerance: Tolerance;
  readonly #everyMs: number;
  readonly #store: CanaryStore;
  readonly #client: CanaryClient;

  constructor(target: WatchedTarget, everySeconds: number, context: CanaryContext) {
    const { toleranceMs = seconds(5) } = target;
    this.#context = context;
    this.#tolerance = { toleranceMs };
    this.#everyMs = seconds(everySeconds);
    this.#store = new CanaryStore(target, context.rows, this.#now());
    this.#client = new CanaryClient(target, context);
  }

  /** Plans the start of a canary, and the checks of those from before a restart. @param tickInMs when the first tick is */
  begin(tickInMs: number): void {
    const all = this.#store.all();
    for (const canary of all) this.#planCheck(canary);
    const sinceMs = this.#now().wall - Math.max(...all.map(({ madeAt }) => madeAt));
    const inMs = Math.min(this.#everyMs - sinceMs, this.#everyMs);
    this.#plan(Math.max(inMs, tickInMs + soonMs));
  }

  /** Starts a canary or checks one. It never throws. @returns the check, if it counts */
  async run(id?: string): Promise<CanaryResult | undefined> {
    const result = id === undefined ? await this.#start() : await this.#check(id);
    this.touch();
    return result;
  }

  /** Stores the ages of the canaries, as they are now. */
  touch(): void {
    this.#store.touch(this.#now());
  }

  /** What canaries show about the lifetime of tokens. */
  status(): TokenStatus {
    const all = this.#store.all();
    const canaries = { alive: 0, expired: 0, failed: 0, lost: 0 };
    for (const { state } of all) canaries[state] += 1;
    const { atLeast, atMost } = findTightest(all.map(({ bounds }) => bounds));
    return {
      off: this.#context.endsAnother()
        ? 'a new token ends the one before it (EXPIRY-4), so none can be kept'
        : undefined,
      canaries,
      toleranceSeconds: this.#tolerance.toleranceMs / 1000,
      atLeastSeconds: atLeast && atLeast / 1000,
      atMostSeconds: atMost && atMost / 1000,
    };
  }

  /** The tokens of all canaries. */
  held(): Secret[] {
    return [...this.#store.canaries.values()].map(({ token }) => token);
  }

  async #start(): Promise<undefined> {
    this.#store.dropOld(this.#now());
    const isPossible = !this.#context.endsAnother();
    const issued = isPossible ? await orNothing(this.#client.issue()) : undefined;
    const { token, canary } = issued ?? {};
    // Some providers repeat a valid token instead of issuing a new one. The probes report one that refuses it.
    const isKept = token !== undefined && this.held().some((held) => held.equals(token));
    if (canary !== undefined && !isKept) this.#settle(canary, 0, token);
    const isMissing = isPossible && canary === undefined && !isKept;
    this.#plan(isMissing ? Math.min(makeUpMs, this.#everyMs) : this.#everyMs);
  }

  async #check(id: string): Promise<CanaryResult | undefined> {
    const { canary, token } = this.#store.canaries.get(id) ?? {};
    if (canary === undefined || token === undefined) return undefined;
    if (this.#context.endsAnother()) return this.#settle(markLost(canary));
    // This check may be so late that the next check time is better.
    if ((this.#nextCheckIn(canary) ?? 0) > earlyMs) return this.#settle(canary);
    const checked = await orNothing(this.#client.check(canary, token, this.#tolerance));
    if (checked === undefined) return this.#settle(canary, repeatMs);
    const { check } = checked;
    const corrected = await this.#client.explainOtherwise(checked);
    // A wrong answer uses its check time, because it may last: all others are repeated.
    if (corrected !== undefined && check.verdict !== 'wrong_answer') {
      const laterMs = check.phase === 'after' ? makeUpMs : repeatMs;
      return this.#settle(proveAgeUntil(corrected, this.#now()), laterMs);
    }
    this.#settle(checked.canary);
    const evidence = corrected === undefined ? findEvidence(checked, this.#store.all()) : undefined;
    return { check, evidence };
  }

  /** Stores a canary, and plans its next check. @param token only of a new one */
  #settle(canary: Canary, soonestMs = 0, token?: Secret): undefined {
    this.#store.put(canary, token);
    this.#planCheck(canary, soonestMs);
  }

  #planCheck(canary: Canary, soonestMs = 0): void {
    const inMs = this.#nextCheckIn(canary);
    if (inMs !== undefined) this.#plan(Math.max(inMs, soonestMs), canary.id);
  }

  #plan(inMs: number, id?: string): void {
    this.#context.plan(this.#context.time.monotonic() + inMs, id);
  }

  #nextCheckIn(canary: Canary): number | undefined {
    const closer = this.#store.all().some(({ state }) => state === 'failed');
    return nextCheckIn(canary, this.#now(), { ...this.#tolerance, closer });
  }

  #now(): Reading {
    return readClocks(this.#context.time);
  }
}
