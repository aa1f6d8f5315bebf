import type { EventEmitter } from 'node:events';
import type { Service } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { Interruption } from '../contract/round/interruption.ts';
import { ProviderRound, type StartedRun } from '../contract/round/provider-round.ts';
import { endpointsFor } from '../contract/round/scope.ts';
import type { Target } from '../contract/round/target.ts';
import { type Unverified, whyUnverified } from '../contract/round/verdict.ts';
import type { Clock } from '../contract/time/clock.ts';
import { loadSettings } from '../settings.ts';
import {
  markClock,
  probesIn,
  readFacts,
  remainingVariable,
  targetOfRun,
  writeFacts,
} from './run.ts';

/** The round of a Playwright worker: its tests start the stages, and wait for the results of their probes. */
export class WorkerRound {
  readonly strict: boolean;
  readonly target: Target;
  /** Removes secrets from a provider's text, and from a text of a team's tests. */
  readonly scrub: (text: string) => string;
  readonly scrubKnown: (text: string) => string;
  readonly #round: ProviderRound;
  readonly #ending = new AbortController();
  readonly #runs = new Map<Probe, readonly StartedRun[]>();
  #closed: Promise<void> | undefined;

  constructor() {
    const settings = loadSettings();
    this.strict = settings.strict;
    this.target = targetOfRun(settings).target;
    const { signal } = this.#ending;
    this.#round = new ProviderRound(this.target, { signal, earlier: readFacts() });
    this.scrub = this.#round.scrub;
    this.scrubKnown = this.#round.scrubKnown;
    if (this.target.clock !== undefined) markClock();
    // The end of a terminal ends the main process, which then ends this one in an orderly way.
    process.on('SIGHUP', () => {});
    // A main process that was killed takes its workers with it.
    process.once('disconnect', () => this.close().finally(() => process.exit()));
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) this.#guard(event);
  }

  /**
   * The runs of a probe, one for each of its endpoints. The first probe of a stage starts all selected ones, if our
   * reporter says which these are.
   */
  runsOf(probe: Probe): readonly StartedRun[] {
    const { stage } = probe;
    if (!this.#runs.has(probe)) {
      const due = probesIn(remainingVariable) ?? [probe];
      const started = this.#round.start(stage, due.includes(probe) ? due : [probe]);
      for (const [one, runs] of Map.groupBy(started, (run) => run.probe)) this.#runs.set(one, runs);
    }
    return this.#runs.get(probe) ?? [];
  }

  /** Our client, for tests that are no probes. @returns undefined if the provider cannot be judged */
  service(): Promise<Service | undefined> {
    return this.#round.service();
  }

  simulate(run: (clock: Clock) => Promise<void>): Promise<unknown> | undefined {
    return this.#round.simulate(run);
  }

  /** Why these results of a probe prove nothing; undefined if they do. */
  unverified(probe: Probe, results: readonly ProbeResult[]): Unverified | undefined {
    const due = endpointsFor(probe, this.target).length;
    return whyUnverified(probe, results, this.#round.facts().notRun, () => due);
  }

  /** Why the provider could not be judged. */
  unjudged(): string | undefined {
    return this.#round.facts().unjudged;
  }

  /** Releases the provider's clock, also in the middle of a stage. @throws defects of ours */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    if (this.#round.isRunning()) this.#ending.abort(new Interruption());
    const error = await this.#round.close().catch((thrown: unknown) => thrown);
    const defect = error instanceof Error ? error.stack : undefined;
    writeFacts({ ...this.#round.facts(), defect });
    if (error !== undefined) throw error;
  }

  /**
   * An error outside any promise ends the round while a stage runs; otherwise it is the error of a test. Playwright
   * would print it as it is, and it may quote a secret.
   */
  #guard(event: 'uncaughtException' | 'unhandledRejection'): void {
    const emitter: EventEmitter = process;
    const listeners = emitter.listeners(event);
    emitter.removeAllListeners(event);
    emitter.on(event, (error: unknown) => {
      if (!process.connected) return;
      if (!this.#round.isRunning()) {
        for (const listener of listeners) Reflect.apply(listener, process, [error]);
        return;
      }
      this.#round.fail(error);
      this.#ending.abort(error);
    });
  }
}
