import { nearest } from './nearest.ts';
import { type Environment, settings } from './table.ts';

const known = new Set(settings.map(({ name }) => name));

/** A line for each unknown name that resembles a setting, because a misspelt name must not be ignored. */
export function unknownNames(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => !known.has(name) && (isOurs(name) || isMisspelt(name)))
    .filter((name) => !fromKubernetes(name, env[name]))
    .sort()
    .map(
      (name) =>
        `${name} is not a setting; the nearest is ${ofAnotherPrefix(name) ?? nearest(name, known)?.word}`,
    );
}

/** The setting that differs only in its prefix: `PUBLIC_API_BASE_URL` for `MONITOR_BASE_URL`. */
const ofAnotherPrefix = (name: string): string | undefined =>
  [...known].find((other) => withoutPrefix(other) === withoutPrefix(name));

const withoutPrefix = (name: string): string =>
  name.replace(/^(PUBLIC_API|MONITOR|PACT|GIT)_/i, '');

/** Whether a name is that of a setting, including names that other programs use too. */
export const isSetting = (name: string): boolean => known.has(name);

/** Whether a name belongs to this program. Lower case matches too: it is a mistake on systems where case matters. */
export const isOurs = (name: string): boolean => /^(PUBLIC_API|MONITOR)_/i.test(name);

/**
 * Whether a name differs from a setting by at most two letters. Git, Pact and CI servers use names with these
 * prefixes too, so any other name is assumed to be theirs. None of their known names is that similar.
 */
const isMisspelt = (name: string): boolean =>
  /^(PACT|GIT)_/.test(name) && (nearest(name, known)?.distance ?? 0) <= mostLetters;

const mostLetters = 2;

/**
 * Whether Kubernetes set the variable. For a service called `monitor` or `public-api`, Kubernetes sets variables such
 * as `MONITOR_PORT=tcp://10.0.0.7:80` and `MONITOR_SERVICE_HOST` in every container of the namespace. It does not if
 * `enableServiceLinks` is false.
 */
export function fromKubernetes(name: string, value: string | undefined): boolean {
  return (
    /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$/.test(name) ||
    /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
    (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value ?? ''))
  );
}
