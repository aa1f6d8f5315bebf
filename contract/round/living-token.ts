import type { MustId } from '../clauses.ts';
import { NoToken } from '../http/client.ts';
import { Unreachable } from '../http/unreachable.ts';
import type { Account } from '../secrets/secret.ts';
import type { ProbeResult } from './attempt.ts';
import type { TokenSource } from './turns.ts';

/** Clauses that are violated when a valid token is refused. */
const refusing: ReadonlySet<MustId> = new Set(['TOKEN-4', 'BEARER-1', 'BEARER-6', 'EXPIRY-4']);

/**
 * Runs a probe, and repeats it if its token may have expired during the run. A provider that repeats tokens may
 * return one whose 24 hours end a moment later, and issue a new one from then on.
 */
export async function withLivingToken(
  run: () => Promise<ProbeResult>,
  tokens: TokenSource,
  account: Account,
): Promise<ProbeResult> {
  const before = tokens.issued.size;
  const result = await run();
  if (!tokens.issued.repeated || !result.findings.some(({ clause }) => refusing.has(clause)))
    return result;
  try {
    await tokens.issue(account);
  } catch (error) {
    if (!(error instanceof NoToken || error instanceof Unreachable)) throw error;
  }
  return tokens.issued.size > before ? run() : result;
}
