import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { leaksOf, planted } from './planted.ts';

export type Environment = Readonly<Record<string, string>>;

/** The result of a program, without its progress. */
export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Node keeps compiled code here for the next process. Half of the start time is spent on stripping types. */
export const compileCache = fileURLToPath(
  new URL('../node_modules/.cache/compile', import.meta.url),
);

/** One of our programs, as a separate process. */
export interface Running extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ran>;
  /** Its output so far. */
  output(): Pick<Ran, 'stdout' | 'stderr'>;
  /** Resolves with the first group of the pattern in its output; undefined when the program ends before. */
  line(pattern: RegExp): Promise<string | undefined>;
}

/**
 * Starts one of our programs. Its environment has only the paths to programs, and what the test passes.
 * @param args of Node: the file to run, and the arguments before and after it
 * @param cwd a folder without an `.env`
 */
export function startNode(cwd: string, args: readonly string[], env: Environment = {}): Running {
  const own = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache };
  return running(spawn(process.execPath, args, { cwd, env: { ...own, ...env } }), env);
}

/** Starts a program with exactly this environment. */
export const startProgram = (
  cwd: string,
  program: string,
  args: readonly string[],
  env: Environment,
): Running => running(spawn(program, args, { cwd, env }), env);

/** Types a command into a shell that has only this environment, and waits for its end. */
export function typedInShell(cwd: string, command: string, env: Environment): Promise<Ran> {
  const own = { PATH: process.env.PATH, ...env };
  return running(spawn('sh', ['-c', command], { cwd, env: own }), env).ended;
}

/** The command by which a shell starts one of our programs like an npm script. */
export const nodeOn = (main: string): string => `'${process.execPath}' '${main}'`;

/** Removes the lines that a command prints every thirty seconds where it runs that long: on a slow machine. */
const withoutProgress = (stderr: string): string =>
  stderr.replace(/^(\d+ of \d+ \w+ done after \d+ s|http\S+: about \d+ requests, .*)\n/gm, '');

/** The output of a program, and the secrets in its environment. */
interface Printed {
  readonly program: string;
  readonly text: { stdout: string; stderr: string };
  readonly secrets: readonly string[];
  hasEnded: boolean;
}

/** The programs of this worker whose whole output has not been searched yet. */
const unsearched = new Set<Printed>();

/** Which programs have printed a secret since the last call, and in which form. */
export function printedSecrets(): string[] {
  return [...unsearched].flatMap((printed) => {
    const { program, text, secrets, hasEnded } = printed;
    const leaks = leaksOf([...planted, ...secrets])(`${text.stdout}\n${text.stderr}`);
    if (hasEnded || leaks.length > 0) unsearched.delete(printed);
    return leaks.map((leak) => `${program} printed ${leak}`);
  });
}

const isSecret = (name: string): boolean => /(?<!_TLS_)(KEY|SECRET|TOKEN|PASSWORD)$/.test(name);

function running(child: ChildProcessWithoutNullStreams, env: Environment): Running {
  const text = { stdout: '', stderr: '' };
  const secrets = Object.keys(env).flatMap((name) => (isSecret(name) ? (env[name] ?? []) : []));
  const printed: Printed = { program: child.spawnargs.join(' '), text, secrets, hasEnded: false };
  unsearched.add(printed);
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  const ended = once(child, 'close').then(([exit]): Ran => {
    printed.hasEnded = true;
    return { exit, ...text, stderr: withoutProgress(text.stderr) };
  });
  return {
    child,
    ended,
    output: () => ({ ...text }),
    line: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          const [, found] = pattern.exec(text.stdout) ?? [];
          if (found !== undefined) resolve(found);
        };
        look();
        child.stdout.on('data', look);
        ended.then(() => resolve(undefined));
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The path of a file of this project. */
export const fromRoot = (file: string): string =>
  fileURLToPath(new URL(`../${file}`, import.meta.url));

/** The processes that were started with this text in their environment; undefined except on Linux. */
export function processesWith(text: string): string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}
