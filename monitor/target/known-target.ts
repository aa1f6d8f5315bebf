import type { Outage } from './answering.ts';
import type { KnownVerdict } from './contract-status.ts';

/** The data of the alerts about a target. */
export interface KnownTarget {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly verdicts: readonly KnownVerdict[];
  readonly outage: Outage | undefined;
  readonly inMaintenance: boolean;
}
