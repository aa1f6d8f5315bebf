import { readCommandLine, wrongly } from '../settings/command-line.ts';

const command = 'npm run gate';

export const help = `The gate: every clause of the contract against one provider, the sandbox unless one is set.

  npm run gate                          all clauses
  npm run gate -- EXPIRY BEARER-3       an area, a clause, or a probe's name
  npm run gate -- --list                what would run, without sending a request
  npm run gate -- --strict              an unverified clause fails the gate (exit 2)
  npm run gate -- -g cookie --ui        options of Playwright (npx playwright test --help)

Settings are read from the environment and from .env; the minimum for your own provider:
  PUBLIC_API_BASE_URL    its address
  PUBLIC_API_KEY         and PUBLIC_API_SECRET_KEY, the credentials, or …_FILE
  PUBLIC_API_ENDPOINTS   protected endpoints: GET /public-api/v1/widgets, POST /public-api/v1/reports
  PUBLIC_API_CLOCK_URL   its test clock, or PUBLIC_API_CLOCK_FILE for libfaketime; without one EXPIRY is unverified

Reports are written to reports/: gate.json, gate.xml (JUnit), gate.html, and Playwright's own.
Exit codes: 0 no clause is violated · 1 a clause is violated · 2 the provider could not be judged ·
            3 a defect of this suite · 130 interrupted
`;

/** Options that are Playwright's own, and are passed on. */
const playwrights = {
  debug: { type: 'boolean' },
  'forbid-only': { type: 'boolean' },
  'global-timeout': { type: 'string' },
  grep: { type: 'string', short: 'g' },
  'grep-invert': { type: 'string', short: 'G' },
  headed: { type: 'boolean' },
  'last-failed': { type: 'boolean' },
  'max-failures': { type: 'string' },
  quiet: { type: 'boolean' },
  'test-list': { type: 'string' },
  timeout: { type: 'string' },
  trace: { type: 'string' },
  ui: { type: 'boolean' },
  'ui-host': { type: 'string' },
  'ui-port': { type: 'string' },
  x: { type: 'boolean', short: 'x' },
} as const;

/** Options of Playwright that the gate refuses, with the reason. */
const refused = {
  retries: 'a violation that shows only sometimes is a violation',
  'repeat-each': 'the gate repeats unexpected answers itself',
  shard: 'its parts would set the same test clock',
} as const;

export type Arguments = ReturnType<typeof readArguments>;

/** Reads the command line. @throws WrongArguments */
export function readArguments(args: readonly string[]) {
  const { values, positionals, tokens } = readCommandLine(command, {
    args: [...args],
    allowPositionals: true,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      list: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      reporter: { type: 'string', default: 'html' },
      retries: { type: 'string' },
      'repeat-each': { type: 'string' },
      shard: { type: 'string' },
      ...playwrights,
    },
  });
  for (const [name, why] of Object.entries(refused))
    if (name in values) throw wrongly(command, `--${name} is refused, because ${why}`);
  const { help, list, strict, reporter } = values;
  const playwright = tokens.flatMap((token) =>
    token.kind === 'option' && token.name in playwrights
      ? [`--${token.name}`, ...(token.value === undefined ? [] : [token.value])]
      : [],
  );
  return { help, list, strict, reporter, words: positionals, playwright };
}
