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
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    return { values: {}, wrong: code === 'ENOENT' ? [] : [`${file} cannot be read (${code})`] };
  }
  const values = parse(text);
  return { values, wrong: slips(file, text, values) };
}

/** dotenv skips a line without "=", and ends a value that stands outside quotes at its first "#". */
function slips(file: string, text: string, values: Readonly<Record<string, string>>): string[] {
  const wrong = new Set<string>();
  for (const [, name = '', rest = ''] of text.matchAll(/^\s*(?:export\s+)?([\w.-]+)(.*)$/gm)) {
    if (!isOurs(name) && !isSetting(name)) continue;
    const value = values[name];
    if (value === undefined) wrong.add(`${name} has no "=" behind it in ${file}`);
    else if (/^[^#]*[^\s#=:'"`]#/.test(rest) && !value.includes('#'))
      wrong.add(
        `${name} holds "#" outside quotes in ${file}: quote the value as .env.example shows`,
      );
  }
  return [...wrong];
}
