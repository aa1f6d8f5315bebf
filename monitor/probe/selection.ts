import type { Probe } from '../../contract/probe.ts';
import { select } from '../../contract/round/selection.ts';
import { UserError } from '../../contract/user-error.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { placesOfRound } from './round.ts';

/** The words name probes, but one round can run none of them: one line. */
class NothingSelected extends UserError {
  override readonly name = 'NothingSelected';
}

/**
 * The names of the probes that words select, with the gate's rules; undefined without words, which means all.
 * @throws NothingSelected for a word that matches nothing, or no probe that can run on any target
 */
export function selectedBy(
  words: readonly string[],
  probes: readonly Probe[],
  targets: readonly WatchedTarget[],
): ReadonlySet<string> | undefined {
  if (words.length === 0) return undefined;
  const run = new Map(
    targets
      .flatMap((target) => placesOfRound(target, { probes }))
      .map(({ probe }) => [probe.name, probe] as const),
  );
  const all = [...new Map([...probes.map((one) => [one.name, one] as const), ...run]).values()];
  const names = words.map((word) => {
    const found = select(all, [word]).map(({ name }) => name);
    if (found.some((name) => run.has(name))) return found;
    throw new NothingSelected(
      `${JSON.stringify(word)} takes simulated time or wrong credentials, or is switched off here: npm run gate -- ${word}`,
    );
  });
  return new Set(names.flat());
}
