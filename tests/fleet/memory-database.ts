import {
  type Batch,
  type Beat,
  DatabaseGone,
  type FleetDatabase,
  type LeaseRow,
  type Member,
  type Pulse,
  type TargetRows,
} from '../../monitor/fleet/database.ts';
import { added } from '../../monitor/state/tally.ts';

interface StoredLease {
  holder: string | undefined;
  fence: number;
  written: number;
  summary: string | undefined;
}

interface StoredRows {
  readonly entries: Map<string, TargetRows['entries'][number]>;
  readonly events: TargetRows['events'][number][];
  readonly tallies: Map<string, TargetRows['tallies'][number]>;
}

type StoredMember = Member & { startedAt: number; expires: number; beat: number };

/** A fleet's database in memory and in simulated time. The same tests run on it and on PostgreSQL. */
export class MemoryServer {
  readonly members = new Map<string, StoredMember>();
  readonly leases = new Map<string, StoredLease>();
  readonly rows = new Map<string, StoredRows>();
  readonly listeners = new Set<() => void>();
  readonly #now: () => number;
  /** Whether the database is unavailable. */
  isGone = false;

  /** @param now the clock of the database */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  beat({ member, leaseMs, release, dead, take, names, leaves }: Beat): Pulse {
    const now = this.#now();
    const known = this.members.get(member.id);
    let news = known === undefined || leaves;
    const free = (is: (lease: StoredLease, target: string) => boolean): void => {
      for (const [target, lease] of this.leases)
        if (lease.holder !== undefined && is(lease, target)) {
          lease.holder = undefined;
          news = true;
        }
    };
    if (leaves) {
      free(({ holder }) => holder === member.id);
      this.members.delete(member.id);
    } else {
      const beat = (known?.beat ?? 0) + 1;
      const startedAt = known?.startedAt ?? now;
      this.members.set(member.id, { ...member, startedAt, expires: now + leaseMs, beat });
    }
    for (const one of release)
      free(({ holder, fence }, target) =>
        [target === one.target, fence === one.fence, holder === member.id].every(Boolean),
      );
    for (const id of dead)
      if ((this.members.get(id)?.expires ?? now) < now) {
        this.members.delete(id);
        free(({ holder }) => holder === id);
      }
    if (take > 0) this.#take(member.id, take, names);
    if (news) for (const listener of this.listeners) listener();
    return { members: this.#memberRows(), held: this.#heldBy(member.id) };
  }

  write(batches: readonly Batch[]): string[] {
    return batches.flatMap((batch) => {
      const lease = this.leases.get(batch.target);
      if (lease?.fence !== batch.fence) return [batch.target];
      if (lease.written >= batch.number) return [];
      lease.written = batch.number;
      lease.summary = batch.summary ?? lease.summary;
      this.#store(batch);
      return [];
    });
  }

  load(targets: readonly string[]): Map<string, TargetRows> {
    return new Map(
      targets.map((target) => {
        const { entries, events, tallies } = this.#rowsOf(target);
        return [
          target,
          { entries: [...entries.values()], events: [...events], tallies: [...tallies.values()] },
        ];
      }),
    );
  }

  targets(): LeaseRow[] {
    return [...this.leases]
      .map(([target, { holder, summary }]) => ({ target, holder, summary }))
      .sort((one, other) => (one.target < other.target ? -1 : 1));
  }

  #take(me: string, count: number, names: readonly string[]): void {
    for (const name of names)
      if (!this.leases.has(name))
        this.leases.set(name, { holder: undefined, fence: 0, written: 0, summary: undefined });
    const free = [...this.leases]
      .filter(([target, { holder }]) => holder === undefined && names.includes(target))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, lease] of free.slice(0, count))
      Object.assign(lease, { holder: me, fence: lease.fence + 1, written: 0 });
  }

  #heldBy(id: string) {
    return [...this.leases]
      .filter(([, { holder }]) => holder === id)
      .map(([target, { fence }]) => ({ target, fence }));
  }

  #memberRows() {
    return [...this.members.values()]
      .map(({ expires: _, ...member }) => member)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  #store({ target, entries, events, tallies }: Batch): void {
    const rows = this.#rowsOf(target);
    for (const entry of entries) {
      const name = JSON.stringify([entry.kind, entry.key]);
      if (entry.value === undefined) rows.entries.delete(name);
      else rows.entries.set(name, entry);
    }
    rows.events.push(...events);
    for (const { span, tally } of tallies) {
      const name = `${span} ${tally.from}`;
      rows.tallies.set(name, { span, tally: added(rows.tallies.get(name)?.tally, tally) });
    }
  }

  #rowsOf(target: string): StoredRows {
    const known: StoredRows = this.rows.get(target) ?? {
      entries: new Map(),
      events: [],
      tallies: new Map(),
    };
    this.rows.set(target, known);
    return known;
  }
}

/** One member's connection to it, which can be cut: before a request arrives, before its answer, or only for rows. */
export class MemoryDatabase implements FleetDatabase {
  readonly #server: MemoryServer;
  readonly #travel: () => Promise<void>;
  #listener = (): void => {};
  readonly #notify = (): void => {
    if (this.cut === undefined) queueMicrotask(() => this.#listener());
  };
  cut: 'requests' | 'answers' | 'writes' | undefined;

  /** @param travel waits for as long as a message takes, one way */
  constructor(server: MemoryServer, travel: () => Promise<void> = async () => {}) {
    this.#server = server;
    this.#travel = travel;
    server.listeners.add(this.#notify);
  }

  beat(beat: Beat): Promise<Pulse> {
    return this.#send(() => this.#server.beat(beat));
  }

  write(batches: readonly Batch[]): Promise<readonly string[]> {
    if (this.cut === 'writes') return Promise.reject(new DatabaseGone('53100'));
    return this.#send(() => this.#server.write(batches));
  }

  load(targets: readonly string[]): Promise<ReadonlyMap<string, TargetRows>> {
    return this.#send(() => this.#server.load(targets));
  }

  targets(): Promise<readonly LeaseRow[]> {
    return this.#send(() => this.#server.targets());
  }

  entry(target: string, kind: string, key: string): Promise<string | undefined> {
    return this.#send(() => {
      const rows = this.#server.load([target]).get(target);
      return rows?.entries.find((one) => one.kind === kind && one.key === key)?.value;
    });
  }

  async tidy(): Promise<void> {}

  onNotice(listener: () => void): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.#server.listeners.delete(this.#notify);
  }

  async #send<Result>(answer: () => Result): Promise<Result> {
    await this.#travel();
    if (this.#server.isGone || this.cut === 'requests') throw new DatabaseGone('ECONNREFUSED');
    const result = answer();
    await this.#travel();
    if (this.cut === 'answers') throw new DatabaseGone('the connection was lost');
    return result;
  }
}
