import { readCommandLine } from '../settings/command-line.ts';

export type Arguments = ReturnType<typeof readArguments>;

export const help = `The gate: every clause of the contract against one provider, the sandbox unless one is set.

  npm run gate                          all clauses
  npm run gate -- EXPIRY BEARER-3       an area, a clause, or a probe's name
  npm run gate -- --list                what would run, without sending a request
  npm run gate -- --strict              an unverified clause fails the gate (exit 2)

Settings are read from the environment and from .env; the minimum for your own provider:
  PUBLIC_API_BASE_URL    its address
  PUBLIC_API_KEY         and PUBLIC_API_SECRET_KEY, the credentials, or …_FILE
  PUBLIC_API_ENDPOINTS   protected endpoints: GET /public-api/v1/widgets, POST /public-api/v1/reports
  PUBLIC_API_CLOCK_URL   its test clock, or PUBLIC_API_CLOCK_FILE for libfaketime; without one EXPIRY is unverified

Reports are written to reports/: gate.json, gate.xml (JUnit), gate.html, and Playwright's own.
Exit codes: 0 no clause is violated · 1 a clause is violated · 2 the provider could not be judged ·
            3 a defect of this suite · 130 interrupted
`;

/** Reads the command line. @throws WrongArguments */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = readCommandLine('npm run gate', {
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      list: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
    },
  });
  return { ...values, words: positionals };
}
