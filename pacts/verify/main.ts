import { commandAgain } from '../../config/again.ts';
import { ArgumentError } from '../../config/command-line.ts';
import {
  loadEnvironment,
  loadPactSettings,
  loadSettings,
  reportsFolder,
  useOptions,
} from '../../config/settings.ts';
import { runCommand, UserError } from '../../contract/command.ts';
import { quotedWord } from '../../contract/http/curl.ts';
import { pageHtml } from '../../contract/report/html.ts';
import { junitXml } from '../../contract/report/junit.ts';
import { progress } from '../../contract/report/progress.ts';
import { publish, removeReports } from '../../contract/report/write.ts';
import { type ProviderUnderTest, providerUnderTest } from '../../gate/under-test.ts';
import { endedEarly, interruptedBy } from '../interruption.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { publishAll, selectPacts } from './pact-selection.ts';
import { createPactReport, createReport, pactsJson } from './report.ts';
import { verify } from './verify.ts';

const files = ['pacts.json', 'pacts.xml', 'pacts.html'];

async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  useOptions(options);
  requirePact();
  const signal = endedEarly();
  await removeReports(reportsFolder(), files);
  const { headers } = loadPactSettings();
  const provider = await providerUnderTest(loadSettings(), headers);
  try {
    return await run(options, provider, signal);
  } catch (error) {
    return interruptedBy(error, signal);
  } finally {
    await provider.close();
  }
}

/** Pact is an optional package, which the gate does not need. */
function requirePact(): void {
  try {
    import.meta.resolve('@pact-foundation/pact');
  } catch {
    throw new UserError(
      '@pact-foundation/pact is not installed: npm install @pact-foundation/pact',
    );
  }
}

async function run(options: Arguments, provider: ProviderUnderTest, signal: AbortSignal) {
  const settings = loadSettings();
  const startedAt = new Date();
  const { apiKey, secretKey } = provider.target.account;
  const selected = await selectPacts(options, { secrets: [apiKey, secretKey], signal });
  // A published result of something unverified is a failure.
  const strict = options.strict || settings.strict || selected.publish !== undefined;
  const total = selected.sources.reduce((sum, { pact }) => sum + pact.interactions.length, 0);
  const drawn = progress(process.stderr, 'interactions');
  const verification = await verify({
    ...loadPactSettings(),
    ...{ sources: selected.sources, provider: provider.target, strict, signal },
    onVisit: ({ description }) => drawn.step({ name: description, total }),
  }).finally(drawn.end);
  const { notes, isMissing } = await publishAll(selected, verification);
  const pacts = createPactReport(verification, {
    startedAt,
    finishedAt: new Date(),
    again: [commandAgain('pact:verify'), ...options.paths.map(quotedWord)].join(' '),
    only: options.interaction,
    notes: [...selected.notes, ...notes],
    unpublished: isMissing,
    exit: verification.exit === 0 && isMissing ? 2 : verification.exit,
  });
  const report = createReport(pacts);
  const texts = {
    'pacts.json': pactsJson(pacts),
    'pacts.xml': junitXml(report),
    'pacts.html': await pageHtml(report),
  };
  const { reports: folder } = settings;
  return publish(report, texts, { exit: pacts.exit, folder, env: loadEnvironment() });
}

await runCommand(main, help, async (error) => {
  if (error instanceof ArgumentError) await removeReports(reportsFolder(), files);
});
