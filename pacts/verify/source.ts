import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Interaction } from '../pact.ts';
import { copyOf } from './copy.ts';
import type { Core } from './core.ts';
import { judged } from './judge.ts';
import type { Provider } from './provider.ts';
import type { Relay } from './relay.ts';
import { obstacleTo } from './state-setup.ts';
import type { Cleaning, InteractionResult, PactResult, Source } from './verification.ts';

interface VerificationContext {
  readonly provider: Provider;
  readonly relay: Relay;
  readonly core: Core;
  readonly folder: string;
  /** The longest time for one interaction (milliseconds). */
  readonly boundMs: number;
}

/**
 * Verifies the interactions of a pact that can be verified. The others are not sent, and get the reason as result.
 * @throws CoreEnded, Incredible, and errors in the relay: defects of this suite
 */
export async function verifySource(
  source: Source,
  context: VerificationContext,
  clean: Cleaning,
): Promise<PactResult> {
  const { pact } = source;
  const { provider, relay } = context;
  const marks = new Map<Interaction, string>();
  const obstacles = new Map<Interaction, string>();
  for (const interaction of pact.interactions) {
    const obstacle = obstacleTo(interaction, provider);
    if (obstacle === undefined) marks.set(interaction, relay.admit(interaction));
    else obstacles.set(interaction, obstacle);
  }
  const results = marks.size === 0 ? [] : await verified(source, marks, context, clean);
  const byInteraction = new Map(results.map((result) => [result.interaction, result]));
  return {
    source,
    interactions: pact.interactions.map(
      (interaction) =>
        byInteraction.get(interaction) ?? unverified(interaction, obstacles.get(interaction) ?? ''),
    ),
  };
}

async function verified(
  { pact }: Source,
  marks: ReadonlyMap<Interaction, string>,
  { core, relay, folder, boundMs }: VerificationContext,
  clean: Cleaning,
): Promise<InteractionResult[]> {
  const copy = path.join(folder, 'pact.json');
  await writeFile(copy, copyOf(pact, marks));
  const { origin, states } = relay;
  const job = { copy, provider: pact.provider, origin, states, timeoutMs: boundMs };
  const results = await core.verify(job, startMs + boundMs * marks.size);
  const { defect } = relay;
  if (defect !== undefined) throw defect;
  const visits = [...marks.values()].map((mark) => [mark, relay.visit(mark)] as const);
  return judged(visits, results, clean);
}

/** The time to load the core, which is long on a slow machine. */
const startMs = 30_000;

const unverified = (interaction: Interaction, reason: string): InteractionResult => ({
  interaction,
  ending: 'unverified',
  reason,
  mismatches: [],
});

/** The result of a pact that cannot be read. Other pacts are still verified. */
export const refusal = (source: Source, reason: string): PactResult => ({
  ...unverifiedPact(source, reason),
  refused: [`${source.from}: ${reason}`],
});

/** A pact whose verification did not begin. */
export const unverifiedPact = (source: Source, reason: string): PactResult => ({
  source,
  interactions: source.pact.interactions.map((interaction) => unverified(interaction, reason)),
});
