import { spawnSync } from 'node:child_process';
import { inPath } from './programs.ts';

/** How to install Debian packages on this machine, or why that is not possible here. */
export type Installer =
  | { readonly can: true; readonly command: readonly [string, ...string[]] }
  | { readonly can: false; readonly why: string };

/** Checks for apt-get, and for the permission to use it without a password. */
export function installer(): Installer {
  if (inPath('apt-get') === undefined)
    return { can: false, why: 'this system has no apt-get to install them with' };
  if (process.getuid?.() === 0) return { can: true, command: ['sh'] };
  const sudo = inPath('sudo');
  if (sudo !== undefined && spawnSync(sudo, ['-n', 'true'], { stdio: 'ignore' }).status === 0)
    return { can: true, command: [sudo, '-n', 'sh'] };
  return { can: false, why: 'installing them takes root, or sudo without a password' };
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
