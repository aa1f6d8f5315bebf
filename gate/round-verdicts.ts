import net from 'node:net';
import { text } from 'node:stream/consumers';

/** Where the tests fetch verdicts; the gate sets it for the Playwright that it starts. */
export const socketVariable = 'PUBLIC_API_GATE_SOCKET';

/** The verdict on one clause, as a test reads it. */
interface ReportedVerdict {
  readonly id: string;
  readonly verdict: 'holds' | 'violated' | 'unverified';
  /** Only for unverified clauses. */
  readonly cause?: 'unconfigured' | 'prevented';
  /** The reason, or the failure in full. */
  readonly why: string;
}

/** The part of a round that tests need. */
export interface RoundVerdicts {
  readonly verdicts: readonly ReportedVerdict[];
  readonly unjudged?: string;
  /**
   * Whether an unverified clause counts as a failure. Then the gate itself fails, because a failed test costs
   * Playwright a new worker.
   */
  readonly strict?: boolean;
}

/** Requests the verdicts from the gate, and waits until it has judged. */
export async function requestVerdicts(address: string): Promise<RoundVerdicts> {
  return JSON.parse(await text(net.connect(address)));
}
