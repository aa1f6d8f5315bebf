import * as v from 'valibot';
import { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { formatMistake, SettingsError } from './mistakes.ts';
import { type Environment, type Groups, rowsOf, type Values } from './table.ts';
import { fromKubernetes, unknownNames, wrongCombinations } from './together.ts';

/**
 * The values of a table's settings in an environment. Reads nothing else except the files that it names.
 * @param wrong mistakes that were found before
 * @throws SettingsError with a line for each mistake
 */
export function read<Table extends Groups>(
  table: Table,
  env: Environment,
  wrong: readonly string[] = [],
): Values<Table> {
  const texts: Record<string, string> = {};
  const values: Record<string, Record<string, unknown>> = {};
  const issues: (v.BaseIssue<unknown> & { readonly name: string })[] = [];
  const scrubber = new Scrubber();
  for (const { group, field, name, kind, unset, isCredential } of rowsOf(table)) {
    const given = givenFor(name, env);
    const set = isCredential ? given : given?.trim() || undefined;
    const text = fromKubernetes(name, set) ? undefined : set;
    if (text !== undefined) texts[name] = text;
    values[group] ??= {};
    if (text === undefined && (unset === undefined || values[group][field])) continue;
    const result = v.safeParse(kind, text ?? unset);
    if (result.output instanceof Secret) scrubber.learn(result.output);
    if (result.success) values[group][field] = result.output;
    else issues.push({ ...result.issues[0], name });
  }
  const lines = issues.map((issue) => `${issue.name} ${formatMistake(issue, scrubber)}`);
  const all = [...wrong, ...lines, ...wrongCombinations(texts), ...unknownNames(env)];
  if (all.length > 0) throw new SettingsError(all);
  return values as Values<Table>;
}

/** Proxy variables may be in lower case. Then they override those in upper case, as in curl and Node. */
const givenFor = (name: string, env: Environment): string | undefined =>
  (name.endsWith('_PROXY') ? env[name.toLowerCase()] : undefined) ?? env[name];
