import { lifetime, seconds } from '../../contract/clock.ts';
import type { Canary, Check } from './canary.ts';
import { canaryProbes } from './probes.ts';

/** Two checks of the same rung are hardly ever further apart in age. */
const lagMs = seconds(20);

type Proof = (typeof canaryProbes)[keyof typeof canaryProbes];

/**
 * Whether a check that has found a token as it should be tells anything against the breach of the same kind that was
 * found last. A token that is dead an hour after its end says nothing of a leeway of a minute: only one that is dead as
 * early as that one still lived does. Else a fault that lasts would come and go with the ladder.
 * @param canaries of which some have failed
 */
export function clears(probe: Proof, { age }: Check, canaries: readonly Canary[]): boolean {
  const [latest] = canaries
    .filter((canary) => breachOf(canary) === probe)
    .sort((one, other) => other.madeAt - one.madeAt);
  if (latest === undefined) return true;
  const { atLeast = 0, atMost = Infinity } = latest.bounds;
  if (probe === canaryProbes.lives) return age.most >= atMost - lagMs;
  return probe === canaryProbes.dies ? age.least <= atLeast + lagMs : age.least >= atLeast - lagMs;
}

/** What a canary has disproved that has failed. A token that was refused before it was admitted came to life again. */
function breachOf({ state, bounds }: Canary): Proof | undefined {
  const { atLeast = 0, atMost = Infinity } = bounds;
  const { lives, dies, stays } = canaryProbes;
  if (state !== 'failed') return undefined;
  if (atLeast <= lifetime) return lives;
  return atMost < atLeast ? stays : dies;
}
