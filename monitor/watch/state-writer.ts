import { isNumber } from '../../contract/json-value.ts';
import { days } from '../../contract/time/clock.ts';
import { orUndefined } from '../state/opening.ts';
import { monitorItself } from '../state/state.ts';
import type { MonitorContext } from './monitor-context.ts';

/** How often outdated rows are removed. */
const tidyMs = 3_600_000;

/** Within this time, a target that is missing in the file may return. */
const rememberedMs = days(30);

/** Writes changes to the state file, and reports when that fails. */
export class StateWriter {
  readonly #context: Pick<MonitorContext, 'state' | 'log' | 'metrics' | 'time' | 'retention'>;
  #problem: string | undefined;
  #tidyAt: number;

  constructor(context: Pick<MonitorContext, 'state' | 'log' | 'metrics' | 'time' | 'retention'>) {
    this.#context = context;
    this.#tidyAt = context.time.monotonic() + tidyMs;
  }

  /** @param watched the targets, by name, whose rows are all kept */
  write(watched: ReadonlyMap<string, unknown>): void {
    const { state, log, metrics, time, retention } = this.#context;
    if (time.monotonic() < this.#tidyAt) state.flush();
    else {
      this.#forgetLongGone(watched);
      retention.save();
      state.tidy(retention.now());
      this.#tidyAt = time.monotonic() + tidyMs;
    }
    const problem = state.problem();
    if (problem !== this.#problem) log.state(problem);
    this.#problem = problem;
    metrics.state({ writable: problem === undefined, failures: state.failures() });
  }

  /** If the rows cannot be read now, they are removed at a later time. */
  #forgetLongGone(watched: ReadonlyMap<string, unknown>): void {
    const { state } = this.#context;
    orUndefined(() => {
      for (const name of state.targets())
        if (name !== monitorItself && !watched.has(name) && this.#isLongGone(name))
          state.forget(name);
    });
  }

  /** Whether no run took place against a target for that time. */
  #isLongGone(name: string): boolean {
    const { state, retention } = this.#context;
    const ranAt = [...state.entries(name, 'slot').values()].filter(isNumber);
    return Math.max(...ranAt) < retention.now() - rememberedMs;
  }
}
