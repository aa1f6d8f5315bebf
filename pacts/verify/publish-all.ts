import { FlowError } from '../flow/flow-error.ts';
import type { PactSelection } from './pact-selection.ts';
import type { Verification } from './verification.ts';

/** The results of publishing. */
export interface Publishing {
  /** One line for each pact. */
  readonly notes: readonly string[];
  /** Whether the broker lacks a result that a consumer waits for. */
  readonly missing: boolean;
}

/** Publishes the result of each pact, if results are published. After a defect of this suite it publishes nothing. */
export async function publishAll(
  { publish }: Pick<PactSelection, 'publish'>,
  { pacts, defect }: Verification,
): Promise<Publishing> {
  if (publish === undefined || defect !== undefined) return { notes: [], missing: false };
  const notes: string[] = [];
  let missing = false;
  for (const result of pacts) {
    const { published, line } = await publish(result).catch((error: unknown) => {
      if (!(error instanceof FlowError)) throw error;
      // Without the result, can-i-deploy later answers unknown, also for a pending pact.
      missing = true;
      return { published: false, line: `not published: ${error.message}` };
    });
    notes.push(line);
    missing ||= !published && !result.source.pending;
  }
  return { notes, missing };
}
