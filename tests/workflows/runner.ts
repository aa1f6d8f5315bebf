import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { withoutProgress } from '../process.ts';
import { actionOf, type Job, type Step } from './document.ts';
import { type Contexts, interpolated, isMet, type JobStatus } from './expression.ts';

/** A machine on which jobs run. The test supplies what GitHub would supply. */
export interface Machine {
  /** The checked-out repository, in which steps start. */
  readonly workspace: string;
  /** The folder with the files of the steps: scripts, outputs, summaries. */
  readonly temporary: string;
  /** The environment of every step. */
  readonly env: Readonly<Record<string, string>>;
  /** Actions of other repositories, by their name without the commit. */
  readonly actions: Readonly<Record<string, (given: Record<string, string>) => void>>;
  /** Called with the process of each script, as soon as it runs. */
  readonly onScript?: (pid: number) => void;
}

/** The result of a job, or of an action in it. */
export interface Outcome {
  readonly standing: JobStatus;
  /** The exit code of the script that failed. */
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The summaries of all steps. */
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs the steps of a job like GitHub. @throws for a feature that this runner does not support */
export async function runJob(job: Job, contexts: Contexts, machine: Machine): Promise<Outcome> {
  const scope = new Scope(contexts, machine);
  await scope.run(job.steps ?? []);
  return scope.outcome(job.outputs ?? {});
}

/** A list of steps that share their outputs: those of a job, or of a composite action. */
class Scope {
  readonly #given: Contexts;
  readonly #machine: Machine;
  readonly #outputs: Record<string, string> = {};
  readonly #ids: string[] = [];
  #ended = { standing: 'success' as JobStatus, exit: 0, stdout: '', stderr: '', summary: '' };

  constructor(given: Contexts, machine: Machine) {
    this.#given = given;
    this.#machine = machine;
  }

  async run(steps: readonly Step[]): Promise<void> {
    this.#ids.push(...steps.flatMap(({ id }) => id ?? []));
    for (const step of steps) {
      known(step);
      if (!isMet(step.if ?? 'success()', this.#contexts, this.#ended.standing)) continue;
      const outcome = await this.#step(step);
      for (const [name, value] of Object.entries(outcome.outputs))
        this.#outputs[`${step.id ?? ''}.outputs.${name}`] = value;
      const before = this.#ended;
      const { standing, exit } = before.standing === 'success' ? outcome : before;
      this.#ended = {
        standing,
        exit,
        stdout: before.stdout + outcome.stdout,
        stderr: before.stderr + outcome.stderr,
        summary: before.summary + outcome.summary,
      };
    }
  }

  outcome(outputs: Readonly<Record<string, string>>): Outcome {
    return { ...this.#ended, outputs: this.#filled(outputs) };
  }

  get #contexts(): Contexts {
    return { ...this.#given, steps: { values: this.#outputs, known: this.#ids } };
  }

  #filled(texts: Readonly<Record<string, string | number | boolean>> = {}): Record<string, string> {
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        interpolated(String(text), this.#contexts),
      ]),
    );
  }

  async #step(step: Step): Promise<Outcome> {
    const env = { ...this.#machine.env, ...this.#filled(step.env) };
    const machine = { ...this.#machine, env };
    if (step.run !== undefined) return runScript(step.run, step.shell, machine);
    const { uses = '' } = step;
    const given = this.#filled(step.with);
    if (uses.startsWith('./')) return runAction(uses, given, this.#given, machine);
    const action = machine.actions[uses.split('@')[0] ?? ''];
    if (action === undefined) throw new Error(`no test knows the action ${uses}`);
    action(given);
    return nothing;
  }
}

const nothing: Outcome = {
  standing: 'success',
  exit: 0,
  stdout: '',
  stderr: '',
  summary: '',
  outputs: {},
};

const keys = ['id', 'name', 'if', 'uses', 'with', 'env', 'shell', 'run'];

function known(step: Step): void {
  const strange = Object.keys(step).filter((key) => !keys.includes(key));
  if (strange.length > 0) throw new Error(`this runner knows no ${strange.join(', ')} of a step`);
}

/** A composite action of the workspace. Its steps get the environment of the step that uses it. */
async function runAction(
  uses: string,
  given: Readonly<Record<string, string>>,
  { github = { values: {} } }: Contexts,
  machine: Machine,
): Promise<Outcome> {
  const folder = path.join(machine.workspace, uses);
  const {
    inputs = {},
    outputs = {},
    runs,
  } = actionOf(readFileSync(path.join(folder, 'action.yml'), 'utf8'));
  for (const name of Object.keys(given))
    if (!Object.hasOwn(inputs, name)) throw new Error(`${uses} has no input ${name}`);
  for (const [name, { required }] of Object.entries(inputs))
    if (required === true && !Object.hasOwn(given, name)) throw new Error(`${uses} needs ${name}`);
  const values = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      name,
      given[name] ?? String(input.default ?? ''),
    ]),
  );
  const contexts = { github, inputs: { values, known: Object.keys(inputs) } };
  const env = { ...machine.env, GITHUB_ACTION_PATH: folder };
  const scope = new Scope(contexts, { ...machine, env });
  await scope.run(runs.steps);
  const shown = Object.entries(outputs).map(([name, { value }]) => [name, value] as const);
  return scope.outcome(Object.fromEntries(shown));
}

/** Runs a script in a separate process with its own files, like GitHub. */
async function runScript(
  run: string,
  shell: string | undefined,
  machine: Machine,
): Promise<Outcome> {
  const folder = mkdtempSync(path.join(machine.temporary, 'step-'));
  const file = (name: string): string => path.join(folder, name);
  const files = { GITHUB_OUTPUT: file('output'), GITHUB_STEP_SUMMARY: file('summary.md') };
  const quiet = { GITHUB_ENV: file('env'), GITHUB_PATH: file('path') };
  for (const empty of Object.values({ ...files, ...quiet })) writeFileSync(empty, '');
  writeFileSync(file('script.sh'), run);
  if (shell !== undefined && shell !== 'bash') throw new Error(`this runner knows no ${shell}`);
  const flags = shell === undefined ? ['-e'] : ['--noprofile', '--norc', '-eo', 'pipefail'];
  const child = spawn('bash', [...flags, file('script.sh')], {
    cwd: machine.workspace,
    env: { ...machine.env, ...files, ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  if (child.pid !== undefined) machine.onScript?.(child.pid);
  const [code]: (number | null)[] = await once(child, 'close');
  return {
    standing: code === 0 ? 'success' : 'failure',
    exit: code ?? -1,
    stdout: output.stdout,
    stderr: withoutProgress(output.stderr),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    outputs: outputsIn(readFileSync(files.GITHUB_OUTPUT, 'utf8')),
  };
}

/** Parses lines of `name=value`. The form for several lines is not used here. */
function outputsIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`this runner knows no output like ${line}`);
      return [name, value];
    }),
  );
}

/** A machine's folders, below one that the test removes. */
export function foldersIn(root: string): Pick<Machine, 'workspace' | 'temporary'> {
  const workspace = path.join(root, 'workspace');
  const temporary = path.join(root, 'temporary');
  for (const folder of [workspace, temporary]) mkdirSync(folder, { recursive: true });
  return { workspace, temporary };
}

/** The files below a folder; empty if the folder does not exist. */
export const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .sort()
    : [];
