import net from 'node:net';
import { text } from 'node:stream/consumers';

/** Where the tests ask; set by the gate for the Playwright that it starts. */
export const socketVariable = 'PUBLIC_API_GATE_SOCKET';

/** The verdict on one clause, as a test reads it. */
interface ReportedVerdict {
  readonly id: string;
  readonly verdict: 'holds' | 'violated' | 'unverified';
  /** Of what is unverified. */
  readonly cause?: 'unconfigured' | 'prevented';
  /** The reason, or the failure in full. */
  readonly why: string;
}

/** What a test can know of a round. */
export interface RoundVerdicts {
  readonly verdicts: readonly ReportedVerdict[];
  readonly unjudged?: string;
  /**
   * Whether a clause that could not be verified fails. The gate itself fails then; a failed test costs it a new
   * worker.
   */
  readonly strict?: boolean;
}

/** Asks the gate, and waits until it has judged. */
export async function requestVerdicts(address: string): Promise<RoundVerdicts> {
  return JSON.parse(await text(net.connect(address)));
}
