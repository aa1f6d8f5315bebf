import { lifetime } from '../../contract/time/clock.ts';
import type { Canary, Check } from './canary.ts';
import { canaryProbes, type Proof } from './probes.ts';

/**
 * Whether a successful check contradicts every stored violation of the same kind. A token that is refused an hour
 * after its end does not disprove a leeway of a minute. Only these checks clear a violation:
 * - a late accept: the token was certainly younger when it was refused than the other one was when it was admitted;
 * - an early reject: it was certainly older when it was admitted than the other one was when it was refused;
 * - a revival: it was at least as old when it was still refused as the other one was when it was admitted again.
 *
 * Without this rule a lasting violation would appear and disappear with the check times.
 * @param canaries of which some have failed
 */
export const clears = (probe: Proof, { age }: Check, canaries: readonly Canary[]): boolean =>
  canaries
    .filter((canary) => breachOf(canary) === probe)
    .every(({ bounds: { atLeast = 0, atMost = Infinity } }) => {
      if (probe === canaryProbes.lives) return age.least > atMost;
      return probe === canaryProbes.dies ? age.most < atLeast : age.least >= atLeast;
    });

/** What a failed canary has disproved. If a token was refused before it was admitted, it was revived. */
function breachOf({ state, bounds }: Canary): Proof | undefined {
  const { atLeast = 0, atMost = Infinity } = bounds;
  const { lives, dies, stays } = canaryProbes;
  if (state !== 'failed') return undefined;
  if (atLeast <= lifetime) return lives;
  return atMost < atLeast ? stays : dies;
}
