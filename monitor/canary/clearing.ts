import { lifetime } from '../../contract/time/clock.ts';
import type { Canary, Check } from './canary.ts';
import { canaryProbes, type Proof } from './probes.ts';

/**
 * Whether a check that found a token in order contradicts every violation of the same kind that is remembered. A token
 * that is refused an hour after its end says nothing about a leeway of a minute. Only these checks clear a violation:
 *
 * - a late accept: the token was certainly younger when it was refused than the other one was when it was admitted;
 * - an early reject: it was certainly older when it was admitted than the other one was when it was refused;
 * - a revival: it was at least as old when it was still refused as the other one was when it was admitted again.
 *
 * Otherwise a violation that lasts would come and go with the ladder.
 * @param canaries of which some have failed
 */
export const clears = (probe: Proof, { age }: Check, canaries: readonly Canary[]): boolean =>
  canaries
    .filter((canary) => breachOf(canary) === probe)
    .every(({ bounds: { atLeast = 0, atMost = Infinity } }) => {
      if (probe === canaryProbes.lives) return age.least > atMost;
      return probe === canaryProbes.dies ? age.most < atLeast : age.least >= atLeast;
    });

/** What a canary has disproved that has failed. A token that was refused before it was admitted came to life again. */
function breachOf({ state, bounds }: Canary): Proof | undefined {
  const { atLeast = 0, atMost = Infinity } = bounds;
  const { lives, dies, stays } = canaryProbes;
  if (state !== 'failed') return undefined;
  if (atLeast <= lifetime) return lives;
  return atMost < atLeast ? stays : dies;
}
