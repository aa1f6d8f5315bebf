/** `npm run pact:lint`: finds mistakes in pacts before they are published. */
import { print, runCommand } from '../../contract/command.ts';
import { count } from '../../contract/report/words.ts';
import { masked } from '../../contract/secrets/masked.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { readCommandLine } from '../../settings/command-line.ts';
import { loadPactSettings } from '../../settings.ts';
import { errorsIn, lint } from '../lint.ts';
import { filesIn, localPact, noPactOf, passedOver } from '../local.ts';

const help = `npm run pact:lint -- FILES

Checks pacts without sending a request. FILES are files, or folders with *.json files; pacts/ by default. Pacts of
providers other than PACT_PROVIDER_NAME (public-api by default) are skipped.

  error     the pact is refused: the interaction cannot be verified, or a success would prove nothing
  warning   a success may prove less than it seems to

Exit codes: 0 no error · 1 an error · 2 a file cannot be read, or none is a pact of this provider ·
            3 a defect of this suite
`;

async function main(args: readonly string[]): Promise<0 | 1 | 2> {
  const { values, positionals } = readCommandLine('npm run pact:lint', {
    args: [...args],
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return print(help);
  const { providerName } = loadPactSettings();
  const files = await filesIn(positionals.length === 0 ? ['pacts'] : positionals);
  const reports = await Promise.all(files.map((file) => report(file, providerName)));
  print(
    reports.flatMap(({ lines }) => lines.map((line) => `${printable(masked(line))}\n`)).join(''),
  );
  if (reports.every(({ errors }) => errors === undefined)) throw noPactOf(providerName);
  return reports.some(({ errors = 0 }) => errors > 0) ? 1 : 0;
}

/** The messages about one file, and its number of errors; undefined for the pact of another provider. */
interface Report {
  readonly lines: readonly string[];
  readonly errors?: number;
}

async function report(file: string, providerName: string): Promise<Report> {
  const { pact, from, unreadable } = await localPact(file, providerName);
  if (pact.provider !== providerName) return { lines: [passedOver(from, pact.provider)] };
  if (unreadable !== undefined) return { lines: [`${from}: error: ${unreadable}`], errors: 1 };
  const lines = lint(pact).map(({ level, line }) => `${from}: ${level}: ${line}`);
  const errors = errorsIn(pact).length;
  const fit = `${from}: no errors in ${count(pact.interactions.length, 'interaction')}`;
  return { lines: errors > 0 ? lines : [...lines, fit], errors };
}

await runCommand(main);
