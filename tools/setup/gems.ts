import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Ruby libraries that are not Debian packages. */
export interface Gems {
  /** The folder of Bundler's gems, settings and lock file: an ignored folder of this project. */
  readonly folder: string;
  /** The file that names the gems, with exact versions. */
  readonly gemfile: string;
  /** The environment with which Bundler finds the gems. */
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

export const brokerGems = gemsIn('.broker', 'tools/broker/Gemfile');

/** Ruby code that checks for Bundler, a C compiler and the headers for gems, by compiling a program. */
const compiling = `exit Dir.mktmpdir { |folder|
  MakeMakefile::Logging.quiet = true
  MakeMakefile::Logging.logfile(File::NULL)
  Dir.chdir(folder) { have_header("ruby.h") && have_header("yaml.h") }
}`;

export const canInstallGems = (): boolean =>
  spawnSync('ruby', ['-rbundler', '-rmkmf', '-rtmpdir', '-e', compiling]).status === 0;

/**
 * Installs the missing gems of the Gemfile. It needs no root, and about a minute if all gems are missing. Bundler
 * writes its lock file, which names the hosts of the gems, beside the Gemfile. So Bundler gets another Gemfile, which
 * only refers to the committed one.
 * @throws with Bundler's message
 */
export async function installGems({ folder, gemfile, env }: Gems): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const lead = path.relative(folder, gemfile);
  const file = path.join(folder, 'Gemfile');
  // The rename is atomic: a process that runs the gems at the same time always sees a complete file.
  writeFileSync(`${file}.new`, `eval_gemfile ${JSON.stringify(lead)}\n`);
  renameSync(`${file}.new`, file);
  const bundle = spawn('bundle', ['install', '--jobs', '4', '--quiet'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [bundle.stdout, bundle.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [status] = await once(bundle, 'close').catch((error: Error) => {
    throw new Error(`bundle cannot be run: ${error.message}`);
  });
  if (status !== 0) throw new Error(`bundle install failed:\n${output.trim()}`);
}
