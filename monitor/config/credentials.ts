import { field, isObject } from '../../contract/json-value.ts';
import type { Account, Secret } from '../../contract/secrets/secret.ts';
import { credential, credentialFile } from '../../settings/files.ts';
import type { Path } from './complaints.ts';
import { type ConfigContext, placeOf, read } from './config-context.ts';

/**
 * The account of a target, from the environment or from files. Without a key the mistake is recorded, and the
 * result is undefined.
 */
export function accountOf(value: unknown, at: Path, around: ConfigContext): Account | undefined {
  if (!isObject(value)) return undefined;
  const [apiKey, secretKey] = (['apiKey', 'secretKey'] as const).map((key) =>
    secretAt(key, value, at, around),
  );
  if (apiKey === undefined || secretKey === undefined) return undefined;
  return { apiKey, secretKey };
}

/** The schema has already reported what is not a name. */
const isName = /^[A-Za-z_]\w*$/;

/**
 * A credential that the targets file refers to: `NAMEEnv` names an environment variable, and `NAMEFile` a file. If
 * it is not available, the mistake is recorded and the result is undefined.
 */
export function secretAt(
  key: string,
  value: unknown,
  at: Path,
  around: ConfigContext,
  { isOptional = false } = {},
): Secret | undefined {
  const { complaints, env } = around;
  const inEnv = `${key}Env`;
  const inFile = `${key}File`;
  const name = field(value, inEnv);
  const file = field(value, inFile);
  let secret: Secret | undefined;
  if (name !== undefined && file !== undefined)
    complaints.about(at, `has both ${inEnv} and ${inFile}: keep one of them`);
  else if (typeof file === 'string')
    secret = read(credentialFile, placeOf(file, around), [...at, inFile], around);
  else if (typeof name === 'string' && isName.test(name)) {
    const text = field(env, name);
    // The name is not shown: users sometimes write the key itself there.
    if (typeof text !== 'string' || text === '')
      complaints.about([...at, inEnv], 'names a variable that is not set, or is empty');
    else secret = read(credential, text, [...at, inEnv], around);
  } else if (name === undefined && file === undefined && !isOptional)
    complaints.missing([...at, inEnv], `is missing, and so is ${inFile}: say where the key is`);
  if (secret !== undefined) complaints.learn(secret);
  return secret;
}
