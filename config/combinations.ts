import { type Environment, settings } from './table.ts';

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
const neededBy: readonly (readonly [name: string, by: RegExp])[] = [
  ['PUBLIC_API_KEY', /^PUBLIC_API_BASE_URL$/],
  ['PUBLIC_API_SECRET_KEY', /^PUBLIC_API_BASE_URL$/],
  ['PUBLIC_API_ENDPOINTS', /^PUBLIC_API_BASE_URL$/],
  ['PUBLIC_API_BASE_URL', /^PUBLIC_API_((SECRET_)?KEY(_FILE)?|ENDPOINTS|CLOCK_.*)$/],
  ['MONITOR_TLS_KEY', /^MONITOR_TLS_CERT$/],
  ['MONITOR_TLS_CERT', /^MONITOR_TLS_KEY$/],
  ['PACT_BROKER_PASSWORD', /^PACT_BROKER_USERNAME$/],
  ['PACT_BROKER_USERNAME', /^PACT_BROKER_PASSWORD/],
  ['PACT_BROKER_BASE_URL', /^PACT_(BROKER_(TOKEN|USERNAME|PASSWORD).*|URL)$/],
];

/** A line for each combination of settings that is wrong, whatever their values are. @param texts of those that are set */
export function wrongCombinations(texts: Environment): string[] {
  const conflicts = exclusive
    .filter((names) => names.every((name) => texts[name]))
    .map((names) => `${names.join(' and ')} are both set: keep one of them`);
  const missing = neededBy.flatMap(([name, by]) => {
    // A file of targets may refer to the account of the settings.
    const without = Object.keys(texts).filter(
      (other) => texts[other] && by.test(other) && !(texts.MONITOR_CONFIG && account.test(other)),
    );
    const file = settings.find((setting) => setting.name === `${name}_FILE`)?.name;
    // An empty credential is another mistake.
    const isSet = name in texts || (file !== undefined && file in texts);
    if (without.length === 0 || isSet) return [];
    const or = file === undefined ? '' : `, or ${file}`;
    return `${name} is missing: ${without.join(', ')} ${without.length > 1 ? 'need' : 'needs'} it${or}`;
  });
  return [...conflicts, ...missing];
}
