import type { MustId } from '../clauses.ts';
import { NoToken } from '../http/client.ts';
import { Unreachable } from '../http/unreachable.ts';
import type { Account } from '../secrets/secret.ts';
import type { Outcome } from './attempt.ts';
import type { TokenSource } from './turns.ts';

/** Clauses that are violated when a valid token is refused. */
const refusing: ReadonlySet<MustId> = new Set(['TOKEN-4', 'BEARER-1', 'BEARER-6', 'EXPIRY-4']);

/**
 * Runs a probe, and once more if its token may have expired meanwhile: a provider that repeats tokens may return
 * one whose 24 hours end a moment later, and issues a new one from then on.
 */
export async function withLivingToken(
  run: () => Promise<Outcome>,
  tokens: TokenSource,
  account: Account,
): Promise<Outcome> {
  const before = tokens.given.size;
  const outcome = await run();
  if (!tokens.given.repeated || !outcome.findings.some(({ clause }) => refusing.has(clause)))
    return outcome;
  try {
    await tokens.issue(account);
  } catch (error) {
    if (!(error instanceof NoToken || error instanceof Unreachable)) throw error;
  }
  return tokens.given.size > before ? run() : outcome;
}
