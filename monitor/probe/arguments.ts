import { readCommandLine, type WrongArguments, wrongly } from '../../config/command-line.ts';

export type Arguments = ReturnType<typeof readArguments>;

export const help = `One round of the monitor's probes: against the sandbox, the configured provider, or the targets of a file.

  npm run probe                              all probes that the monitor would run, without canaries
  npm run probe -- BEARER a-token-opens-the-endpoint    an area, a clause, or a probe's name
  npm run probe -- --target NAME             one of several targets; may be repeated
  npm run probe -- --json                    one document on stdout instead of the table: schemas/probe-report.json
  npm run probe -- --metrics FILE            metrics for node_exporter's textfile collector; - writes them to stdout
  npm run probe -- --strict                  an unverified clause fails the round (exit 2)

Settings are read from the environment and from .env, as npm start does:
  PUBLIC_API_BASE_URL, PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY, PUBLIC_API_ENDPOINTS   the provider to probe
  MONITOR_CONFIG       a YAML file of targets instead; maintenance windows are ignored
  PUBLIC_API_STRICT    as --strict. A clause that needs simulated time or wrong credentials is always unverified here,
                       and does not count: npm run gate judges it
Exit codes: 0 no clause is violated · 1 a clause is violated, or a payload does not match its schema · 2 a target could
not be judged, or the metrics could not be written · 3 a defect of this suite · 130 interrupted
`;

/** Reads the command line. @throws WrongArguments */
export function readArguments(args: readonly string[]) {
  const { values, positionals: words } = parsed(args);
  const { metrics, target: targets, ...flags } = values;
  if (metrics === '') throw wrong('--metrics names no file');
  if (metrics === '-' && flags.json) throw wrong('--json and --metrics - both take stdout');
  return { ...flags, targets, words, metrics };
}

const command = 'npm run probe';
const wrong = (why: string): WrongArguments => wrongly(command, why);

const parsed = (args: readonly string[]) =>
  readCommandLine(command, {
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      metrics: { type: 'string' },
      target: { type: 'string', multiple: true, default: [] },
    },
  });
