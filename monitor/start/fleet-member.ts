import { randomUUID } from 'node:crypto';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { FleetDatabase, LeaseRow } from '../fleet/database.ts';
import { ExportedFigures } from '../fleet/exported.ts';
import { Fleet } from '../fleet/fleet.ts';
import { FleetState } from '../fleet/fleet-state.ts';
import { type FleetStatus, fleetStatus } from '../fleet/fleet-status.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { realTime, type Time } from '../schedule/time.ts';
import type { StateOpenError } from '../state/opening.ts';
import type { StateStore } from '../state/state.ts';
import { maintenanceAt, type WatchedTarget } from '../target/watched-target.ts';
import { Watch, type WatchOptions } from '../watch/watch.ts';

export interface FleetMemberOptions
  extends Omit<WatchOptions, 'state' | 'beforeRequest' | 'resumeMs'> {
  readonly database: FleetDatabase;
  /** Unique among all processes; random by default. */
  readonly id?: string;
  /** Called when the database refuses this monitor, and has never admitted it. */
  readonly onRefused: (error: StateOpenError) => void;
}

/** A monitor that shares its targets with other monitors: it watches those that it holds. */
export class FleetMember {
  readonly watch: Watch;
  readonly exported: ExportedFigures;
  readonly #options: FleetMemberOptions;
  readonly #id: string;
  readonly #state: FleetState;
  readonly #time: Time;
  #fleet: Fleet | undefined;
  #targets: readonly WatchedTarget[];

  constructor(options: FleetMemberOptions) {
    const { database, metrics, targets, time = realTime } = options;
    this.#options = options;
    this.#id = options.id ?? randomUUID();
    this.#targets = targets;
    this.#time = ownTime(time, this.#id);
    this.exported = new ExportedFigures(metrics, {
      entry: async (...row) => {
        const failure = this.#fleet?.failure();
        if (failure !== undefined) throw failure;
        return database.entry(...row);
      },
    });
    this.#state = new FleetState(database, {
      figures: (target) => metrics.figures(target),
      summary: (target) => this.#summaryOf(target, metrics),
      onFigures: (target, figures) => this.exported.written(target, figures),
      onTaken: (target) => this.#fleet?.taken(target),
    });
    this.watch = new Watch({
      ...options,
      targets: [],
      state: this.#state.store,
      time: this.#time,
      resumeMs,
      beforeRequest: (target) => {
        if (this.leaseOf(target) === undefined)
          throw new Unreachable('unavailable', target, 'its lease has ended');
      },
    });
  }

  /** Joins the fleet. @param authority the address of this monitor, as `host:port` */
  async start(authority: string): Promise<void> {
    const { database, version, log, metrics, onRefused } = this.#options;
    this.#fleet = new Fleet(this.#names(), {
      database,
      log,
      metrics,
      onRefused,
      state: this.#state,
      time: this.#time,
      member: { id: this.#id, authority, version },
      watcher: {
        watchOnly: (held) => this.#watchOnly(held),
        isIdle: (target) => this.watch.isIdle(target),
        touch: () => this.watch.touch(),
      },
    });
    this.watch.start();
    await this.#fleet.start();
  }

  /** The state of the targets that this member holds. */
  get store(): StateStore {
    return this.#state.store;
  }

  /** The number of the lease under which requests may be sent to a target now; undefined: none may be sent. */
  leaseOf(target: string): number | undefined {
    return this.#fleet?.leaseOf(target);
  }

  /** Whether the database has a message. @param key of its row */
  hasMessage(target: string, key: string): boolean {
    return this.#state.isStored(target, 'message', key);
  }

  /** Replaces the targets after the file changed. */
  retarget(targets: readonly WatchedTarget[]): void {
    this.#targets = targets;
    const held = new Set(this.watch.brief().targets.map(({ name }) => name));
    this.#watchOnly(held);
    this.#fleet?.rename(this.#names());
  }

  /**
   * Ends the runs, and releases all targets.
   * @param delivered when no notification is on its way any more @returns whether all runs ended
   */
  async drain(withinMs: number, delivered = Promise.resolve()): Promise<boolean> {
    const [drained] = await Promise.all([this.watch.drain(withinMs), delivered]);
    if ((await this.#fleet?.leave(writeMs)) === false)
      this.#options.log.note('what the database has not taken is lost: it could not be written');
    return drained;
  }

  /** The whole fleet, as far as the database is available. */
  async status(): Promise<FleetStatus> {
    const members = this.#fleet?.members() ?? [];
    const leases = await this.#leases();
    const now = this.#time.wall();
    const named = this.#targets.map((target) => ({
      name: target.name,
      labels: target.labels,
      maintenance: maintenanceAt(target, now),
    }));
    return fleetStatus(this.#id, named, { members, leases }, this.#fleet?.problem());
  }

  async #leases(): Promise<readonly LeaseRow[]> {
    // Each request would wait for seconds, and pages are rendered one after the other.
    if (this.#fleet?.failure() !== undefined) return [];
    try {
      return await this.#options.database.targets();
    } catch {
      // The page shows why the database cannot be read.
      return [];
    }
  }

  #names(): string[] {
    return this.#targets.map(({ name }) => name);
  }

  #watchOnly(held: ReadonlySet<string>): void {
    // The counters of a target that is not watched any more are dropped below.
    this.#state.store.flush();
    this.exported.holdOnly(held);
    this.watch.retarget(this.#targets.filter(({ name }) => held.has(name)));
  }

  #summaryOf(target: string, metrics: Metrics): string | undefined {
    const state = this.watch.stateOf(target);
    return state === undefined ? undefined : JSON.stringify({ state, ...metrics.latest(target) });
  }
}

/** A target from another member was not watched for some seconds, so its overdue runs start soon. */
const resumeMs = 10_000;

/** How long a stopping monitor tries to write its state. */
const writeMs = 5_000;

/**
 * Each member has its own boot id: clocks of two machines, and of two copies of one machine, are never compared.
 * So a canary that moves is as uncertain as after a reboot.
 */
const ownTime = (time: Time, id: string): Time => ({ ...time, boot: `${time.boot} of ${id}` });
