/*
 * Run by action.yml: the gate on the provider that its inputs name, in a folder of its own, so that it reads and
 * replaces nothing of the repository that uses the action. The exit code is the gate's, or 3 without evidence.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../contract/command.ts';
import { codeBlock, command } from '../../contract/report/github.ts';
import { appendSummary } from '../../contract/report/write.ts';

const { env } = process;
const verdicts = ['holds', 'violated', 'unjudged', 'defect'] as const;

async function main(): Promise<number> {
  // Without an address the gate would judge its sandbox, and its success would mean nothing.
  if (env.PUBLIC_API_BASE_URL?.trim() || env.PUBLIC_API_TARGETS?.trim()) return judged();
  await summarise('The provider could not be judged', [
    'base-url is missing: it is the address of the provider, unless targets names a file',
  ]);
  await setOutputs({ verdict: 'unjudged', report: '', violated: '' });
  return 2;
}

/** Starts the gate in a folder, with what the inputs say. */
function startGate(folder: string): ChildProcess {
  const gate = fileURLToPath(new URL('../main.ts', import.meta.url));
  const words = (env.CLAUSES ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const level = env.QUICK === 'true' ? ['--quick'] : [];
  // Names of files are those of the repository.
  const files = ['PUBLIC_API_TARGETS', 'PUBLIC_API_KNOWN'].flatMap((name) =>
    env[name]?.trim() ? [[name, path.resolve(env[name])]] : [],
  );
  return spawn(process.execPath, [gate, ...level, '--', ...words], {
    cwd: folder,
    stdio: ['inherit', 'inherit', 'pipe'],
    env: { ...env, ...Object.fromEntries(files) },
  });
}

/** Runs the gate. @returns its exit code */
async function judged(): Promise<number> {
  const folder = await mkdtemp(path.resolve(env.RUNNER_TEMP ?? '.', 'contract-gate-'));
  const report = path.join(folder, 'reports');
  const child = startGate(folder);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text);
    errors += text;
  });
  // The gate releases the provider's clock before it ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [ended]: (number | null)[] = await once(child, 'close');
  const code = ended ?? 3;
  const json = await readFile(path.join(report, 'gate.json'), 'utf8').catch(() => '{"clauses":[]}');
  const clauses: readonly Record<string, string>[] = JSON.parse(json).clauses;
  // Node itself exits with 1 if it cannot load the gate: an exit code without its evidence is not a verdict.
  const exit = code < 2 && clauses.length === 0 ? 3 : code;
  if (exit === 2 && clauses.length === 0)
    await summarise('The provider could not be judged', errors.trim().split('\n').map(asInput));
  else if (exit === 3 && clauses.length === 0)
    await summarise('This suite has a defect', ['the gate has failed, as its log says']);
  const written = existsSync(report);
  if (!written) await rm(folder, { recursive: true, force: true });
  else if (env.GITHUB_STEP_SUMMARY !== undefined)
    // The gate has reported a summary that it could not write: then there is none to copy.
    await copyFile(env.GITHUB_STEP_SUMMARY, path.join(report, 'summary.md')).catch(() => {});
  const violated = clauses
    .filter(({ verdict, known }) => verdict === 'violated' && known === undefined)
    .map(({ id }) => id);
  const isPartly = clauses.some(({ verdict }) => verdict === 'unverified');
  await setOutputs({
    verdict: exit === 0 && isPartly ? 'partly' : (verdicts[exit] ?? 'unjudged'),
    report: written ? report : '',
    violated: violated.join(' '),
  });
  return exit;
}

/** The settings that are inputs of the action are known to its users by those names. */
function asInput(line: string): string {
  const setting = /\bPUBLIC_API_(BASE_URL|ENDPOINTS|CLOCK_URL|STRICT)\b/g;
  const named = line.replace(setting, (_, name) => name.toLowerCase().replace('_', '-'));
  return /^PUBLIC_API_(SECRET_)?KEY /.test(line)
    ? `${named}; it is set by env: of the step, and pull requests from forks get no secrets`
    : named;
}

/** Reports why there is no verdict, if the gate could not report it. */
async function summarise(what: string, why: readonly string[]): Promise<void> {
  process.stdout.write(command('error', what, why.join('\n')));
  await appendSummary(env.GITHUB_STEP_SUMMARY, codeBlock([what, '', ...why].join('\n')));
}

async function setOutputs(outputs: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  if (env.GITHUB_OUTPUT !== undefined) await appendFile(env.GITHUB_OUTPUT, lines.join(''));
}

await runCommand(main);
