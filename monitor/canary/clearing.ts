import { lifetime } from '../../contract/time/clock.ts';
import type { Canary, Check } from './canary.ts';
import { canaryProbes, type Proof } from './probes.ts';

/**
 * Whether a successful check contradicts every stored violation of the same kind. For example, a refusal an hour
 * after the end does not disprove a leeway of a minute. Only these checks clear a violation:
 * - a late accept: the refused token was certainly younger than the violating one was when it was admitted;
 * - an early reject: the admitted token was certainly older than the violating one was when it was refused;
 * - a revival: the refused token was at least as old as the violating one was when it was admitted again.
 * Without this rule a lasting violation would appear and disappear with the check times.
 * @param canaries all canaries; the failed ones are the violations
 */
export const clears = (probe: Proof, { age }: Check, canaries: readonly Canary[]): boolean =>
  canaries
    .filter((canary) => breachOf(canary) === probe)
    .every(({ bounds: { atLeast = 0, atMost = Infinity } }) => {
      if (probe === canaryProbes.lives) return age.least > atMost;
      return probe === canaryProbes.dies ? age.most < atLeast : age.least >= atLeast;
    });

/** The clause that a failed canary violates. If its token was refused before it was admitted, it was revived. */
function breachOf({ state, bounds }: Canary): Proof | undefined {
  const { atLeast = 0, atMost = Infinity } = bounds;
  const { lives, dies, stays } = canaryProbes;
  if (state !== 'failed') return undefined;
  if (atLeast <= lifetime) return lives;
  return atMost < atLeast ? stays : dies;
}
