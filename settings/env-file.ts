import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { codeOf } from './files.ts';
import { isOurs, isSetting } from './names.ts';

/** What an `.env` file sets, and a line for everything in it that dotenv would pass over in silence. */
export interface EnvFile {
  readonly values: Readonly<Record<string, string>>;
  readonly wrong: readonly string[];
}

/** Reads an `.env` file; one that is not there sets nothing. Nothing is printed, and `process.env` stays as it is. */
export function readEnvFile(file: string): EnvFile {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = codeOf(error);
    return { values: {}, wrong: code === 'ENOENT' ? [] : [`${file} cannot be read (${code})`] };
  }
  // Nothing would be found in UTF-16, as Windows' shell writes it, and the sandbox be judged instead of the provider.
  if (!isUtf8(bytes) || bytes.includes(0))
    return { values: {}, wrong: [`${file} is not UTF-8: save it as UTF-8`] };
  const text = bytes.toString('utf8');
  const values = parse(text);
  return { values, wrong: slips(file, text, values) };
}

/** dotenv skips a line without "=", and ends a value that stands outside quotes at its first "#". */
function slips(file: string, text: string, values: Readonly<Record<string, string>>): string[] {
  const wrong = new Set<string>();
  for (const [, name = '', rest = ''] of text.matchAll(/^\s*(?:export\s+)?([\w.-]+)(.*)$/gm)) {
    if (!isOurs(name) && !isSetting(name)) continue;
    const value = values[name];
    if (value === undefined) wrong.add(`${name} has no "=" after it in ${file}`);
    else if (/^[^#]*[^\s#=:'"`]#/.test(rest) && !value.includes('#'))
      wrong.add(
        `${name} holds "#" outside quotes in ${file}: quote the value as .env.example shows`,
      );
  }
  return [...wrong];
}
