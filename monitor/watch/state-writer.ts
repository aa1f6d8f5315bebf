import { isNumber } from '../../contract/http/answer.ts';
import { StateOpenError } from '../state/opening.ts';
import { retention } from '../state/tally.ts';
import type { MonitorContext } from './watched.ts';

/** How often what is too old is taken away. */
const tidyMs = 3_600_000;

/** Writes down what has happened, and says when that fails. */
export class StateWriter {
  readonly #context: Pick<MonitorContext, 'state' | 'log' | 'metrics' | 'time'>;
  #problem: string | undefined;
  #tidyAt: number;

  constructor(context: Pick<MonitorContext, 'state' | 'log' | 'metrics' | 'time'>) {
    this.#context = context;
    this.#tidyAt = context.time.monotonic() + tidyMs;
  }

  /** @param watched by their names: the targets of which nothing is taken away */
  write(watched: ReadonlyMap<string, unknown>): void {
    const { state, log, metrics, time } = this.#context;
    if (time.monotonic() < this.#tidyAt) state.flush();
    else {
      this.#forgetLongGone(watched);
      state.tidy(time.wall());
      this.#tidyAt = time.monotonic() + tidyMs;
    }
    const problem = state.problem();
    if (problem !== this.#problem) log.state(problem);
    this.#problem = problem;
    metrics.state({ writable: problem === undefined, failures: state.failures() });
  }

  /** What cannot be read now is forgotten later. */
  #forgetLongGone(watched: ReadonlyMap<string, unknown>): void {
    const { state } = this.#context;
    try {
      for (const name of state.targets())
        if (!watched.has(name) && this.#isLongGone(name)) state.forget(name);
    } catch (error) {
      if (!(error instanceof StateOpenError)) throw error;
    }
  }

  /** Whether nothing ran against a target for 30 days: a file that names it no more may name it again tomorrow. */
  #isLongGone(name: string): boolean {
    const { state, time } = this.#context;
    const ranAt = [...state.entries(name, 'slot').values()].filter(isNumber);
    return Math.max(...ranAt) < time.wall() - retention.events;
  }
}
