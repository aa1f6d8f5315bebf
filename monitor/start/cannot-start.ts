import type { Settings } from '../../config/settings.ts';
import { masked } from '../../contract/secrets/masked.ts';
import { UserError } from '../../contract/user-error.ts';

/** The monitor cannot start, with the reason: lines that say what to do. */
export class CannotStart extends UserError {}

const whyNotListening: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: set MONITOR_PORT to another port, or 0 for any',
  EACCES: 'needs a privilege that this user lacks: set MONITOR_PORT above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine: set MONITOR_HOST',
  ENOTFOUND: 'has a name that does not resolve: set MONITOR_HOST',
  EAI_AGAIN: 'has a name that does not resolve now: set MONITOR_HOST',
};

/** What to throw where the monitor's address could not be listened on: an error with another cause stays. */
export function cannotListen(error: unknown, { host, port }: Settings['monitor']): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = whyNotListening[code];
  return why === undefined ? error : new CannotStart(`${masked(host)}:${port} ${why}`);
}
