import { readCommandLine, sourceOptions, wrongly } from '../config/command-line.ts';

const command = 'npm run gate';

export const help = `The gate: every clause of the contract against one provider, the sandbox unless one is set.

  npm run gate                          all clauses
  npm run gate -- EXPIRY BEARER-3       an area, a clause, or a probe's name
  npm run gate -- --quick               the most telling of it: 60 requests at most, and 8 for each further endpoint
  npm run gate -- --deep                everything on every endpoint, not on the first one alone
  npm run gate -- --exclude ERROR-4     without a clause or a probe: it is neither judged nor reported
  npm run gate -- --max-time 5m         the most valuable first; what is left is unverified
  npm run gate -- --list                what would run, without sending a request
  npm run gate -- --strict              an unverified clause fails the gate (exit 2)
  npm run gate -- --target NAME         one of the targets in targets.yaml, or in --targets FILE
  npm run gate -- --update-known        writes what is violated now into known.yaml, or into --known FILE
  npm run gate -- --env FILE            settings from this file instead of .env
  npm run gate -- --reports FOLDER      where the reports are written instead of reports/
  npm run gate -- --specs FOLDER        also your own Playwright specs, which import test from public-api-contract
  npm run gate -- -g cookie --ui        options of Playwright (npx playwright test --help)

Settings are read from the environment and from .env; the minimum for your own provider:
  PUBLIC_API_BASE_URL    its address
  PUBLIC_API_KEY         and PUBLIC_API_SECRET_KEY, the credentials, or …_FILE
  PUBLIC_API_ENDPOINTS   protected endpoints: GET /public-api/v1/widgets, POST /public-api/v1/reports
  PUBLIC_API_CLOCK_URL   its test clock, or PUBLIC_API_CLOCK_FILE for libfaketime; without one EXPIRY is unverified
Or all of it is in targets.yaml: several targets, endpoints with bodies, headers and schemas, known deviations.

Reports are written to reports/: gate.json, gate.xml (JUnit), gate.html, and Playwright's own.
Exit codes: 0 no clause is violated · 1 a clause is violated · 2 the provider could not be judged ·
            3 a defect of this suite · 130 interrupted
`;

/** Options that need no more than their type. */
const typed = <Type extends 'boolean' | 'string', Name extends string>(
  type: Type,
  ...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, { type }])) as Record<Name, { type: Type }>;

/** Options of Playwright that are passed on. */
const playwrights = {
  ...typed('boolean', 'debug', 'forbid-only', 'headed', 'last-failed', 'quiet', 'ui'),
  ...typed('string', 'global-timeout', 'max-failures', 'test-list', 'timeout', 'trace'),
  ...typed('string', 'ui-host', 'ui-port'),
  grep: { type: 'string', short: 'g' },
  'grep-invert': { type: 'string', short: 'G' },
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
      help: { type: 'boolean', short: 'h' },
      exclude: { type: 'string', multiple: true, default: [] },
      reporter: { type: 'string', default: 'html' },
      ...typed('boolean', 'list', 'strict', 'quick', 'deep'),
      'update-known': { type: 'boolean' },
      ...typed('string', 'max-time', 'specs', 'retries', 'repeat-each', 'shard'),
      ...sourceOptions,
      ...playwrights,
    },
  });
  for (const [name, why] of Object.entries(refused))
    if (name in values) throw wrongly(command, `--${name} is refused, because ${why}`);
  const { help, list, strict, specs, reporter, quick, deep, exclude } = values;
  if (quick && deep) throw wrongly(command, '--quick and --deep exclude each other');
  const level = quick ? 'quick' : deep ? 'deep' : 'default';
  const playwright = tokens.flatMap((token) =>
    token.kind === 'option' && token.name in playwrights
      ? [`--${token.name}`, ...(token.value === undefined ? [] : [token.value])]
      : [],
  );
  const extent = { level, exclude, maxTimeMs: timeIn(values['max-time']) } as const;
  const updatesKnown = values['update-known'];
  return {
    ...{ help, list, strict, specs, reporter, updatesKnown, playwright, extent },
    words: positionals,
    sources: values,
  };
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `90s`, `5m` or `1h`. @throws WrongArguments */
function timeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (unitsMs[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw wrongly(command, `--max-time ${JSON.stringify(text)} is not a time such as 90s, 5m or 1h`);
}
