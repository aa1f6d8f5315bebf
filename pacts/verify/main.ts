import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { lookOf, wrap } from '../../contract/report/look.ts';
import { allWritten, ReportError } from '../../contract/report/report-error.ts';
import { appendSummary, onGitHub } from '../../contract/report/workflow.ts';
import { replace } from '../../contract/report/write.ts';
import { endedEarly, Interruption, interruptedCode } from '../../contract/round/interruption.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { endOf } from '../../contract/user-error.ts';
import { type ProviderUnderTest, providerUnderTest } from '../../gate/provider-under-test.ts';
import { WrongArguments } from '../../settings/command-line.ts';
import {
  environmentOf,
  loadEnvironment,
  loadSettings,
  SettingsError,
  shellWord,
} from '../../settings.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { type Gathered, gather } from './gather.ts';
import { publishAll } from './publish-all.ts';
import { annotations, stepSummary } from './report/github.ts';
import { pactsJson } from './report/json.ts';
import { progress } from './report/progress.ts';
import { type PactReport, pactReportOf } from './report/report.ts';
import { table } from './report/table.ts';
import { unasked } from './source.ts';
import type { Verification } from './verification.ts';
import { verify } from './verify.ts';

/** Below the folder in which it is called. */
const folder = 'reports';

async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  if (!options.help) return run(options);
  process.stdout.write(help);
  return 0;
}

async function run(options: Arguments): Promise<number> {
  const signal = endedEarly();
  await removeEarlierReport();
  if (loadEnvironment().PUBLIC_API_BASE_URL === '')
    throw new SettingsError([
      'PUBLIC_API_BASE_URL is an empty text: set it to the address of the provider, or unset it for the sandbox',
    ]);
  const settings = loadSettings();
  const provider = await providerUnderTest(settings);
  try {
    const startedAt = new Date();
    const { apiKey, secretKey } = provider.target.account;
    const gathered = await gather(options, [apiKey, secretKey]);
    const strict = options.strict || settings.strict;
    const verification = await verified(gathered, provider, strict, signal);
    const { notes, missing } = await publishAll(gathered, verification);
    const report = pactReportOf(verification, {
      startedAt,
      finishedAt: new Date(),
      again: againOf(options),
      only: options.interaction,
      notes: [...gathered.notes, ...notes],
      unpublished: missing,
      exit: verification.exit === 0 && missing ? 2 : verification.exit,
    });
    return await reported(report);
  } catch (error) {
    if (!(signal.reason instanceof Interruption)) throw error;
    const more =
      error instanceof Interruption ? '' : `, but ${error instanceof Error && error.message}`;
    process.stderr.write(`interrupted${more}\n`);
    return interruptedCode;
  } finally {
    await provider.close();
  }
}

/** The same pacts of the same provider once more. */
const againOf = ({ paths }: Arguments): string =>
  [`${environmentOf('pact:verify')}npm run pact:verify --`, ...paths.map(shellWord)].join(' ');

/** Verifies them, with progress on the terminal. */
async function verified(
  { sources, refused }: Gathered,
  provider: ProviderUnderTest,
  strict: boolean,
  signal: AbortSignal,
): Promise<Verification> {
  const total = sources.reduce((sum, { pact }) => sum + pact.interactions.length, 0);
  const drawn = progress(process.stderr, total);
  const verification = await verify({
    sources,
    provider: provider,
    strict,
    signal,
    onVisit: ({ description }) => drawn.next(description),
  }).finally(drawn.end);
  const left = refused.map((source) => unasked(source, 'the pact is not fit to be verified'));
  return { ...verification, pacts: [...verification.pacts, ...left] };
}

/** Shows and writes the report. Green without its evidence is not green; any other verdict stands without it. */
async function reported(report: PactReport): Promise<number> {
  const env = loadEnvironment();
  process.stdout.write(table(report, lookOf(process.stdout)));
  if (onGitHub(env)) process.stdout.write(annotations(report));
  const written = await allWritten([
    () => writeReport(report),
    () => appendSummary(onGitHub(env) ? env.GITHUB_STEP_SUMMARY : undefined, stepSummary(report)),
  ]);
  return written || report.exit !== 0 ? report.exit : 3;
}

const reportFile = path.join(folder, 'pacts.json');

/** What is refused or cut short leaves no older green behind; what cannot be removed cannot be written either. */
const removeEarlierReport = (): Promise<void> => rm(reportFile, { force: true }).catch(() => {});

async function writeReport(report: PactReport): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await replace(reportFile, pactsJson(report));
  } catch (error) {
    throw new ReportError(reportFile, error);
  }
}

/** Mistakes of the caller, of a pact and of a broker are reported in one line; anything else is a defect. */
async function failed(error: unknown): Promise<number> {
  const { text, exit } = endOf(error);
  if (error instanceof WrongArguments) await removeEarlierReport();
  for (const line of text.split('\n'))
    process.stderr.write(`${wrap(printable(line), Number.POSITIVE_INFINITY).join('')}\n`);
  return exit;
}

// The pipe was closed, for example by `head`: the verdict and its report are still wanted.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(await main(process.argv.slice(2)).catch(failed));
