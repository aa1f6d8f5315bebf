import { hours } from '../contract/durations.ts';
import type { exchange } from '../contract/http/exchange.ts';
import type { Probe } from '../contract/probe.ts';
import { disturbance } from '../contract/round/disturbance.ts';
import { CanaryKeeper } from './canary/keeper.ts';
import { SeenTokens } from './canary/seen-tokens.ts';
import { changesBetween, type Log } from './log.ts';
import { Loop } from './loop/loop.ts';
import type { Time } from './loop/time.ts';
import { Agenda } from './round/agenda.ts';
import { hashToFraction, planPlaces } from './round/plan.ts';
import { type RoundOptions, runRound } from './round/round.ts';
import type { Run } from './round/run.ts';
import { openTracedClient } from './round/traced-client.ts';
import { maintenanceIn, type WatchedTarget } from './round/watched-target.ts';
import { hasAnswered, type Plan, selectCurrentResults } from './status/judge.ts';
import { applyPlan, reduce, reduceCheck } from './status/reduce.ts';
import { newStatus, readPlace, restoreStatus, type Status } from './status/status.ts';
import { createTargetView, type TargetView } from './status/view.ts';
import type { Store } from './store/store.ts';

export interface WatchedContext {
  /** All probes: the monitor picks those that it can run. */
  readonly probes: readonly Probe[];
  /** How often the control runs, unless a target says otherwise. */
  readonly periodSeconds: number;
  readonly log: Log;
  readonly store: Store;
  readonly time: Time;
  readonly exchange?: typeof exchange;
  /** Called with the number of ticks of a target that came while its round was running. */
  readonly onMissed: (ticks: number) => void;
}

/** A failed run that took longer does not count: the machine was suspended, and a token may have expired meanwhile. */
const maxRunMs = hours(1);

/** One target: each round is reduced to its next status, which is stored, and whose difference is logged. */
export class Watched {
  readonly target: WatchedTarget;
  readonly #context: WatchedContext;
  readonly #plan: Plan;
  readonly #open: RoundOptions['openClient'];
  readonly #tokens: SeenTokens;
  readonly #canaries: CanaryKeeper | undefined;
  readonly #loop: Loop;
  readonly #offsetMs: number;
  readonly #agenda: Agenda;
  #status: Status;
  /** Whether the round that runs has got a 429, also where a probe takes it for a missing answer. */
  #isLimited = false;
  /** Whether the round before it got nothing else. */
  #wasLimited = false;
  /** Set when another watcher replaces this one: that one has its own status and canaries. */
  #isRetired = false;

  /** @param openingMs the time by which the first rounds of all targets are spread, if that is less than a period */
  constructor(target: WatchedTarget, openingMs: number, context: WatchedContext) {
    const { probes, store, time, periodSeconds } = context;
    const { name, connection } = target;
    this.#context = context;
    this.target = target;
    const places = planPlaces(target, probes, periodSeconds);
    const { canaries = { everySeconds: 4 * 3600 }, known } = target;
    this.#plan = { places, probes, hasCanaries: canaries !== 'off', known };
    const tickSeconds = Math.min(60, ...places.map(({ everySeconds }) => everySeconds));
    const saved = store.load(name);
    const now = time.wall();
    const initial = newStatus(name, connection.origin.href, now);
    this.#status = applyPlan(restoreStatus(saved.status, initial), this.#plan, now);
    this.#offsetMs = hashToFraction(name) * Math.min(openingMs, tickSeconds * 1000);
    this.#loop = new Loop({
      periodMs: tickSeconds * 1000,
      offsetMs: this.#offsetMs,
      time,
      run: (tick) => this.#round(tick),
      onMissed: context.onMissed,
    });
    this.#agenda = new Agenda({
      places,
      tickSeconds,
      now: time.monotonic,
      readPlace: (key) => readPlace(this.#status, key, time.wall()),
    });
    this.#tokens = new SeenTokens(time, () => this.#canaries?.held() ?? []);
    this.#open = this.#opener();
    if (canaries !== 'off') this.#canaries = this.#keeper(saved.canaries, canaries.everySeconds);
  }

  /** Clients of the target, with one pace for all of them. */
  #opener(): RoundOptions['openClient'] {
    const { time, exchange } = this.#context;
    return openTracedClient(this.target, {
      time,
      exchange,
      remembered: this.#tokens,
      onRequest: () => this.#agenda.allowance.noteRequest(),
      onLimited: (pauseMs) => {
        this.#isLimited = true;
        this.#agenda.allowance.noteLimit(pauseMs);
      },
    });
  }

  /** @param canaries by their ids, as they were stored */
  #keeper(canaries: ReadonlyMap<string, unknown>, everySeconds: number): CanaryKeeper {
    const { time, store } = this.#context;
    return new CanaryKeeper(this.target, everySeconds, {
      openClient: this.#open,
      tokens: this.#tokens,
      time,
      rows: {
        saved: canaries,
        save: (id, row) => {
          if (!this.#isRetired) store.saveCanary(this.target.name, id, row);
        },
      },
      endsAnother: () => this.#status.clauses['EXPIRY-4'].verdict === 'violated',
      plan: (at, id) => this.#loop.at(at, () => this.#runCanary(id)),
    });
  }

  start(): void {
    // Not at once: many targets would open their connections at the same time.
    this.#canaries?.begin(this.#offsetMs);
    this.#loop.start();
  }

  /** Starts nothing any more. @returns when what runs has ended */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Discards the result of what runs, and stores nothing any more. @returns when that has ended */
  retire(): Promise<void> {
    this.#isRetired = true;
    return this.stop();
  }

  /** Stores its status, and the age of its canaries. */
  save(): void {
    this.#canaries?.touch();
    this.#save();
  }

  view(): TargetView {
    return {
      ...createTargetView(this.target, this.#status, this.#context.periodSeconds),
      token: this.#canaries?.status(),
      stretchedToSeconds: this.#agenda.stretchedToSeconds(),
      maintenance: maintenanceIn(this.target.maintenance, this.#context.time.wall()),
    };
  }

  /** Runs what is due at a tick, or what runs again. @returns when to run again before the next tick */
  async #round(tick?: number): Promise<number | undefined> {
    const due = this.#agenda.due(tick);
    if (due.length === 0) return this.#agenda.retryDelayMs();
    const { time } = this.#context;
    let isJudged = false;
    this.#isLimited = false;
    await runRound(this.target, due, {
      openClient: this.#open,
      time,
      isStopped: () => this.#loop.isStopped || this.#isFirstLimit(),
      findDisturbance: (place) =>
        disturbance(selectCurrentResults(this.#plan.places, this.#status.places), place),
      onRun: (run, place) => {
        const isOverlong = time.wall() - run.startedAt > maxRunMs;
        const isDoubtful = isOverlong && run.result.outcome !== 'passed';
        if (isDoubtful || (this.#isFirstLimit() && hasAnswered(this.#status)))
          this.#agenda.discard(place);
        else {
          this.#agenda.record(place, run);
          this.#take(run);
          isJudged ||= !this.#isLimited;
        }
      },
    });
    this.#wasLimited = !isJudged && (this.#isLimited || this.#wasLimited);
    this.#save();
    return this.#agenda.retryDelayMs();
  }

  /** Whether a 429 ends the round, and does not count: the pace is lower from then on. */
  #isFirstLimit(): boolean {
    return this.#isLimited && !this.#wasLimited;
  }

  async #runCanary(id?: string): Promise<void> {
    const result = await this.#canaries?.run(id);
    if (result !== undefined) {
      const inMaintenance = this.#isInMaintenance(result.check.at);
      this.#become(reduceCheck(this.#status, result, this.#plan, inMaintenance));
    }
    this.#save();
  }

  #take(run: Run): void {
    const { startedAt, result } = run;
    this.#become(reduce(this.#status, run, this.#plan, this.#isInMaintenance(startedAt)));
    if (result.outcome !== 'defect') return;
    const [target, probe, { detail = '' }] = [this.target.name, result.probe.name, result];
    const text = `${target}: ${probe}: defect of the monitor`;
    this.#context.log.error(text, { target, probe, detail });
  }

  #become(next: Status): void {
    if (this.#isRetired) return;
    const { name: target } = this.target;
    for (const { level, text, ...fields } of changesBetween(this.#status, next))
      this.#context.log[level](`${target}: ${text}`, { target, ...fields });
    this.#status = next;
  }

  /** Maintenance may affect what overlaps it at any time. */
  #isInMaintenance(from: number): boolean {
    const now = this.#context.time.wall();
    return maintenanceIn(this.target.maintenance, Math.min(from, now), now) !== undefined;
  }

  #save(): void {
    if (this.#isRetired) return;
    const { store, time } = this.#context;
    store.save(this.target.name, this.#status, time.wall());
  }
}
