import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Ruby libraries that are not Debian packages. */
export interface Gems {
  /** The folder of Bundler's gems, settings and lock file: an ignored folder of this project. */
  readonly folder: string;
  /** Names them, with exact versions. */
  readonly gemfile: string;
  /** The environment that leads Bundler to them. */
  readonly env: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param folder relative to the root of this project, as is the Gemfile */
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

/** Looks for Bundler, a C compiler and the headers for gems, by compiling. */
const compiling = `exit Dir.mktmpdir { |folder|
  MakeMakefile::Logging.quiet = true
  MakeMakefile::Logging.logfile(File::NULL)
  Dir.chdir(folder) { have_header("ruby.h") && have_header("yaml.h") }
}`;

/** Whether gems can be installed on this machine. */
export const canInstallGems = (): boolean =>
  spawnSync('ruby', ['-rbundler', '-rmkmf', '-rtmpdir', '-e', compiling]).status === 0;

/**
 * Installs the missing gems of the Gemfile, as any user; from nothing Bundler needs about a minute. Bundler
 * writes its lock file, which names the hosts of the gems, beside a Gemfile: so it gets one that only refers to
 * the committed one.
 * @throws with Bundler's message
 */
export function installGems({ folder, gemfile, env }: Gems): void {
  mkdirSync(folder, { recursive: true });
  const lead = path.relative(folder, gemfile);
  const file = path.join(folder, 'Gemfile');
  // A process that runs the gems meanwhile sees the whole file at any moment.
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
