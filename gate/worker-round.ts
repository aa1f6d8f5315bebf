import { loadSettings } from '../config/settings.ts';
import type { Probe } from '../contract/probe.ts';
import { ProviderRound } from '../contract/round/provider-round.ts';
import type { Run, Target } from '../contract/round/target.ts';
import { estimateCost, waitText } from './cost.ts';
import { remainingProbes, selectedProbes, takeFacts, targetOfRun, writeFacts } from './run.ts';

/** The reporter prints what a worker writes to this stream. */
function createWaitPrinter(target: Target): Target['onWait'] {
  const cost = estimateCost(selectedProbes(), target);
  let writtenAt = Number.NEGATIVE_INFINITY;
  return (wait) => {
    if (performance.now() - writtenAt < 30_000) return;
    writtenAt = performance.now();
    process.stderr.write(`${waitText(wait, cost)}\n`);
  };
}

/** The round of a Playwright worker: its tests start the stages, and wait for the results of their probes. */
export class WorkerRound extends ProviderRound {
  readonly #ending: AbortController;
  readonly #runs = new Map<Probe, readonly Run[]>();
  #closed: Promise<void> | undefined;

  constructor() {
    const target = targetOfRun(loadSettings());
    const ending = new AbortController();
    super({ ...target, onWait: createWaitPrinter(target) }, ending.signal, takeFacts());
    this.#ending = ending;
    // The end of a terminal ends the main process, which then ends this one in an orderly way.
    process.on('SIGHUP', () => {});
    // A main process that was killed takes its workers with it.
    process.once('disconnect', () => this.close().finally(() => process.exit()));
    // An error outside any promise ends the round while a stage runs; otherwise it is the error of a test.
    const guard = (error: unknown): void => {
      if (this.running === 0) return;
      this.fail(error);
      ending.abort(error);
    };
    process.prependListener('uncaughtException', guard);
    process.prependListener('unhandledRejection', guard);
  }

  /**
   * The runs of a probe, one for each of its endpoints. The first probe of a stage starts all selected ones, if our
   * reporter says which these are.
   */
  startRuns(probe: Probe): readonly Run[] {
    if (!this.#runs.has(probe)) {
      const due = remainingProbes();
      const started = this.start(probe.stage, due.includes(probe) ? due : [probe]);
      for (const [startedProbe, runs] of Map.groupBy(started, (run) => run.probe))
        this.#runs.set(startedProbe, runs);
    }
    return this.#runs.get(probe) ?? [];
  }

  /** Releases the provider's clock, also in the middle of a stage. @throws defects of ours */
  override close(): Promise<void> {
    if (this.#closed === undefined && this.running > 0) this.#ending.abort();
    this.#closed ??= super.close().finally(() => writeFacts(this.facts));
    return this.#closed;
  }
}
