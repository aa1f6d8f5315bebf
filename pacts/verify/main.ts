import { commandAgain } from '../../config/again.ts';
import { WrongArguments } from '../../config/command-line.ts';
import {
  loadEnvironment,
  loadPactSettings,
  loadSettings,
  reportsFolder,
  useOptions,
} from '../../config/settings.ts';
import { print, runCommand } from '../../contract/command.ts';
import { quotedWord } from '../../contract/http/curl.ts';
import { pageHtml } from '../../contract/report/html.ts';
import { junitXml } from '../../contract/report/junit.ts';
import { progress } from '../../contract/report/progress.ts';
import { publish, removeReports } from '../../contract/report/write.ts';
import { endedEarly, interruptedBy } from '../../contract/round/interruption.ts';
import { UserError } from '../../contract/user-error.ts';
import { type ProviderUnderTest, providerUnderTest } from '../../gate/under-test.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { type PactSelection, publishAll, selectPacts } from './pact-selection.ts';
import { reportOf } from './report/forms.ts';
import { pactReportOf, pactsJson } from './report/report.ts';
import type { Verification } from './verification.ts';
import { verify } from './verify.ts';

async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  if (options.help) return print(help);
  useOptions(options);
  requirePact();
  return run(options);
}

/** Pact is an optional package, which the gate does not need. */
function requirePact(): void {
  try {
    import.meta.resolve('@pact-foundation/pact');
  } catch {
    throw new UserError('@pact-foundation/pact is not installed: npm install --include=optional');
  }
}

async function run(options: Arguments): Promise<number> {
  const signal = endedEarly();
  await removeEarlierReports();
  const { headers } = loadPactSettings();
  const settings = loadSettings();
  const provider = await providerUnderTest(settings, headers);
  try {
    const startedAt = new Date();
    const { apiKey, secretKey } = provider.target.account;
    const selected = await selectPacts(options, { secrets: [apiKey, secretKey], signal });
    // A published result of something unverified is a failure.
    const strict = options.strict || settings.strict || selected.publish !== undefined;
    const verification = await verified(selected, provider, strict, signal);
    const { notes, missing } = await publishAll(selected, verification);
    const pacts = pactReportOf(verification, {
      startedAt,
      finishedAt: new Date(),
      again: againOf(options),
      only: options.interaction,
      notes: [...selected.notes, ...notes],
      unpublished: missing,
      exit: verification.exit === 0 && missing ? 2 : verification.exit,
    });
    const report = reportOf(pacts);
    const files = {
      'pacts.json': pactsJson(pacts),
      'pacts.xml': junitXml(report),
      'pacts.html': await pageHtml(report),
    };
    return await publish(report, files, {
      exit: pacts.exit,
      folder: settings.reports,
      env: loadEnvironment(),
    });
  } catch (error) {
    return interruptedBy(error, signal);
  } finally {
    await provider.close();
  }
}

/** The command that repeats the verification of the same pacts against the same provider. */
const againOf = ({ paths }: Arguments): string =>
  [commandAgain('pact:verify'), ...paths.map(quotedWord)].join(' ');

/** Verifies the selected pacts, with progress on the terminal. */
async function verified(
  { sources }: PactSelection,
  provider: ProviderUnderTest,
  strict: boolean,
  signal: AbortSignal,
): Promise<Verification> {
  const total = sources.reduce((sum, { pact }) => sum + pact.interactions.length, 0);
  const drawn = progress(process.stderr, 'interactions');
  return verify({
    ...loadPactSettings(),
    sources,
    provider,
    strict,
    signal,
    onVisit: ({ description }) => drawn.step({ name: description, total }),
  }).finally(drawn.end);
}

const removeEarlierReports = () =>
  removeReports(reportsFolder(), ['pacts.json', 'pacts.xml', 'pacts.html']);

await runCommand(main, async (error) => {
  if (error instanceof WrongArguments) await removeEarlierReports();
});
