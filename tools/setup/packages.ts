import { spawnSync } from 'node:child_process';
import { inPath } from './programs.ts';

/** The command that runs a shell script as root; undefined where apt-get is missing, or a password would be needed. */
export function rootShell(): readonly [string, ...string[]] | undefined {
  if (inPath('apt-get') === undefined) return undefined;
  if (process.getuid?.() === 0) return ['sh'];
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return sudo.status === 0 ? ['sudo', '-n', 'sh'] : undefined;
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
