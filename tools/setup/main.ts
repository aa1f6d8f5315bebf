/** `npm run setup`: installs the real programs that the tests use. */
import { spawnSync } from 'node:child_process';
import { readCommandLine } from '../../config/command-line.ts';
import { print, runCommand } from '../../contract/command.ts';
import { find, type Program, pactBroker, programs } from './programs.ts';

const width = Math.max(...programs.map(({ name }) => name.length));

const help = `npm run setup

Installs the programs that the tests use and npm cannot install: Debian's packages, by apt-get, as root or with
sudo, and the broker's gems into this project. On other systems it lists what to install. Installed programs stay
unchanged.

${programs.map(({ name, why }) => `  ${name.padEnd(width)} ${why}`).join('\n')}

Exit codes: 0 all programs are installed · 1 a program is missing · 2 wrong arguments
`;

async function main(args: readonly string[]): Promise<0 | 1> {
  readCommandLine('npm run setup', { args: [...args] });
  const lacking = programs.filter(isMissing);
  if (lacking.length > 0) installPackages(lacking);
  if (lacking.includes(pactBroker)) installGems();
  const missing: readonly Program[] = lacking.filter(isMissing);
  for (const program of programs) {
    const toInstall = `missing (Debian: ${program.packages.join(' ')}) ${program.why}`;
    const state = missing.includes(program) ? toInstall : 'installed';
    print(`${program.name.padEnd(width)} ${state}\n`);
  }
  return missing.length === 0 ? 0 : 1;
}

const isMissing = (program: Program): boolean => find(program) === undefined;

function installPackages(of: readonly Program[]): void {
  const script = installation(of.flatMap(({ packages }) => packages));
  const [shell, ...args] = process.getuid?.() === 0 ? ['sh'] : ['sudo', '-n', 'sh'];
  const { status } = spawnSync(`${shell}`, [...args, '-c', script], { stdio: 'inherit' });
  if (status === 0) return;
  const needed = 'apt-get, and root or sudo without a password';
  process.stderr.write(`The packages were not installed: that takes ${needed}.\n`);
}

/** Installs the missing gems of the broker. It needs no root. Bundler reports what it lacks. */
function installGems(): void {
  print('Installing the gems of the broker, which takes about a minute …\n');
  const env = { ...process.env, ...pactBroker.env };
  const args = ['install', '--jobs', '4', '--quiet'];
  spawnSync('bundle', args, { env, stdio: 'inherit' });
}

/** The file that Debian's package scripts run to ask whether they may start a service. */
const policyFile = '/usr/sbin/policy-rc.d';

/**
 * A shell script that installs packages with one call of apt-get. Debian's prometheus package starts its server right
 * after the installation, which must not happen. So a policy forbids services to start while the script runs, unless
 * the machine has its own policy.
 */
export function installation(packages: readonly string[], policy = policyFile): string {
  return `set -eu
export DEBIAN_FRONTEND=noninteractive
if [ ! -e '${policy}' ]; then
  trap "rm -f '${policy}'" EXIT
  trap 'exit 130' HUP INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > '${policy}'
  chmod 755 '${policy}'
fi
apt-get -o DPkg::Lock::Timeout=300 update -q
apt-get -o DPkg::Lock::Timeout=300 install -q -y --no-install-recommends ${packages.join(' ')}
`;
}

if (import.meta.main) await runCommand(main, help);
