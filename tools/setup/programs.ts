import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A real program that the tests use, and that npm cannot install. */
export interface Program {
  readonly name: string;
  /** What the tests use it for: one sentence. */
  readonly why: string;
  /** A command of PATH, or an absolute path, which may contain `*`; by default the name is the command. */
  readonly at?: string;
  /** Arguments with which a complete installation succeeds; none for a library, which cannot be run. */
  readonly proof?: readonly string[];
  /** The Debian packages that contain it. */
  readonly packages: readonly string[];
  /** The environment in which it runs. */
  readonly env?: Readonly<Record<string, string>>;
}

const ours = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** A broker whose gems are installed into this project, after the packages. */
export const pactBroker = {
  name: 'pact-broker' as const,
  why: 'Tests publish pacts to a real Pact Broker, and verify them from there.',
  at: 'ruby',
  proof: ['-rbundler/setup', '-e', ''],
  packages: 'ruby ruby-dev ruby-bundler gcc make libc6-dev libyaml-dev ca-certificates'.split(' '),
  // Bundler installs the gems into an ignored folder of this project.
  env: {
    BUNDLE_GEMFILE: ours('tools/broker/Gemfile'),
    BUNDLE_PATH: ours('.broker/gems'),
    BUNDLE_APP_CONFIG: ours('.broker/bundle'),
  },
} satisfies Program;

/** Every such program. `npm run setup` installs them, and a test that needs one names it. */
export const programs = [
  {
    name: 'chromium',
    why: 'Tests open the pages in a real browser.',
    // The variant without windows, which tests do not need: it takes half the time.
    at: '/usr/bin/chromium-headless-shell',
    packages: ['chromium-headless-shell'],
  },
  { name: 'promtool', why: "Prometheus' tool lints metrics and rules.", packages: ['prometheus'] },
  { name: 'prometheus', why: 'It runs the scrape configurations.', packages: ['prometheus'] },
  {
    name: 'alertmanager',
    why: 'A real Alertmanager delivers and resolves the alerts.',
    at: 'prometheus-alertmanager',
    packages: ['prometheus-alertmanager'],
  },
  { name: 'amtool', why: 'It checks configurations.', packages: ['prometheus-alertmanager'] },
  {
    name: 'libfaketime',
    why: 'It simulates time for a provider that knows nothing of this suite.',
    at: '/usr/lib/*/faketime/libfaketimeMT.so.1',
    proof: [],
    packages: ['libfaketime'],
  },
  { name: 'systemd-analyze', why: 'It verifies the unit of the monitor.', packages: ['systemd'] },
  { name: 'openssl', why: 'It makes certificates.', proof: ['version'], packages: ['openssl'] },
  { name: 'tinyproxy', why: 'A real HTTP proxy.', proof: ['-v'], packages: ['tinyproxy-bin'] },
  {
    name: 'nginx',
    why: 'The gate judges a provider behind the server that most providers have in front.',
    at: '/usr/sbin/nginx',
    proof: ['-v'],
    packages: ['nginx-light'],
  },
  {
    name: 'ruby',
    why: 'The gate judges a provider with the libraries of another language.',
    proof: ['-e', '%w[sinatra jwt puma].each { |name| gem name }'],
    packages: ['ruby', 'ruby-sinatra', 'ruby-jwt', 'puma'],
  },
  pactBroker,
] as const satisfies readonly Program[];

export type ProgramName = (typeof programs)[number]['name'];

/** The path of a program, if it exists and works; undefined when tests cannot use it. */
export function find({ name, at = name, proof = ['--version'], env }: Program): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const files = path.isAbsolute(at) ? globSync(at) : folders.map((folder) => path.join(folder, at));
  const bits = proof.length === 0 ? 0o444 : 0o111;
  const file = files.find(
    (candidate) => (statSync(candidate, { throwIfNoEntry: false })?.mode ?? 0) & bits,
  );
  if (file === undefined || proof.length === 0) return file;
  const options = { env: { ...process.env, ...env }, timeout: 20_000 };
  return spawnSync(file, proof, { ...options, stdio: 'ignore' }).status === 0 ? file : undefined;
}
