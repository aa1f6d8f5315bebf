import { hint } from './nearest.ts';
import { type Environment, settings } from './table.ts';

const known = settings.map(({ name }) => name);

/** Settings of which at most one may be set. */
const exclusive: readonly (readonly string[])[] = [
  ...settings.filter(({ isCredential }) => isCredential).map(({ name }) => [name, `${name}_FILE`]),
  ['PUBLIC_API_CLOCK_URL', 'PUBLIC_API_CLOCK_FILE'],
  ['PUBLIC_API_BASE_URL', 'PUBLIC_API_TARGETS'],
  ['PACT_BROKER_TOKEN', 'PACT_BROKER_USERNAME'],
];

/** What a setting is needed for: without it, or the file that replaces it, those settings have no effect. */
const neededBy: Readonly<Record<string, RegExp>> = {
  PUBLIC_API_KEY: /^PUBLIC_API_BASE_URL$/,
  PUBLIC_API_SECRET_KEY: /^PUBLIC_API_BASE_URL$/,
  PUBLIC_API_ENDPOINTS: /^PUBLIC_API_BASE_URL$/,
  PUBLIC_API_BASE_URL: /^PUBLIC_API_((SECOND_)?(SECRET_)?KEY(_FILE)?|ENDPOINTS|CLOCK_.*)$/,
  PUBLIC_API_SECOND_KEY: /^PUBLIC_API_SECOND_SECRET_KEY/,
  PUBLIC_API_SECOND_SECRET_KEY: /^PUBLIC_API_SECOND_KEY/,
  PUBLIC_API_CLOCK_URL: /^PUBLIC_API_CLOCK_HEADERS$/,
  PUBLIC_API_CLIENT_KEY_FILE: /^PUBLIC_API_CLIENT_CERT_FILE$/,
  PUBLIC_API_CLIENT_CERT_FILE: /^PUBLIC_API_CLIENT_KEY_FILE$/,
  PUBLIC_API_TARGETS: /^(PUBLIC_API_TARGET|MONITOR_SHARD)$/,
  MONITOR_TLS_KEY: /^MONITOR_TLS_CERT$/,
  MONITOR_TLS_CERT: /^MONITOR_TLS_KEY$/,
  PACT_BROKER_PASSWORD: /^PACT_BROKER_USERNAME$/,
  PACT_BROKER_USERNAME: /^PACT_BROKER_PASSWORD/,
  PACT_BROKER_BASE_URL: /^PACT_(BROKER_(TOKEN|USERNAME|PASSWORD|HEADERS).*|URL)$/,
};

/** A line for each combination of settings that is wrong, whatever their values are. @param texts of those that are set */
export function wrongCombinations(texts: Environment, env: Environment): string[] {
  const conflicts = exclusive
    .filter((names) => names.every((name) => texts[name]))
    .map((names) => `${names.join(' and ')} are both set: keep one of them`);
  // A file of targets may refer to the account of the settings.
  const alone = texts.PUBLIC_API_TARGETS ? /^PUBLIC_API_(SECOND_)?(SECRET_)?KEY(_FILE)?$/ : /^$/;
  const needing = Object.keys(texts).filter((name) => texts[name] && !alone.test(name));
  const missing = Object.entries(neededBy).flatMap(([name, by]) => {
    const file = `${name}_FILE`;
    const names = needing.filter((other) => by.test(other));
    // An empty credential is another mistake.
    if (names.length === 0 || name in texts || file in texts) return [];
    const or = known.includes(file) ? `, or ${file}` : '';
    const why = env[name] === '' ? 'empty (a value of several lines needs quotes)' : 'missing';
    return `${name} is ${why}: ${names.join(', ')} ${names.length > 1 ? 'need' : 'needs'} it${or}`;
  });
  return [...conflicts, ...missing];
}

/** Whether a name belongs to this program. Lower case matches too: it is a mistake on systems where case matters. */
const isOurs = (name: string): boolean => /^(PUBLIC_API|MONITOR)_/i.test(name);

export const isSetting = (name: string): boolean => known.includes(name);

/**
 * A line for each unknown name that resembles a setting, because a misspelt name must not be ignored. Git, Pact and CI
 * servers use names with these prefixes too, of which no known one is within two letters of a setting.
 */
export const unknownNames = (env: Environment): string[] =>
  Object.keys(env)
    // Kubernetes sets names such as MONITOR_SERVICE_HOST for a service of the namespace.
    .filter((name) => !known.includes(name) && !/_(SERVICE|PORT)(_|$)/.test(name))
    .filter((name) => isOurs(name) || (/^(PACT|GIT)_/.test(name) && hint(name, known, 2) !== ''))
    .map((name) => `${name} is not a setting${hint(name, known)}`)
    .sort();
