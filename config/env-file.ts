import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { isOurs, isSetting } from './names.ts';
import { codeOf } from './regular-file.ts';

type Values = Readonly<Record<string, string>>;

/**
 * Reads an `.env` file; a missing file counts as empty. It prints nothing and does not change `process.env`.
 * @returns the settings, and a line for each mistake that dotenv would silently ignore
 */
export function readEnvFile(file: string): { readonly values: Values; readonly wrong: string[] } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = codeOf(error);
    return { values: {}, wrong: code === 'ENOENT' ? [] : [`${file} cannot be read (${code})`] };
  }
  // Windows PowerShell writes UTF-16. dotenv would find no settings in it, and the sandbox would be judged instead of
  // the provider.
  if (!isUtf8(bytes) || bytes.includes(0))
    return { values: {}, wrong: [`${file} is not UTF-8: save it as UTF-8`] };
  const text = bytes.toString('utf8');
  const values = parse(text);
  return { values, wrong: slips(file, text, values) };
}

/** The mistakes: dotenv skips a line without "=", accepts an open quote, and ends an unquoted value at a "#". */
function slips(file: string, text: string, values: Values): string[] {
  const wrong = new Set<string>();
  for (const [, name = '', rest = ''] of text.matchAll(/^\s*(?:export\s+)?([\w.-]+)(.*)$/gm)) {
    if (!isOurs(name) && !isSetting(name)) continue;
    const value = values[name];
    if (value === undefined && /^\s*=/.test(rest))
      wrong.add(`${name} is within the quotes of a value above it in ${file}: close them there`);
    else if (value === undefined) wrong.add(`${name} has no "=" after it in ${file}`);
    else if (/^['"`]/.test(value) && rest.trim().endsWith(value))
      wrong.add(`${name} begins with a quote that is not closed in ${file}`);
    else if (isCut(rest) && !value.includes('#'))
      wrong.add(
        `${name} holds "#" outside quotes in ${file}: quote the value as .env.example shows`,
      );
  }
  return [...wrong];
}

/** Whether the text after a name loses what follows its first "#". A comment follows a blank or a closing quote. */
function isCut(rest: string): boolean {
  const text = rest.replace(/^\s*[=:]\s*/, '');
  return /^[^#]*[^\s#]#/.test(text) && !/^(['"`])[^#]*\1#/.test(text);
}
