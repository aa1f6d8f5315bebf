import pLimit from 'p-limit';
import { readCommandLine, sourceOptions, usageError } from '../../config/command-line.ts';
import { SettingsError } from '../../config/fields.ts';
import { hint } from '../../config/nearest.ts';
import { loadSettings, type Settings, useOptions } from '../../config/settings.ts';
import { interruptedCode, runCommand } from '../../contract/command.ts';
import { progress } from '../../contract/report/progress.ts';
import { detectStyle } from '../../contract/report/terminal.ts';
import { replaceFile } from '../../contract/report/write.ts';
import { probes } from '../../probes/index.ts';
import { roundText } from '../metrics/metrics.ts';
import { createTargetView } from '../status/view.ts';
import { readShard, sandboxSet, targetsSet } from '../targets.ts';
import { formatDocument, formatReport } from './report.ts';
import {
  planRounds,
  type RoundOptions,
  type RoundPlan,
  runProbeRound,
  type TargetRound,
} from './round.ts';

const command = 'npm run probe';

const help = `One round of the monitor's probes: against the sandbox, the configured provider, or the targets of a file.

  npm run probe                     all probes that the monitor would run, without canaries
  npm run probe -- BEARER a-token-opens-the-endpoint    an area, a clause, or a probe's name
  npm run probe -- --target NAME    one of several targets; may be repeated
  npm run probe -- --targets FILE --known FILE --env FILE   instead of targets.yaml, known.yaml and .env
  npm run probe -- --json           one document on stdout instead of the report: schemas/probe-report.json
  npm run probe -- --metrics FILE   metrics for node_exporter's textfile collector; - writes them to stdout
  npm run probe -- --strict         an unverified clause fails the round (exit 2)

Settings are those of npm start; maintenance windows are ignored. A clause that needs simulated time, or wrong
credentials without intrusive: true, is unverified here, and does not count: npm run gate judges it.
Exit codes: 0 no clause is violated · 1 a clause is violated, or a payload does not match its schema · 2 a target could
not be judged, or the metrics could not be written · 3 a defect of this suite · 130 interrupted
`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals: words } = readCommandLine(command, {
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      metrics: { type: 'string' },
      ...sourceOptions,
      target: { type: 'string', multiple: true, default: [] },
    },
  });
  const { json, metrics, targets, known, env } = values;
  useOptions({ targets, known, env });
  if (metrics === '') throw usageError(command, '--metrics names no file');
  if (metrics === '-' && json) throw usageError(command, '--json and --metrics - both take stdout');
  const startedAt = Date.now();
  const settings = loadSettings();
  const { concurrency, maxRetryAfterMs } = settings;
  const strict = values.strict || settings.strict;
  const plans = planRounds(await selectTargets(values.target, settings), words);
  const rounds = await runRounds(plans, { strict, concurrency, maxRetryAfterMs });
  const mistakes = await writeMetrics(rounds, startedAt, metrics);
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  const exits = [...rounds.map(({ exit }) => exit), ...mistakes.map(() => 2)];
  // A defect of ours comes first, then a violation, then a provider that could not be judged.
  const exit = ([3, 1, 2] as const).find((code) => exits.includes(code)) ?? 0;
  const style = detectStyle(process.stdout);
  const text = json ? formatDocument(rounds, exit) : formatReport(rounds, style);
  if (metrics !== '-') process.stdout.write(text);
  return exit;
}

/** The configured targets or the sandbox; of several those with these names. */
async function selectTargets(names: readonly string[], settings: Settings) {
  const configured = await targetsSet(settings, probes, true);
  const { targets } = configured ?? (await sandboxSet(settings));
  const { number, of } = readShard(settings.monitor);
  // An empty round would look like a success.
  const none = `no target of the file belongs to shard ${number}/${of}: nothing is probed`;
  if (targets.length === 0) throw new SettingsError(none);
  const configuredNames = targets.map(({ name }) => name);
  const unknown = names.find((name) => !configuredNames.includes(name));
  if (unknown === undefined)
    return targets.filter(({ name }) => names.length === 0 || names.includes(name));
  throw usageError(
    command,
    `${JSON.stringify(unknown)} is not a target${hint(unknown, configuredNames)}`,
  );
}

/** Rounds on all targets, with their progress on the terminal. */
async function runRounds(plans: readonly RoundPlan[], options: RoundOptions) {
  const total = plans.flatMap(({ places }) => places).length;
  const drawn = progress(process.stderr, 'runs');
  const onRun: RoundOptions['onRun'] = ({ result: { probe, endpoint } }) =>
    drawn.step({ name: `${probe.name}  ${endpoint}`, total });
  // The most targets at once.
  const inSlot = pLimit(64);
  const rounds = plans.map((plan) => inSlot(() => runProbeRound(plan, { ...options, onRun })));
  return Promise.all(rounds).finally(drawn.end);
}

/** Writes metrics to a file, or to stdout as `-`. @param now milliseconds since 1970 @returns a line for a failure */
async function writeMetrics(rounds: readonly TargetRound[], now: number, file?: string) {
  if (file === undefined) return [];
  const views = rounds.map(({ target, status }) => createTargetView(target, status, 60));
  const text = await roundText(views, now);
  if (file !== '-') return replaceFile(file, text, `--metrics ${file}`);
  process.stdout.write(text);
  return [];
}

// Nothing was changed at the provider, so nothing must be restored.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    process.stderr.write('interrupted\n');
    process.exit(interruptedCode);
  });

await runCommand(main, help);
