import { NoToken } from '../../contract/http/client.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { minutes, seconds } from '../../contract/time/clock.ts';
import { partOf } from '../round/plan.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { type Reading, read } from './age.ts';
import {
  type Canary,
  type Check,
  issued,
  lifetimeOf,
  lost,
  maybeOlder,
  nextCheckIn,
  type TokenStatus,
  touched,
} from './canary.ts';
import { earlyMs } from './check-times.ts';
import { CanaryClient, type ClientContext, type OtherReason } from './client.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { type CanaryRows, CanaryStore } from './store.ts';

/** A canary that is started or checked. */
export interface DueCanary {
  /** An instant of the monotonic clock (milliseconds). */
  readonly at: number;
  readonly canary: 'start' | { readonly check: string };
}

export interface CanaryContext extends ClientContext {
  readonly rows: CanaryRows;
  /** Whether a new token ends the one before it: EXPIRY-4 is violated. */
  readonly endsAnother: () => boolean;
  /** Runs a canary at an instant of the monotonic clock. */
  readonly plan: (due: DueCanary) => void;
  readonly log: { note(line: string): void };
}

/** A check of a canary that counts, and what it shows about the contract. */
export interface CanaryResult {
  readonly check: Check;
  readonly evidence?: Evidence;
}

/** What happens to a canary whose answer has another reason than its age. */
const withOtherReason: Readonly<Record<OtherReason, (canary: Canary) => Canary>> = {
  'everybody is': (canary) => canary,
  'a newer token is': lost,
  'it may have been older': maybeOlder,
};

/** After this time a check is repeated if it got no answer, or one that does not show the token's age. */
const againMs = seconds(60);

/** After this time the monitor retries a canary that could not be started: its next scheduled start is hours away. */
const makeUpMs = minutes(5);

/** The first canary is started within this time. */
const soonMs = seconds(1);

/** Keeps the canaries of one target: tokens that are kept on purpose, to see when they expire. */
export class CanaryKeeper {
  readonly #target: WatchedTarget;
  readonly #context: CanaryContext;
  readonly #tolerance: { readonly toleranceMs: number };
  /** How often a canary is started; undefined where canaries are off. */
  readonly #everyMs: number | undefined;
  readonly #store: CanaryStore;
  readonly #client: CanaryClient;

  constructor(target: WatchedTarget, context: CanaryContext) {
    const { toleranceMs = seconds(5), canaries = { everySeconds: 4 * 3600 } } = target;
    this.#target = target;
    this.#context = context;
    this.#tolerance = { toleranceMs };
    this.#everyMs = canaries === 'off' ? undefined : canaries.everySeconds * 1000;
    this.#store = new CanaryStore(target, context.rows, this.#now());
    const differences = this.#store.all().flatMap(({ clocksDiffer }) => clocksDiffer ?? []);
    this.#client = new CanaryClient(target, context, differences);
    const unopened = this.#store.unopened();
    if (unopened > 0)
      context.log.note(
        `${target.name}: ${unopened} of its canaries in the state file cannot be opened with its address and ` +
          'credentials: they are kept for a week, in case one of these is wrong',
      );
    if (this.#everyMs === undefined) this.#store.dropOld(this.#now());
  }

  /** Plans the start of a canary, and the checks of those from before a restart. */
  begin(): void {
    if (this.#everyMs === undefined) return;
    const all = this.#store.all();
    for (const canary of all) this.#planCheck(canary);
    const sinceMs = this.#now().wall - Math.max(...all.map(({ madeAt }) => madeAt));
    const inMs = Math.min(this.#everyMs - sinceMs, this.#everyMs);
    this.#plan('start', Math.max(inMs, partOf(this.#target.name) * soonMs));
  }

  /** Starts a canary or checks one. It never throws. @returns the check, if it counts */
  async run({ canary }: Pick<DueCanary, 'canary'>): Promise<CanaryResult | undefined> {
    try {
      if (canary !== 'start') return await this.#check(canary.check);
      const isStarted = await this.#start().catch(notStarted);
      const everyMs = this.#everyMs ?? Infinity;
      this.#plan('start', isStarted ? everyMs : Math.min(makeUpMs, everyMs));
      return undefined;
    } finally {
      this.touch();
    }
  }

  /** Stores the ages of the canaries, as they are now. */
  touch(): void {
    this.#store.touch(this.#now());
  }

  status(): TokenStatus {
    const all = this.#store.all();
    const canaries = { alive: 0, expired: 0, failed: 0, lost: this.#store.unopened() };
    for (const { state } of all) canaries[state] += 1;
    return {
      // Where canaries are off, those of before are kept for a while, but not checked: they do not count.
      ...(this.#everyMs === undefined
        ? {
            off: 'no canaries are asked for',
            canaries: { alive: 0, expired: 0, failed: 0, lost: 0 },
          }
        : { canaries }),
      ...(this.#context.endsAnother()
        ? { off: 'a new token ends the one before it (EXPIRY-4), so none can be kept' }
        : {}),
      toleranceSeconds: this.#tolerance.toleranceMs / 1000,
      ...lifetimeOf(all),
    };
  }

  /** The tokens of all canaries. */
  held(): Secret[] {
    return this.#store.tokens();
  }

  /** @throws Unreachable @throws NoToken @returns whether it was started */
  async #start(): Promise<boolean> {
    if (this.#context.endsAnother() || !this.#store.makeRoom(this.#now())) return true;
    const { token, issue } = await this.#client.issue();
    // Some providers repeat a valid token instead of issuing a new one.
    if (this.held().some((held) => held.equals(token.secret))) return true;
    // The probes report a provider that refuses a new token.
    if (issue === undefined) return false;
    const canary = issued(issue);
    this.#store.add(canary, token.secret);
    this.#planCheck(canary);
    return true;
  }

  /** The probes report an outage; then the check is repeated. */
  async #check(id: string): Promise<CanaryResult | undefined> {
    const known = this.#store.get(id);
    if (known === undefined) return undefined;
    const { canary, token } = known;
    // This check may be so late that the next check time is better.
    const isEarly = (this.#nextCheckIn(canary) ?? 0) > earlyMs;
    if (this.#context.endsAnother()) this.#settle(lost(canary));
    else if (isEarly) this.#settle(canary);
    else
      try {
        return await this.#checkNow(canary, token);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        this.#settle(canary, againMs);
      }
    return undefined;
  }

  /** @throws Unreachable */
  async #checkNow(known: Canary, token: Secret): Promise<CanaryResult | undefined> {
    const shown = await this.#client.check(known, token, this.#tolerance);
    const { before, canary, check } = shown;
    const reason = await this.#client.otherReason(shown);
    // A wrong answer may be that of a day: it is not repeated.
    if (reason !== undefined && check.verdict !== 'wrong_answer') {
      // If a new token ends the previous one, a probe reports that as a finding of its own (EXPIRY-4).
      const updated = touched(before, this.#now());
      this.#settle(withOtherReason[reason](updated), check.phase === 'after' ? makeUpMs : againMs);
      return undefined;
    }
    this.#settle(canary);
    return reason === undefined
      ? { check, evidence: evidenceOf(shown, this.#store.all()) }
      : { check };
  }

  /** Stores a canary, and plans its next check. */
  #settle(canary: Canary, soonestMs = 0): void {
    this.#store.put(canary);
    this.#planCheck(canary, soonestMs);
  }

  #planCheck(canary: Canary, soonestMs = 0): void {
    const inMs = this.#nextCheckIn(canary);
    if (inMs !== undefined) this.#plan({ check: canary.id }, Math.max(inMs, soonestMs));
  }

  #plan(canary: DueCanary['canary'], inMs: number): void {
    this.#context.plan({ at: this.#context.time.monotonic() + inMs, canary });
  }

  #nextCheckIn(canary: Canary): number | undefined {
    const closer = this.#store.all().some(({ state }) => state === 'failed');
    return nextCheckIn(canary, this.#now(), { ...this.#tolerance, closer });
  }

  #now(): Reading {
    return read(this.#context.time);
  }
}

/** The probes report an outage. @throws any other error */
function notStarted(error: unknown): false {
  if (error instanceof Unreachable || error instanceof NoToken) return false;
  throw error;
}
