import type { ApiClient } from '../http/client.ts';
import type { Pace } from '../http/pace.ts';
import type { RequestRetrier } from '../http/retry.ts';
import type { RoundFacts } from './verdict.ts';

/** Adds to the facts what a round has counted. */
export function addCounts(
  facts: RoundFacts,
  { client, pace, retrier }: { client: ApiClient; pace: Pace; retrier: RequestRetrier },
): void {
  facts.finishedAt = new Date();
  facts.requests += client.requests();
  facts.noise.interrupted += retrier.interrupted();
  facts.noise.rateLimitedSeconds += pace.pausedSeconds();
  for (const place of ['headers', 'refused'] as const)
    facts.limits[place] = [...new Set([...facts.limits[place], ...pace.limits[place]])];
}
