import { RequestSlots } from '../../contract/ahead.ts';
import type { ExitCode } from '../../contract/command.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { progress, stepOf } from '../../contract/report/progress.ts';
import { terminalStyleOf } from '../../contract/report/terminal-style.ts';
import { probes } from '../../probes/index.ts';
import { loadSettings, type Settings } from '../../settings.ts';
import type { Run } from '../target/run.ts';
import type { WatchedTarget } from '../target/watched-target.ts';
import type { Arguments } from './arguments.ts';
import { DeliveryError } from './delivery-error.ts';
import { reportedRoundOf } from './reported-round.ts';
import { type RoundOptions, roundOn, runsOf, type TargetRound } from './round.ts';
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
  const delivered = await deliver(rounds, parsed, settings);
  const exit = delivered ? judged : worst([judged, 2]);
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
  const total = targets.reduce((sum, target) => sum + runsOf(target, options).length, 0);
  const drawn = progress(process.stderr, 'runs');
  const slots = new RequestSlots(mostTargets);
  const onRun = ({ result }: Run): void => drawn.step({ ...stepOf(result), total });
  const rounds = targets.map((target) => slots.hold(() => roundOn(target, { ...options, onRun })));
  return Promise.all(rounds).finally(drawn.end);
}

/** Delivers the metrics. Each failure is reported in a line. @returns whether all were delivered */
async function deliver(
  rounds: readonly TargetRound[],
  { metrics, push: gateway }: Arguments,
  { timeoutMs, ca, proxies }: Settings,
): Promise<boolean> {
  if (metrics === undefined && gateway === undefined) return true;
  const { expositionOf } = await import('./exposition.ts');
  const text = await expositionOf(rounds);
  const write = async (): Promise<void> => {
    if (metrics === '-') process.stdout.write(text.all);
    else if (metrics !== undefined)
      await (await import('./text-file.ts')).replaceFile(metrics, text.all);
  };
  const pushes = rounds.map(({ target: { name } }) => async (): Promise<void> => {
    if (gateway === undefined) return;
    const { push } = await import('./pushgateway.ts');
    await push(gateway, { target: name, text: text.of(name) }, { timeoutMs, ca, proxies });
  });
  let delivered = true;
  for (const work of [write, ...pushes])
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      process.stderr.write(`${error.message}\n`);
      delivered = false;
      // A gateway that does not answer would take its time limit again for each further target.
      if (error.cause instanceof Unreachable) break;
    }
  return delivered;
}

async function report(
  rounds: readonly TargetRound[],
  { parsed, exit, tookSeconds }: { parsed: Arguments; exit: number; tookSeconds: number },
): Promise<void> {
  if (parsed.metrics === '-') return;
  // Of several configured targets, a repetition needs the name of the one that `--target` selected.
  const alone = rounds.length === 1 && parsed.targets.length === 0;
  const reported = rounds.map((round) => reportedRoundOf(round, { alone }));
  if (!parsed.json)
    return void process.stdout.write(table(reported, tookSeconds, terminalStyleOf(process.stdout)));
  const { documentOf } = await import('./document.ts');
  process.stdout.write(documentOf(reported, exit));
}
