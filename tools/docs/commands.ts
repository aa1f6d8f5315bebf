import { readFileSync } from 'node:fs';
import { tableOf } from './markdown.ts';

/** Scripts that npm runs without the word `run`. */
const short = ['start', 'test'];

/** The effect and the options of each script of package.json. */
const descriptions: Readonly<Record<string, string>> = {
  start: 'starts the monitor, for the sandbox unless a provider is set; `--check`',
  setup:
    'installs the programs that the tests use: Debian packages, and the gems of the broker in `.broker/`; on other systems it lists what to install',
  test: 'runs the tests that a change needs; lists what did not run; a missing program fails under `CI=true`',
  'test:nightly': 'runs all tests, with soaks, every mutant and simulated months',
  endpoints:
    'writes the protected endpoints of your OpenAPI document into `targets.yaml`; `--writes`, `--set id=42`, `--dry-run`, `--target NAME`',
  gate: 'checks every clause against one provider, or only the named areas, clauses and probes: `npm run gate -- EXPIRY`; `--list`, `--strict`',
  probe: "runs the monitor's probes once; `--json`, `--metrics FILE`, `--target NAME`, `--strict`",
  sandbox:
    'starts the reference provider alone; `--port`, `--fault NAME`, `--faults`, `--env FILE`',
  mutants:
    'switches on each fault of the sandbox and checks which clauses the probes find violated',
  'pact:consumer': "runs the consumers' tests, which write the committed pacts",
  'pact:verify':
    "verifies the broker's pacts, those in `pacts/`, or the named files against the provider; `--interaction`, `--no-publish`, `--strict`",
  'pact:states':
    'serves the provider states of this project to the Pact verifiers of other languages; `--port`',
  broker: 'starts a real Pact Broker to try things out; `--port`, `--folder`',
  bench: 'measures the figures of [how good it is](#how-good-it-is) on your machine',
  check: 'checks types, lint, format and dead code',
  pictures: 'takes the pictures of these pages in a real Chromium',
  docs: 'writes the tables of these pages and `.env.example` from the code; `--check`',
};

/** Every script that users run with its description, in the order of package.json. */
export function commandTable(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(manifest);
  const gone = Object.keys(descriptions).find((name) => scripts[name] === undefined);
  if (gone !== undefined)
    throw new Error(`tools/docs/commands.ts describes ${gone}, which package.json does not have`);
  const commands = Object.keys(scripts).filter((name) => name !== 'prepack');
  return tableOf(
    ['command', 'does'],
    commands.map((name) => [
      `\`npm ${short.includes(name) ? name : `run ${name}`}\``,
      descriptionOf(name),
    ]),
  );
}

function descriptionOf(name: string): string {
  const description = descriptions[name];
  if (description === undefined)
    throw new Error(`package.json has ${name}: describe it in tools/docs/commands.ts`);
  return description;
}
