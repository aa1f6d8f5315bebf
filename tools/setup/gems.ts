import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Ruby's libraries that no package of Debian's brings. */
export interface Gems {
  /** Where Bundler keeps them, its settings and its lock file: an ignored folder of this project. */
  readonly folder: string;
  /** Names them, with exact versions. */
  readonly gemfile: string;
  /** What leads Bundler to them. */
  readonly env: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param folder from the root of this project, as the Gemfile too */
export function gemsIn(folder: string, gemfile: string): Gems {
  const at = path.resolve(root, folder);
  return {
    folder: at,
    gemfile: path.resolve(root, gemfile),
    env: {
      BUNDLE_GEMFILE: path.join(at, 'Gemfile'),
      BUNDLE_PATH: path.join(at, 'gems'),
      BUNDLE_APP_CONFIG: path.join(at, 'bundle'),
    },
  };
}

/** Those of the Pact Broker. */
export const brokerGems = gemsIn('.broker', 'pacts/broker/Gemfile');

/** Looks for Bundler, a C compiler and the headers that gems are compiled with, by compiling. */
const compiling = `exit Dir.mktmpdir { |folder|
  MakeMakefile::Logging.quiet = true
  MakeMakefile::Logging.logfile(File::NULL)
  Dir.chdir(folder) { have_header("ruby.h") && have_header("yaml.h") }
}`;

/** Whether gems can be installed on this machine. */
export const canInstallGems = (): boolean =>
  spawnSync('ruby', ['-rbundler', '-rmkmf', '-rtmpdir', '-e', compiling]).status === 0;

/**
 * Installs what the Gemfile names and is not there yet, as any user, which takes Bundler about a minute from nothing.
 * Bundler writes its lock file, which names the hosts that the gems come from, beside a Gemfile: hence one that only
 * leads to the committed one.
 * @throws with what Bundler says
 */
export function installGems({ folder, gemfile, env }: Gems): void {
  mkdirSync(folder, { recursive: true });
  const lead = path.relative(folder, gemfile);
  const file = path.join(folder, 'Gemfile');
  // Who runs the gems meanwhile sees all of the file at any moment.
  writeFileSync(`${file}.new`, `eval_gemfile ${JSON.stringify(lead)}\n`);
  renameSync(`${file}.new`, file);
  const { error, status, stdout, stderr } = spawnSync(
    'bundle',
    ['install', '--jobs', '4', '--quiet'],
    { env: { ...process.env, ...env }, encoding: 'utf8' },
  );
  if (error !== undefined) throw new Error(`bundle cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`bundle install failed:\n${`${stdout}${stderr}`.trim()}`);
}
