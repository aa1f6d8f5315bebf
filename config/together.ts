import { nearest } from './nearest.ts';
import { type Environment, settings } from './table.ts';

const known = new Map(settings.map((setting) => [setting.name, setting]));

/** Settings of which at most one may be set. */
const exclusive: readonly (readonly string[])[] = [
  ...settings.filter(({ isCredential }) => isCredential).map(({ name }) => [name, `${name}_FILE`]),
  ['PUBLIC_API_CLOCK_URL', 'PUBLIC_API_CLOCK_FILE'],
  ['PUBLIC_API_BASE_URL', 'MONITOR_CONFIG'],
  ['PACT_BROKER_TOKEN', 'PACT_BROKER_USERNAME'],
  ['PACT_BROKER_TOKEN_FILE', 'PACT_BROKER_USERNAME'],
];

const account = /^PUBLIC_API_(SECRET_)?KEY(_FILE)?$/;

/** What a setting is needed for: without it, or the file that replaces it, those settings have no effect. */
const neededBy: Readonly<Record<string, RegExp>> = {
  PUBLIC_API_KEY: /^PUBLIC_API_BASE_URL$/,
  PUBLIC_API_SECRET_KEY: /^PUBLIC_API_BASE_URL$/,
  PUBLIC_API_ENDPOINTS: /^PUBLIC_API_BASE_URL$/,
  PUBLIC_API_BASE_URL: /^PUBLIC_API_((SECRET_)?KEY(_FILE)?|ENDPOINTS|CLOCK_.*)$/,
  MONITOR_TLS_KEY: /^MONITOR_TLS_CERT$/,
  MONITOR_TLS_CERT: /^MONITOR_TLS_KEY$/,
  PACT_BROKER_PASSWORD: /^PACT_BROKER_USERNAME$/,
  PACT_BROKER_USERNAME: /^PACT_BROKER_PASSWORD/,
  PACT_BROKER_BASE_URL: /^PACT_(BROKER_(TOKEN|USERNAME|PASSWORD|HEADERS).*|URL)$/,
};

/** A line for each combination of settings that is wrong, whatever their values are. @param texts of those that are set */
export function wrongCombinations(texts: Environment): string[] {
  const conflicts = exclusive
    .filter((names) => names.every((name) => texts[name]))
    .map((names) => `${names.join(' and ')} are both set: keep one of them`);
  const missing = Object.entries(neededBy).flatMap(([name, by]) => {
    const file = `${name}_FILE`;
    // A file of targets may refer to the account of the settings.
    const without = Object.keys(texts).filter(
      (other) => texts[other] && by.test(other) && !(texts.MONITOR_CONFIG && account.test(other)),
    );
    // An empty credential is another mistake.
    if (without.length === 0 || name in texts || file in texts) return [];
    const need = without.length > 1 ? 'need' : 'needs';
    const or = known.has(file) ? `, or ${file}` : '';
    return `${name} is missing: ${without.join(', ')} ${need} it${or}`;
  });
  return [...conflicts, ...missing];
}

/** Whether a name belongs to this program. Lower case matches too: it is a mistake on systems where case matters. */
const isOurs = (name: string): boolean => /^(PUBLIC_API|MONITOR)_/i.test(name);

/** Whether a mistake in an assignment is ours to report. */
export const isReported = (name: string): boolean => isOurs(name) || known.has(name);

/**
 * A line for each unknown name that resembles a setting, because a misspelt name must not be ignored. Git, Pact and CI
 * servers use names with these prefixes too, of which no known one is within two letters of a setting.
 */
export function unknownNames(env: Environment): string[] {
  const isMisspelt = (name: string): boolean =>
    /^(PACT|GIT)_/.test(name) && (nearest(name, known.keys())?.distance ?? 0) <= 2;
  return Object.keys(env)
    .filter((name) => !known.has(name) && (isOurs(name) || isMisspelt(name)))
    .filter((name) => !fromKubernetes(name, env[name]))
    .sort()
    .map((name) => {
      const near = nearest(name, known.keys(), withoutPrefix);
      return `${name} is not a setting; the nearest is ${near?.word}`;
    });
}

/** `MONITOR_BASE_URL` means `PUBLIC_API_BASE_URL`. */
const withoutPrefix = (name: string): string =>
  name.replace(/^(PUBLIC_API|MONITOR|PACT|GIT)_/i, '');

/**
 * Whether Kubernetes set the variable. For a service called `monitor` or `public-api`, Kubernetes sets variables such
 * as `MONITOR_PORT=tcp://10.0.0.7:80` and `MONITOR_SERVICE_HOST` in every container of the namespace. It does not if
 * `enableServiceLinks` is false.
 */
export const fromKubernetes = (name: string, value: string | undefined): boolean =>
  /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$/.test(name) ||
  /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value ?? ''));
