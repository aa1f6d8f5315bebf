import { wrongly } from '../../config/command-line.ts';
import { nearest } from '../../config/nearest.ts';
import { type Settings, SettingsError } from '../../config/settings.ts';
import type { Probe } from '../../contract/probe.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { type TargetsSet, targetInside, targetsSet } from '../targets.ts';

/** The configured targets, or a sandbox in this process. @throws SettingsError */
export async function targetsOrSandbox(
  settings: Settings,
  probes: readonly Probe[],
): Promise<readonly WatchedTarget[]> {
  const set = await targetsSet(settings, probes);
  if (set !== undefined) return theirs(set);
  const { sandboxAccount, sandboxEndpoints, startSandbox } = await import(
    '../../sandbox/provider.ts'
  );
  // A connection to a socket file takes two thirds of the time of one to a port.
  const { scratch } = await import('../../contract/round/scratch.ts');
  const { address: socketPath } = scratch('sandbox');
  const { baseUrl } = await startSandbox({ socketPath });
  const inside = targetInside(baseUrl, sandboxAccount, sandboxEndpoints, settings);
  return [{ ...inside, connection: { ...inside.connection, socketPath } }];
}

/** Refuses an empty list, because an empty round would look like a success. @throws SettingsError */
function theirs({ targets, shard: { number, of } }: TargetsSet): readonly WatchedTarget[] {
  if (targets.length > 0) return targets;
  throw new SettingsError([
    `no target of the file belongs to shard ${number}/${of}: nothing is probed`,
  ]);
}

/** The targets with these names; without names all of them. @throws WrongArguments for an unknown name */
export function named(
  targets: readonly WatchedTarget[],
  names: readonly string[],
): readonly WatchedTarget[] {
  const known = targets.map(({ name }) => name);
  for (const name of names)
    if (!known.includes(name))
      throw wrongly(
        'npm run probe',
        `unknown target ${JSON.stringify(name)}, perhaps ${nearest(name, known)?.word}`,
      );
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name));
}
