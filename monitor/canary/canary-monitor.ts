import { NoToken } from '../../contract/http/client.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { days, minutes, seconds } from '../../contract/time/clock.ts';
import type { StateStore } from '../state/state.ts';
import type { ContractStatus } from '../target/contract-status.ts';
import { partOf } from '../round/plan.ts';
import type { Run } from '../round/run.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { read } from './age.ts';
import type { CanaryPhase, CanaryVerdict, Lifetime } from './verdict.ts';
import {
  type Canary,
  type DueCanary,
  issued,
  lost,
  maybeOlder,
  nextCheckIn,
  touched,
} from './canary.ts';
import { CanaryClient, type CanaryClientContext, type OtherReason } from './canary-client.ts';
import { countsOf, lifetimeOf, type TokenStatus } from './canary-status.ts';
import { CanaryStore, unopenedNote } from './canary-store.ts';
import { CheckLog } from './check-log.ts';
import { earlyMs } from './check-times.ts';
import { decidedBy } from './checking.ts';

export interface CanaryContext extends CanaryClientContext {
  readonly standing: Pick<ContractStatus, 'verdicts'>;
  readonly state: StateStore;
  /** The instant from which the age of stored canaries counts (milliseconds since 1970). */
  readonly retention: { now(): number };
  readonly metrics: CanaryMetrics;
  readonly log: { note(line: string): void };
  /** Runs a canary at an instant of the monotonic clock. */
  readonly plan: (due: DueCanary) => void;
}

interface CanaryMetrics {
  canaryChecked(target: string, phase: CanaryPhase, verdict: CanaryVerdict): void;
  canaries(target: string, counts: TokenStatus['canaries']): void;
  lifetime(target: string, bounds: Lifetime): void;
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

/** The most canaries of a target, however often canaries are started. */
const mostCanaries = 200;
/** A finished canary still counts for this time, as evidence of lifetimes and violations. */
const rememberedMs = days(8);

const oneEndsAnother = 'a new token ends the one before it (EXPIRY-4), so none can be kept';

/** Keeps the canaries of one target: tokens that are kept on purpose, to see when they expire. */
export class CanaryMonitor {
  readonly #target: WatchedTarget;
  readonly #context: CanaryContext;
  readonly #tolerance: { readonly toleranceMs: number };
  readonly #client: CanaryClient;
  readonly #canaries: CanaryStore;
  readonly #checks: CheckLog;

  constructor(target: WatchedTarget, context: CanaryContext) {
    const { state, time, log, retention } = context;
    this.#target = target;
    this.#context = context;
    this.#tolerance = { toleranceMs: target.toleranceMs ?? seconds(5) };
    this.#client = new CanaryClient(target, context);
    this.#canaries = new CanaryStore(target, { state, retention }, read(time));
    this.#checks = new CheckLog(target.name, state);
    const unopened = this.#canaries.unopened();
    if (unopened > 0) log.note(unopenedNote(target.name, unopened));
    if (target.canaries === 'off') this.#dropOld();
    this.#report();
  }

  /** Plans the start of a canary, and the checks of those from before a restart. */
  begin(): void {
    if (this.#target.canaries === 'off') return;
    const all = this.#canaries.all();
    for (const canary of all) this.#planCheck(canary);
    const sinceMs = this.#context.retention.now() - Math.max(...all.map(({ madeAt }) => madeAt));
    const inMs = Math.min(this.#everyMs() - sinceMs, this.#everyMs());
    this.#plan('start', Math.max(inMs, partOf(this.#target.name) * soonMs));
  }

  /** Starts a canary or checks one. It never throws. @returns the outcome, if it decides something */
  async run({ canary: what }: Pick<DueCanary, 'canary'>): Promise<Run[]> {
    try {
      if (typeof what !== 'string') return await this.#check(what.check);
      const isStarted = await this.#start().catch(notStarted);
      this.#plan('start', isStarted ? this.#everyMs() : Math.min(makeUpMs, this.#everyMs()));
      return [];
    } finally {
      this.touch();
      this.#report();
    }
  }

  /** Stores the age of the canaries that may still be checked around their end. */
  touch(): void {
    this.#canaries.touch(read(this.#context.time));
  }

  status(): TokenStatus {
    return {
      ...(this.#target.canaries === 'off' ? { off: 'no canaries are asked for' } : {}),
      ...(this.#endsAnother() ? { off: oneEndsAnother } : {}),
      canaries: this.#counts(),
      toleranceSeconds: this.#tolerance.toleranceMs / 1000,
      ...lifetimeOf(this.#canaries.all()),
      checks: this.#checks.checks(),
    };
  }

  /** The tokens of all canaries. */
  held(): Secret[] {
    return this.#canaries.all().flatMap(({ id }) => this.#canaries.token(id) ?? []);
  }

  /** @throws Unreachable @throws NoToken @returns whether it was started */
  async #start(): Promise<boolean> {
    this.#dropOld();
    if (this.#endsAnother() || !this.#canaries.hasRoom(mostCanaries)) return true;
    const fresh = await this.#client.issue();
    const { secret } = fresh.token;
    // Some providers repeat a valid token instead of issuing a new one.
    if (this.held().some((held) => held.equals(secret))) return true;
    const issue = await this.#client.admit(fresh);
    // The probes report a provider that refuses a new token.
    if (issue === undefined) return false;
    const canary = issued(issue);
    this.#canaries.put(canary, secret);
    this.#settle(canary);
    return true;
  }

  #dropOld(): void {
    const oldest = this.#context.retention.now() - rememberedMs;
    for (const { id, madeAt, admittedAt } of this.#canaries.all())
      if (Math.max(madeAt, admittedAt) < oldest) this.#canaries.drop(id);
  }

  async #check(id: string): Promise<Run[]> {
    const known = this.#canaries.get(id);
    const token = this.#canaries.token(id);
    if (known === undefined || token === undefined) return [];
    if (this.#endsAnother()) {
      this.#settle(lost(known));
      return [];
    }
    // This check may be so late that the next check time is better.
    if ((this.#nextCheckIn(known) ?? 0) > earlyMs) {
      this.#settle(known);
      return [];
    }
    try {
      return await this.#checkNow(known, token);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      // The probes report that.
      this.#settle(known, againMs);
      return [];
    }
  }

  /** @throws Unreachable */
  async #checkNow(known: Canary, token: Secret): Promise<Run[]> {
    const shown = await this.#client.show(known, token, this.#tolerance);
    const { before, canary, check } = shown;
    const reason = await this.#client.otherReason(shown);
    if (reason !== undefined) {
      // If a new token ends the previous one, a probe reports that as a finding of its own (EXPIRY-4).
      const updated = touched(before, read(this.#context.time));
      const soonestMs = check.phase === 'after' ? makeUpMs : againMs;
      this.#settle(withOtherReason[reason](updated), soonestMs);
      return [];
    }
    this.#settle(canary);
    this.#checks.add(check);
    this.#context.metrics.canaryChecked(this.#target.name, check.phase, check.verdict);
    if (await this.#client.isForEverybody(shown)) return [];
    return decidedBy(this.#target.name, shown, this.#canaries.all());
  }

  /** Stores a canary, and plans its next check. */
  #settle(canary: Canary, soonestMs = 0): void {
    this.#canaries.put(canary);
    this.#planCheck(canary, soonestMs);
  }

  #planCheck(canary: Canary, soonestMs = 0): void {
    const inMs = this.#nextCheckIn(canary);
    if (inMs !== undefined) this.#plan({ check: canary.id }, Math.max(inMs, soonestMs));
  }

  #plan(canary: DueCanary['canary'], inMs: number): void {
    this.#context.plan({ at: this.#context.time.monotonic() + inMs, canary });
  }

  /** How often a canary is started. */
  #everyMs(): number {
    const { canaries = { everySeconds: 4 * 3600 } } = this.#target;
    return canaries === 'off' ? Number.POSITIVE_INFINITY : canaries.everySeconds * 1000;
  }

  #nextCheckIn(canary: Canary): number | undefined {
    const closer = this.#canaries.all().some(({ state }) => state === 'failed');
    return nextCheckIn(canary, read(this.#context.time), { ...this.#tolerance, closer });
  }

  #endsAnother(): boolean {
    return this.#context.standing
      .verdicts()
      .some(({ clause, verdict }) => clause.id === 'EXPIRY-4' && verdict === 'violated');
  }

  #report(): void {
    const { metrics } = this.#context;
    metrics.canaries(this.#target.name, this.#counts());
    metrics.lifetime(this.#target.name, lifetimeOf(this.#canaries.all()));
  }

  /** Where canaries are off, those of before are kept for a while, but not checked: they do not count. */
  #counts(): TokenStatus['canaries'] {
    if (this.#target.canaries === 'off') return countsOf([]);
    const known = countsOf(this.#canaries.all());
    return { ...known, lost: known.lost + this.#canaries.unopened() };
  }
}

/** The probes report an outage. @throws any other error */
function notStarted(error: unknown): false {
  if (error instanceof Unreachable || error instanceof NoToken) return false;
  throw error;
}
