import type { exchange } from '../../contract/http/transport.ts';
import type { NotifyConfig } from '../config/notify.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Time } from '../schedule/time.ts';
import { StateOpenError } from '../state/opening.ts';
import { monitorItself, type StateStore } from '../state/state.ts';
import type { KnownTarget } from '../target/known-target.ts';
import { type Condition, conditionsOf, ownConditions } from './conditions.ts';
import { type Alerts, decide } from './decide.ts';
import { Delivery, type FiringOf } from './delivery.ts';
import {
  type NotificationStatus,
  notificationGauges,
  notificationStatus,
} from './notification-status.ts';
import { keyOf, Outbox, type Waiting } from './outbox.ts';
import { type Receiver, receiverOf } from './receiver.ts';
import { storeAlerts, storedAlerts } from './stored-alerts.ts';

export interface NotifierOptions {
  /** What is known about each target that is watched here. */
  readonly known: () => readonly KnownTarget[];
  /** Stores alerts and messages with their targets. */
  readonly state: StateStore;
  readonly metrics: Pick<Metrics, 'certificateExpiry' | 'notified' | 'notifications'>;
  readonly log: { note(line: string): void; recovered(line: string): void };
  readonly time: Time;
  /**
   * The lease under which this process watches a target now: a number that no earlier lease has. Undefined: another
   * process may watch it. By default a target stays here.
   */
  readonly leaseOf?: (target: string) => number | undefined;
  /** Whether a message is where another process finds it. By default each is: the state file is written at once. */
  readonly isStored?: (target: string, key: string) => boolean;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
}

/** The current alerts of a target, when they were loaded (monotonic), and under which lease. */
interface LoadedAlerts extends Alerts {
  readonly loadedAt: number;
  readonly lease: number;
}

/** How often the notifier checks all conditions, and sends the messages. */
const tickMs = 1_000;

/**
 * A message that is not stored for this time is sent nevertheless. A lease would have ended meanwhile if the database
 * could not be reached, so it can be reached and not be written.
 */
const longestStoreMs = 10_000;

/** A longer time between two checks is a pause, in which nothing was watched. */
const longestLookMs = 5_000;

/**
 * Notifies receivers. Once a second it checks all conditions, decides which alerts begin and end, and puts messages
 * into the outbox. A message is sent at the next check, after the state has been written.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #outbox: Outbox;
  /** By the name of the target. */
  readonly #alerts = new Map<string, LoadedAlerts>();
  #config: NotifyConfig | undefined;
  #deliveries: readonly Delivery[] = [];
  #instance: string | undefined;
  #lookedAt = Number.POSITIVE_INFINITY;
  #cancel = (): void => {};

  constructor(options: NotifierOptions, config: NotifyConfig | undefined) {
    this.#options = options;
    this.#outbox = new Outbox(options.state, options.time.monotonic);
    this.configure(config);
  }

  /** Sets the receivers from now on; undefined sends nothing. A delivery to one that stays goes on. */
  configure(config: NotifyConfig | undefined): void {
    this.#config = config;
    const before = new Map(this.#deliveries.map((one) => [one.receiver.name, one]));
    this.#deliveries = (config?.receivers ?? []).map((one) => {
      const receiver = receiverOf(one, this.#options.exchange);
      const known = before.get(receiver.name);
      before.delete(receiver.name);
      return known?.to(receiver) ?? this.#deliveryTo(receiver);
    });
    for (const gone of before.values()) void gone.stop();
    if (config !== undefined) this.#keepReceivers();
    this.#report();
    if (this.#instance !== undefined) this.start(this.#instance);
  }

  /** @param instance the address of this monitor, as `host:port` */
  start(instance: string): void {
    this.#instance = instance;
    this.#cancel();
    this.#lookedAt = this.#options.time.monotonic();
    if (this.#config !== undefined) this.#soon();
  }

  /** Stops sending. @returns when requests in progress have ended */
  async stop(): Promise<void> {
    this.#cancel();
    this.#instance = undefined;
    await Promise.all(this.#deliveries.map((one) => one.stop()));
  }

  /** For the page; undefined while no receiver is configured. */
  status(): NotificationStatus | undefined {
    if (this.#config === undefined) return undefined;
    return notificationStatus(this.#deliveries, this.#outbox);
  }

  #deliveryTo(receiver: Receiver): Delivery {
    const { log, metrics, time } = this.#options;
    return new Delivery(receiver, {
      time,
      sendsSince: (target) =>
        this.#isCurrent(target) ? this.#alerts.get(target)?.loadedAt : undefined,
      isSafe: (waiting) => this.#isSafe(waiting),
      onDelivered: (waiting) => {
        metrics.notified(receiver.kind, 'delivered');
        this.#outbox.remove(waiting);
      },
      onFailed: () => metrics.notified(receiver.kind, 'failed'),
      onProblem(problem) {
        if (problem === undefined)
          log.recovered(`notifications: ${receiver.title} accepts them again`);
        else log.note(`notifications are not delivered: ${problem}`);
      },
    });
  }

  #isSafe(waiting: Waiting): boolean {
    const { isStored = () => true, time } = this.#options;
    const hasWaited = time.monotonic() - waiting.since >= longestStoreMs;
    return hasWaited || isStored(waiting.target, keyOf(waiting));
  }

  #keepReceivers(): void {
    this.#outbox.keepOnly(new Set(this.#deliveries.map(({ receiver }) => receiver.name)));
  }

  #soon(): void {
    this.#cancel = this.#options.time.after(tickMs, () => this.#tick());
  }

  #tick(): void {
    const config = this.#config;
    if (config === undefined) return;
    const targets = this.#options.known();
    this.#dropAllBut(new Set([monitorItself, ...targets.map(({ name }) => name)]));
    const firing = this.#firing();
    for (const one of this.#deliveries)
      one.send(this.#outbox.waitingFor(one.receiver.name), firing);
    this.#look(targets, config);
    this.#report();
    this.#soon();
  }

  #look(targets: readonly KnownTarget[], config: NotifyConfig): void {
    const { time, metrics, state } = this.#options;
    const at = time.monotonic();
    const now = time.wall();
    const watchedMs = Math.min(Math.max(0, at - this.#lookedAt), longestLookMs);
    this.#lookedAt = at;
    const { resolveAfterMs } = config;
    const observe = (name: string, conditions: readonly Condition[], isSilenced: boolean): void => {
      const before = this.#recall(name);
      if (before === undefined) return;
      const observation = { conditions, isSilenced, watchedMs, resolveAfterMs };
      const { alerts, messages } = decide(before, observation, now);
      this.#alerts.set(name, { ...before, ...alerts });
      storeAlerts(name, before, alerts, state);
      for (const message of messages)
        for (const { receiver } of this.#deliveries) this.#outbox.add(name, receiver.name, message);
    };
    for (const target of targets) {
      const expiry = metrics.certificateExpiry(target.name);
      const conditions = conditionsOf(target, expiry, now, config);
      observe(target.name, conditions, target.inMaintenance);
    }
    const own = ownConditions(state.problem(), this.#instance ?? '', config);
    observe(monitorItself, own, false);
  }

  /** The current alerts of a target; undefined while they cannot be read, and without a lease. */
  #recall(target: string): LoadedAlerts | undefined {
    const known = this.#alerts.get(target);
    if (known !== undefined) return known;
    const lease = this.#leaseOf(target);
    if (lease === undefined) return undefined;
    try {
      const { state, time } = this.#options;
      const alerts = { ...storedAlerts(target, state), lease, loadedAt: time.monotonic() };
      this.#outbox.begin(target);
      this.#alerts.set(target, alerts);
      this.#keepReceivers();
      return alerts;
    } catch (error) {
      if (error instanceof StateOpenError) return undefined;
      throw error;
    }
  }

  #leaseOf(target: string): number | undefined {
    const { leaseOf = () => 0 } = this.#options;
    return target === monitorItself ? 0 : leaseOf(target);
  }

  /** Whether no other process can have changed a target's alerts since they were loaded. */
  #isCurrent(target: string): boolean {
    const loaded = this.#alerts.get(target);
    return loaded !== undefined && loaded.lease === this.#leaseOf(target);
  }

  /** Drops targets that are no longer watched here, and those that were watched elsewhere since they were loaded. */
  #dropAllBut(targets: ReadonlySet<string>): void {
    for (const name of this.#alerts.keys()) {
      if (targets.has(name) && this.#isCurrent(name)) continue;
      this.#alerts.delete(name);
      this.#outbox.end(name);
    }
  }

  #firing(): FiringOf[] {
    return [...this.#alerts].flatMap(([target, { firing }]) =>
      [...firing.values()].map(({ alert }) => ({ target, alert })),
    );
  }

  #report(): void {
    this.#options.metrics.notifications(notificationGauges(this.#deliveries, this.#outbox));
  }
}
