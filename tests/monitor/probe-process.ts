import { planRounds, type RoundOptions, runProbeRound } from '../../monitor/probe/round.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { type Environment, fromRoot, type Ran, type Running, startNode } from '../process.ts';

const program = ['--import', fromRoot('tools/setup/loading.js'), fromRoot('monitor/probe/main.ts')];

/** Starts a round in a folder, as `npm run probe` does. */
export const startProbe = (folder: string, args: readonly string[], env: Environment): Running =>
  startNode(folder, [...program, ...args], env);

/** A whole round. */
export const probed = (
  folder: string,
  args: readonly string[] = [],
  env: Environment = {},
): Promise<Ran> => startProbe(folder, args, env).ended;

/** A round in this process, of what the words select. */
export function startRound(target: WatchedTarget, options: RoundOptions = {}, ...words: string[]) {
  const [plan] = planRounds([target], words);
  if (plan === undefined) throw new Error('there is a plan for each target');
  return runProbeRound(plan, options);
}
