import { readCommandLine, sourceOptions } from '../../config/command-line.ts';

export type Arguments = ReturnType<typeof readArguments>;

export const help = `Verifies pacts: what consumers expect of the provider, the sandbox unless one is set.

  npm run pact:verify                     the pacts of the configured broker, or else those in pacts/
  npm run pact:verify -- FILE FOLDER      these pacts, even if a broker is configured
  npm run pact:verify -- --no-publish     the broker's pacts, without publishing the results
  npm run pact:verify -- --sandbox        the same against the sandbox, whose results are published as the provider's
  npm run pact:verify -- --strict         an unverified interaction fails the run (exit 2)
  npm run pact:verify -- --interaction 'an expired token'
                                          only interactions whose description contains this; nothing is published

  npm run pact:verify -- --target NAME    one of the targets in targets.yaml, or in --targets FILE
  npm run pact:verify -- --env FILE --reports FOLDER   instead of .env and reports/

Settings are read from the environment and from .env; .env.example explains each.

The report is written to reports/pacts.html, pacts.json and, as JUnit, pacts.xml.
Exit codes: 0 every pact is kept · 1 a pact is not kept · 2 it could not be judged, or its result is not in the
            broker · 3 a defect of this suite · 130 interrupted
`;

/** Reads the command line. @throws ArgumentError */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = readCommandLine('npm run pact:verify', {
    args: [...args],
    allowPositionals: true,
    options: {
      strict: { type: 'boolean', default: false },
      'no-publish': { type: 'boolean', default: false },
      sandbox: { type: 'boolean', default: false },
      interaction: { type: 'string' },
      ...sourceOptions,
    },
  });
  const publish = !values['no-publish'] && values.interaction === undefined;
  return { ...values, publish, paths: positionals };
}
