import { recordOf } from '../metrics/figures.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { probeText, targetText } from '../metrics/text.ts';
import { DatabaseGone, type FleetDatabase } from './database.ts';
import { figuresEntry, problemOf } from './fleet-state.ts';

/**
 * The target metrics that any member exports: those in the database. So a counter that was once scraped never
 * decreases, even if its member fails or the target moves. The holder knows what it has written. The other members
 * read the database, because Prometheus learns of a move only at its next service discovery.
 */
export class ExportedFigures implements Pick<Metrics, 'text' | 'contentType'> {
  readonly #metrics: Metrics;
  readonly #database: Pick<FleetDatabase, 'entry'>;
  /** The written metrics of targets that are held here, as JSON. */
  readonly #written = new Map<string, string>();

  constructor(metrics: Metrics, database: Pick<FleetDatabase, 'entry'>) {
    this.#metrics = metrics;
    this.#database = database;
  }

  get contentType(): string {
    return this.#metrics.contentType;
  }

  /** Records that these metrics of a target are in the database. */
  written(target: string, figures: string): void {
    this.#written.set(target, figures);
  }

  /** From now on this member holds exactly these targets. */
  holdOnly(targets: ReadonlySet<string>): void {
    for (const name of this.#written.keys()) if (!targets.has(name)) this.#written.delete(name);
  }

  /** The monitor's own metrics. */
  text(): Promise<string> {
    return this.#metrics.text();
  }

  /** The metrics of one target or one of its probes. @returns undefined when it is unknown @throws DatabaseGone */
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
