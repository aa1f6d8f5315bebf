import { type Environment, ours, type Ran, type Running, startNode } from '../process.ts';

const program = ['--import', ours('tools/setup/loading.js'), ours('monitor/probe/main.ts')];

/** Starts a round in a folder, as `npm run probe` does. */
export const startProbe = (folder: string, args: readonly string[], env: Environment): Running =>
  startNode(folder, [...program, ...args], env);

/** A whole round. */
export const probed = (
  folder: string,
  args: readonly string[] = [],
  env: Environment = {},
): Promise<Ran> => startProbe(folder, args, env).ended;
