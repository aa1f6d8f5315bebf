import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { loadSettings } from '../../config/settings.ts';
import type { ExitCode } from '../../contract/command.ts';
import { requestSlots } from '../../contract/http/pace.ts';
import { progress, stepOf } from '../../contract/report/progress.ts';
import { terminalStyleOf } from '../../contract/report/terminal.ts';
import { probes } from '../../probes/index.ts';
import type { Run } from '../round/run.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { viewOf } from '../status/view.ts';
import type { Arguments } from './arguments.ts';
import { placesOfRound, type RoundOptions, roundOn, type TargetRound } from './round.ts';
import { selectedBy } from './selection.ts';
import { table } from './table.ts';
import { named, targetsOrSandbox } from './targets.ts';

/** The most targets that are probed concurrently. */
const mostTargets = 64;

/**
 * Probes the configured targets once, and reports the results.
 * @returns the exit code
 * @throws WrongArguments, NothingSelected, SettingsError
 */
export async function probeOnce(parsed: Arguments): Promise<number> {
  const began = performance.now();
  const settings = loadSettings();
  const targets = named(await targetsOrSandbox(settings, probes), parsed.targets);
  const selected = selectedBy(parsed.words, probes, targets);
  const strict = parsed.strict || settings.strict;
  const { concurrency } = settings;
  const options = { probes, strict, selected, concurrency };
  const rounds = await roundsOn(targets, options);
  const tookSeconds = (performance.now() - began) / 1000;
  const judged = worst(rounds.map(({ exit }) => exit));
  const written = await writeMetrics(rounds, parsed.metrics);
  const exit = written ? judged : worst([judged, 2]);
  await report(rounds, { parsed, exit, tookSeconds });
  return exit;
}

/** Priority: a defect of ours, then a violation, then a provider that could not be judged. */
const worst = (exits: readonly ExitCode[]): ExitCode =>
  ([3, 1, 2] as const).find((exit) => exits.includes(exit)) ?? 0;

/** Rounds on all targets, with their progress on the terminal. */
async function roundsOn(
  targets: readonly WatchedTarget[],
  options: RoundOptions,
): Promise<TargetRound[]> {
  const total = targets.reduce((sum, target) => sum + placesOfRound(target, options).length, 0);
  const drawn = progress(process.stderr, 'runs');
  const inSlot = requestSlots(mostTargets);
  const onRun = ({ result }: Run): void => drawn.step({ ...stepOf(result), total });
  const rounds = targets.map((target) => inSlot(() => roundOn(target, { ...options, onRun })));
  return Promise.all(rounds).finally(drawn.end);
}

/**
 * Writes the metrics to a file, or to stdout as `-`. A reader such as node_exporter sees the old file or the new one,
 * never a part. @returns whether it succeeded; a failure is reported in a line
 */
async function writeMetrics(rounds: readonly TargetRound[], file?: string): Promise<boolean> {
  if (file === undefined) return true;
  const { roundText } = await import('../metrics/metrics.ts');
  const views = rounds.map(({ target, status }) => viewOf(target, status, 60));
  const text = await roundText(views, Date.now());
  if (file === '-') return process.stdout.write(text) || true;
  const fresh = `${file}.${process.pid}`;
  try {
    const there = await stat(file).catch(() => undefined);
    if (there?.isFile() === false) throw new Error('it is not a regular file');
    await writeFile(fresh, text);
    await rename(fresh, file);
    return true;
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    const { message } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`--metrics ${file} could not be written (${message})\n`);
    return false;
  }
}

async function report(
  rounds: readonly TargetRound[],
  { parsed, exit, tookSeconds }: { parsed: Arguments; exit: number; tookSeconds: number },
): Promise<void> {
  if (parsed.metrics === '-') return;
  // Of several configured targets, a repetition needs the name of the one that `--target` selected.
  const alone = rounds.length === 1 && parsed.targets.length === 0;
  if (!parsed.json)
    return void process.stdout.write(
      table(rounds, { alone, tookSeconds }, terminalStyleOf(process.stdout)),
    );
  const { documentOf } = await import('./document.ts');
  process.stdout.write(documentOf(rounds, exit));
}
