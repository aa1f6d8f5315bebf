import { recordOf } from '../metrics/figures.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { probeText, targetText } from '../metrics/text.ts';
import { DatabaseGone, type FleetDatabase } from './database.ts';
import { figuresEntry, problemOf } from './fleet-state.ts';

/**
 * What Prometheus reads about a target from any member: the metrics in the database. So a counter that was ever
 * read is never lost with the member that counted it, and never goes back when the target moves. The holder knows
 * what was written; the others read the database, because Prometheus learns of a move only at its next service
 * discovery.
 */
export class ExportedFigures implements Pick<Metrics, 'text' | 'contentType'> {
  readonly #metrics: Metrics;
  readonly #database: Pick<FleetDatabase, 'entry'>;
  /** Of the targets that are held here, as JSON. */
  readonly #written = new Map<string, string>();

  constructor(metrics: Metrics, database: Pick<FleetDatabase, 'entry'>) {
    this.#metrics = metrics;
    this.#database = database;
  }

  get contentType(): string {
    return this.#metrics.contentType;
  }

  /** These metrics of a target are in the database. */
  written(target: string, figures: string): void {
    this.#written.set(target, figures);
  }

  /** From now on exactly these targets are held here. */
  holdOnly(targets: ReadonlySet<string>): void {
    for (const name of this.#written.keys()) if (!targets.has(name)) this.#written.delete(name);
  }

  /** The monitor's own. */
  text(): Promise<string> {
    return this.#metrics.text();
  }

  /** Of one target, or of one of its probes. @returns undefined when it is unknown @throws DatabaseGone */
  async of(target: string, probe?: string): Promise<string | undefined> {
    const figures = this.#written.get(target) ?? (await this.#read(target));
    const record = figures === undefined ? undefined : recordOf(target, JSON.parse(figures));
    if (record === undefined) return undefined;
    if (probe === undefined) return targetText([record]);
    return record.probes.has(probe) ? probeText(record, probe) : undefined;
  }

  async #read(target: string): Promise<string | undefined> {
    try {
      return await this.#database.entry(target, figuresEntry.kind, figuresEntry.key);
    } catch (error) {
      throw new DatabaseGone(problemOf('read', error));
    }
  }
}
