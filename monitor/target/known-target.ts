import type { KnownVerdict } from './contract-status.ts';

/** The data from which alerts about a target are decided. */
export interface KnownTarget {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly verdicts: readonly KnownVerdict[];
  /** Why no place gets an answer that can be judged: one line. */
  readonly outage: string | undefined;
  /** Whether no probe has run yet: it is unknown whether the provider can be judged. */
  readonly isNew: boolean;
  readonly inMaintenance: boolean;
  /** Whether it has a certificate. */
  readonly isHttps: boolean;
}
