import { count } from '../../contract/report/words.ts';
import { elapsedBy } from '../schedule/elapsed.ts';
import { StateOpenError } from '../state/opening.ts';
import type { MemberRow } from './database.ts';
import type { FleetContext } from './fleet-context.ts';
import { problemOf } from './fleet-state.ts';
import { Holdings } from './holdings.ts';
import { Liveness } from './liveness.ts';
import { gentle, shareOf } from './share.ts';
import { Warnings } from './warnings.ts';

const beatMs = 3_000;

/** How long a heartbeat is valid by the database's clock. Afterwards other members may take the targets. */
const leaseMs = 15_000;

/** How long this member may send requests after it sent a heartbeat, by its own clocks. */
const ownMs = 10_000;

/** A failed call is retried after this time. */
const againMs = 1_000;

/** How long to wait for further notifications before the next heartbeat. */
const noticeMs = 100;

/** How often the age of canaries is stored, so that little evidence is lost if a member fails. */
const touchMs = 300_000;

/**
 * This member's part of a fleet. It sends heartbeats, takes free targets up to its share, watches its targets while
 * its lease is valid, and releases the excess. The lease belongs to the member: a heartbeat every three seconds
 * renews it for all of its targets. 15 s after the last heartbeat other members may take them. The member itself
 * stops sending requests 10 s after it, counted from before it was sent, by its fastest clock. So two members never
 * watch a target at the same time, despite clock changes, network failures or suspended machines. The one
 * exception: a process is suspended between its last look at the clock and the request. The fencing number makes
 * the database refuse what such a process writes.
 */
export class Fleet {
  readonly #context: FleetContext;
  readonly #elapsed: () => number;
  readonly #liveness: Liveness;
  readonly #holdings: Holdings;
  readonly #warnings: Warnings;
  #names: readonly string[] = [];
  #members: readonly MemberRow[] = [];
  #goodUntil = Number.NEGATIVE_INFINITY;
  #watched: ReadonlySet<string> = new Set();
  #wasLetIn = false;
  #nextAt = Number.POSITIVE_INFINITY;
  #gaveBackAt = Number.NEGATIVE_INFINITY;
  #isBeating = false;
  #isOver = false;
  #problem: string | undefined;
  #failure: unknown;
  #lost = 0;
  #touchAt: number;
  #cancel = (): void => {};

  /** @param names the targets in this member's file */
  constructor(names: readonly string[], context: FleetContext) {
    this.#context = context;
    this.#names = names;
    this.#holdings = new Holdings(context);
    this.#elapsed = elapsedBy(context.time).now;
    this.#warnings = new Warnings(context.member, (line) => context.log.note(line));
    this.#liveness = new Liveness(context.time.monotonic, this.#elapsed);
    this.#touchAt = this.#elapsed() + touchMs;
    context.database.onNotice(() => this.#soon(noticeMs));
  }

  /** Sends the first heartbeat. @returns when the database has answered, or is known to be unavailable */
  async start(): Promise<void> {
    await this.#beat();
  }

  /** Replaces the list of targets after the file changed. */
  rename(names: readonly string[]): void {
    this.#names = names;
    this.#watch();
    this.#soon(0);
  }

  /** The fencing number under which requests may be sent to a target now; undefined after the end of the lease. */
  leaseOf(target: string): number | undefined {
    this.#expire();
    return this.#watched.has(target) ? this.#holdings.fenceOf(target) : undefined;
  }

  /** Another member has taken a target. */
  taken(target: string): void {
    if (this.#holdings.drop(target)) this.#lost += 1;
    this.#watch();
  }

  /** The error of the heartbeats, if they have failed for so long that the lease has ended. */
  failure(): unknown {
    return this.#elapsed() < this.#goodUntil ? undefined : this.#failure;
  }

  members(): readonly MemberRow[] {
    return this.#members;
  }

  /** Why this member watches nothing, or soon may not watch anything. */
  problem(): string | undefined {
    return this.#problem;
  }

  /** Releases all targets, after all runs have ended. @returns whether everything was written */
  async leave(withinMs: number): Promise<boolean> {
    const { state, database, member, watcher, time } = this.#context;
    this.#isOver = true;
    this.#cancel();
    watcher.touch();
    const written = await state.settleWithin(withinMs, time);
    const nothing = { release: [], dead: [], take: 0, names: [] };
    await database.beat({ member, leaseMs, ...nothing, leaves: true }).catch(() => undefined);
    await database.close();
    return written;
  }

  /** Sends the next heartbeat after this time, or earlier if one is already planned. */
  #soon(ms: number): void {
    const at = this.#context.time.monotonic() + ms;
    if (this.#isOver || this.#isBeating || at >= this.#nextAt) return;
    this.#cancel();
    this.#nextAt = at;
    this.#cancel = this.#context.time.after(ms, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isOver) return;
    this.#isBeating = true;
    let inMs = beatMs;
    let isReachable = true;
    try {
      if (await this.#exchangeBeat()) inMs = 0;
      this.#note(this.#holdings.problem());
    } catch (error) {
      if (error instanceof StateOpenError && !this.#wasLetIn) this.#context.onRefused(error);
      this.#note(problemOf('used', error), error);
      [inMs, isReachable] = [againMs, false];
    }
    [this.#isBeating, this.#nextAt] = [false, Number.POSITIVE_INFINITY];
    this.#expire();
    this.#context.metrics.fleet({
      members: this.#members.length,
      isReachable,
      lost: this.#lost,
    });
    this.#soon(inMs);
  }

  /** @returns whether another heartbeat is needed at once */
  async #exchangeBeat(): Promise<boolean> {
    const { database, member } = this.#context;
    const sentAt = this.#elapsed();
    const take = this.#missing();
    const pulse = await database.beat({
      member,
      leaseMs,
      take,
      leaves: false,
      release: this.#holdings.released(),
      dead: this.#liveness.dead(),
      names: take > 0 ? this.#names : [],
    });
    if (this.#isOver) return false;
    this.#wasLetIn = true;
    this.#members = pulse.members;
    this.#goodUntil = sentAt + ownMs;
    this.#liveness.observe(pulse.members);
    const now = { wall: this.#context.time.wall(), elapsed: this.#elapsed() };
    this.#warnings.observe(pulse.members, now);
    this.#lost += this.#holdings.update(pulse.held);
    this.#giveBack();
    this.#touch();
    this.#watch();
    void this.#holdings.load(() => this.#watch());
    return this.#missing() > take;
  }

  #share(): number {
    return shareOf(this.#context.member.id, this.#liveness.alive(), this.#names.length);
  }

  #missing(): number {
    return Math.max(0, this.#share() - this.#holdings.size);
  }

  /** Stops watching excess targets, and targets that left the file, but never during a run. */
  #giveBack(): void {
    const { watcher, state } = this.#context;
    const named = new Set(this.#names);
    const own = this.#holdings.targets();
    for (const target of own) if (!named.has(target)) this.#holdings.giveBack(target);
    const share = this.#share();
    const canWrite = state.store.problem() === undefined;
    if (!canWrite) this.#holdings.keep(named);
    const most = canWrite ? gentle(own.length - share, share) : 0;
    if (most > 0 && this.#elapsed() - this.#gaveBackAt >= beatMs) {
      const idle = own.filter((target) => named.has(target) && watcher.isIdle(target));
      for (const target of idle.slice(0, most)) this.#holdings.giveBack(target);
      this.#gaveBackAt = this.#elapsed();
    }
    if (!this.#holdings.isLeaving()) return;
    this.#watch();
    void state.settle().then(() => this.#soon(this.#holdings.released().length > 0 ? 0 : beatMs));
  }

  #touch(): void {
    if (this.#elapsed() < this.#touchAt) return;
    this.#touchAt = this.#elapsed() + touchMs;
    this.#context.watcher.touch();
  }

  /** Stops watching when the lease ends: after too many failed heartbeats other members may take the targets. */
  #expire(): void {
    const watched = this.#watched.size;
    if (watched === 0 || this.#elapsed() < this.#goodUntil) return;
    this.#watch();
    const targets = count(watched, 'target');
    const seconds = ownMs / 1000;
    this.#context.log.note(
      `no contact with the database for ${seconds} s: the lease on ${targets} has ended, nothing is watched here`,
    );
  }

  /** While the lease is valid, watches the targets that are held, loaded and wanted. */
  #watch(): void {
    const isGood = this.#elapsed() < this.#goodUntil && !this.#isOver;
    const named = new Set(this.#names);
    const own = isGood ? this.#holdings.targets().filter((target) => named.has(target)) : [];
    if (own.length === this.#watched.size && own.every((one) => this.#watched.has(one))) return;
    this.#watched = new Set(own);
    this.#context.watcher.watchOnly(this.#watched);
  }

  #note(problem: string | undefined, failure?: unknown): void {
    this.#failure = failure;
    if (problem === this.#problem) return;
    if (problem === undefined) this.#context.log.recovered('the database can be used again');
    else this.#context.log.note(problem);
    this.#problem = problem;
  }
}
