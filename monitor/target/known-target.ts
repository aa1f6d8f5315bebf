import type { KnownVerdict } from './contract-status.ts';

/** What alerts about a target are decided by. */
export interface KnownTarget {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly verdicts: readonly KnownVerdict[];
  /** Why no answer can be judged anywhere: one line. */
  readonly outage: string | undefined;
  readonly inMaintenance: boolean;
}
