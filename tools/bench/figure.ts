import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The path of a file of this project, for any working directory. */
export const ours = (file: string): string =>
  fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** A figure of the table. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** The limit of the value; absent for a mere comparison. */
  readonly bound?: string;
  /** Whether the bound holds; true without a bound, and absent if nothing was measured. */
  readonly kept?: boolean;
}

/** A figure with a limit. `measured` and `most` are in `unit`, such as `ms`. */
export const limited = (
  what: string,
  value: string,
  { measured, most, unit }: { measured: number; most: number; unit: string },
): Figure => ({ what, value, bound: `${most} ${unit}`.trim(), kept: measured <= most });

/** A figure without a limit. */
export const compared = (what: string, value: string): Figure => ({ what, value, kept: true });

/** Measures something. @param folder a scratch folder with a link to this project's node_modules */
export type Measure = (folder: string) => Promise<Figure | readonly Figure[]>;

interface Program {
  /** By default Node. */
  readonly command?: string;
  /** How it may end; by default with 0. */
  readonly codes?: readonly number[];
}

/** Runs a program to its end. @returns seconds */
export async function timed(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
  { command = process.execPath, codes = [0] }: Program = {},
): Promise<number> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  if (code === null || !codes.includes(code))
    throw new Error(`${args.join(' ')} ended with ${code}`);
  return (performance.now() - began) / 1000;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

export const shown = (seconds: number): string => `${seconds.toFixed(2)} s`;
