import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { brokerGems, type Gems } from './gems.ts';

/** A real program that the tests use, and that npm cannot install. */
export interface Program {
  readonly name: string;
  /** What the tests use it for: one sentence. */
  readonly why: string;
  /** A command of PATH, or an absolute path, which may contain `*`. */
  readonly at: string;
  /** Arguments with which a complete installation succeeds. Absent for a library, which cannot be run. */
  readonly proof?: readonly string[];
  /** The Debian packages that contain it. */
  readonly packages: readonly string[];
  /** Gems that are installed into this project after the packages. */
  readonly gems?: Gems;
}

/** The program that pacts are published to. */
export const pactBroker = {
  name: 'pact-broker',
  why: 'Pacts go to a real Pact Broker, and are verified from there.',
  at: 'ruby',
  proof: ['-rbundler/setup', '-e', ''],
  packages: 'ruby ruby-dev ruby-bundler gcc make libc6-dev libyaml-dev ca-certificates'.split(' '),
  gems: brokerGems,
} as const satisfies Program;

/** Every such program. `npm run setup` installs them, and a test that needs one names it. */
export const programs = [
  {
    name: 'chromium',
    why: 'Pages are looked at in a real browser.',
    // The variant without windows, which tests do not need: it takes half the time.
    at: '/usr/bin/chromium-headless-shell',
    proof: ['--version'],
    packages: ['chromium-headless-shell'],
  },
  {
    name: 'promtool',
    why: "Metrics and rules are linted by Prometheus' own tool.",
    at: 'promtool',
    proof: ['--version'],
    packages: ['prometheus'],
  },
  {
    name: 'prometheus',
    why: 'Scrape configurations are shown to work by Prometheus itself.',
    at: 'prometheus',
    proof: ['--version'],
    packages: ['prometheus'],
  },
  {
    name: 'alertmanager',
    why: 'Alerts are seen delivered, and resolved, by a real Alertmanager.',
    at: 'prometheus-alertmanager',
    proof: ['--version'],
    packages: ['prometheus-alertmanager'],
  },
  {
    name: 'amtool',
    why: "The configuration of alerts is checked by Alertmanager's own tool.",
    at: 'amtool',
    proof: ['--version'],
    packages: ['prometheus-alertmanager'],
  },
  {
    name: 'pushgateway',
    why: 'What one round pushes is taken by a real Pushgateway.',
    at: 'prometheus-pushgateway',
    proof: ['--version'],
    packages: ['prometheus-pushgateway'],
  },
  {
    name: 'libfaketime',
    why: 'Time is simulated for a provider that knows nothing of this suite.',
    at: '/usr/lib/*/faketime/libfaketimeMT.so.1',
    packages: ['libfaketime'],
  },
  {
    name: 'postgres',
    why: 'A fleet of monitors shares its state in a real PostgreSQL.',
    at: '/usr/lib/postgresql/*/bin/postgres',
    proof: ['--version'],
    packages: ['postgresql'],
  },
  {
    name: 'systemd-analyze',
    why: 'The unit of the monitor is verified by systemd itself.',
    at: 'systemd-analyze',
    proof: ['--version'],
    packages: ['systemd'],
  },
  {
    name: 'openssl',
    why: 'Certificates of the TLS tests are made with it.',
    at: 'openssl',
    proof: ['version'],
    packages: ['openssl'],
  },
  {
    name: 'tinyproxy',
    why: 'Providers are reached through a real HTTP proxy.',
    at: 'tinyproxy',
    proof: ['-v'],
    packages: ['tinyproxy-bin'],
  },
  {
    name: 'nginx',
    why: 'A provider is judged through the server that most providers have in front.',
    at: '/usr/sbin/nginx',
    proof: ['-v'],
    packages: ['nginx-light'],
  },
  {
    name: 'ruby',
    why: "A provider on another language's libraries is judged.",
    at: 'ruby',
    proof: ['-e', '%w[sinatra jwt puma].each { |name| gem name }'],
    packages: ['ruby', 'ruby-sinatra', 'ruby-jwt', 'puma'],
  },
  pactBroker,
] as const satisfies readonly Program[];

export type ProgramName = (typeof programs)[number]['name'];

/** The path of a program, if it exists and works; undefined when tests cannot use it. */
export function find({ at, proof, gems }: Program): string | undefined {
  const file = path.isAbsolute(at) ? globSync(at).sort()[0] : inPath(at);
  if (file === undefined || proof === undefined) return file;
  const env = { ...process.env, ...gems?.env };
  const { status } = spawnSync(file, proof, { env, stdio: 'ignore', timeout: 20_000 });
  return status === 0 ? (gems?.folder ?? file) : undefined;
}

/** The file that a shell would run for a command. */
export function inPath(command: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, command))
    .find(executable);
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
