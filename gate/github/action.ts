/*
 * Run by action.yml: the gate on the provider that its inputs name, in a folder of its own. No `.env` and no
 * report of the repository that uses the action is read, replaced or uploaded. The exit code is the gate's, or 3
 * if the gate left no evidence for a verdict.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeBlock, command } from '../../contract/report/github.ts';
import { appendSummary } from '../../contract/report/write.ts';
import { select } from '../../contract/round/selection.ts';
import { UserError } from '../../contract/user-error.ts';
import { probes } from '../../probes/index.ts';
import { readSettings } from '../../settings.ts';

const gate = fileURLToPath(new URL('../main.ts', import.meta.url));
const verdicts = ['holds', 'violated', 'unjudged', 'defect'] as const;

/** The settings that are inputs of the action; its users know them by these names. */
const inputs: Readonly<Record<string, string>> = {
  PUBLIC_API_BASE_URL: 'base-url',
  PUBLIC_API_ENDPOINTS: 'endpoints',
  PUBLIC_API_CLOCK_URL: 'clock-url',
  PUBLIC_API_STRICT: 'strict',
};

/** The parts of `gate.json` that are used. */
interface Document {
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
}

async function main(env: NodeJS.ProcessEnv): Promise<number> {
  const words = (env.CLAUSES ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const wrong = wrongInputs(env, words);
  if (wrong.length === 0) return judged(env, words);
  await summarise(env, 'The provider could not be judged', wrong);
  await setOutputs(env, { verdict: 'unjudged', report: '', violated: '' });
  return 2;
}

/** A line for each wrong input, and for each setting that is set besides them. */
function wrongInputs(env: NodeJS.ProcessEnv, words: readonly string[]): string[] {
  // Without an address the gate would judge its sandbox, and its success would mean nothing.
  if ((env.PUBLIC_API_BASE_URL ?? '').trim() === '')
    return ['base-url is missing: it is the address of the provider'];
  const selecting = linesOf(() => select(probes, words)).map((line) => `clauses: ${line}`);
  return [...linesOf(() => readSettings(env)).map(asInput), ...selecting];
}

function linesOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof UserError) return error.message.split('\n');
    throw error;
  }
}

function asInput(line: string): string {
  const named = line.replace(/\bPUBLIC_API_\w+/g, (name) => inputs[name] ?? name);
  return /^PUBLIC_API_(SECRET_)?KEY /.test(line)
    ? `${named}; it is set by env: of the step, and pull requests from forks get no secrets`
    : named;
}

/** Runs the gate. @returns its exit code */
async function judged(env: NodeJS.ProcessEnv, words: readonly string[]): Promise<number> {
  const folder = await mkdtemp(path.resolve(env.RUNNER_TEMP ?? '.', 'contract-gate-'));
  const report = path.join(folder, 'reports');
  const code = await gateIn(folder, words);
  const found = await verdictsIn(report);
  // Node itself exits with 1 if it cannot load the gate: an exit code without its evidence is not a verdict.
  const exit = code < 2 && found.length === 0 ? 3 : code;
  if (exit === 3 && found.length === 0)
    await summarise(env, 'This suite has a defect', ['the gate has failed, as its log says']);
  const written = existsSync(report);
  if (!written) await rm(folder, { recursive: true, force: true });
  else if (env.GITHUB_STEP_SUMMARY !== undefined)
    // The gate has reported a summary that it could not write: then there is none to copy.
    await copyFile(env.GITHUB_STEP_SUMMARY, path.join(report, 'summary.md')).catch(() => {});
  await setOutputs(env, {
    verdict: verdicts[exit] ?? 'unjudged',
    report: written ? report : '',
    violated: found.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : [])).join(' '),
  });
  return exit;
}

/** The verdict on each clause, in the order of the contract; empty if `gate.json` could not be written. */
async function verdictsIn(folder: string): Promise<Document['clauses']> {
  const text = await readFile(path.join(folder, 'gate.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const { clauses }: Document = JSON.parse(text);
  return clauses;
}

/** A signal is passed on: the gate releases the provider's clock before it ends. */
async function gateIn(folder: string, words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [gate, ...words], { cwd: folder, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code]: (number | null)[] = await once(child, 'close');
  return code ?? 3;
}

/** Reports why there is no verdict, if the gate could not report it. */
async function summarise(
  env: NodeJS.ProcessEnv,
  what: string,
  why: readonly string[],
): Promise<void> {
  process.stdout.write(`${command('error', what, why.join('\n'))}\n`);
  await appendSummary(env.GITHUB_STEP_SUMMARY, codeBlock([what, '', ...why].join('\n')));
}

async function setOutputs(
  env: NodeJS.ProcessEnv,
  outputs: Readonly<Record<'verdict' | 'report' | 'violated', string>>,
): Promise<void> {
  if (env.GITHUB_OUTPUT === undefined) return;
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  await appendFile(env.GITHUB_OUTPUT, lines.join(''));
}

process.exitCode = await main(process.env).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  return 3;
});
