import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { codeOf } from './files.ts';
import { isReported } from './together.ts';

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
  const wrong = [...text.matchAll(/^\s*(?:export\s+)?([\w.-]+)(.*)$/gm)].flatMap(
    ([, name = '', rest = '']) => {
      const why = isReported(name) ? slipIn(rest, values[name]) : undefined;
      return why === undefined ? [] : `${name} ${why.replace('FILE', () => file)}`;
    },
  );
  return { values, wrong: [...new Set(wrong)] };
}

/** The mistake in an assignment, of which dotenv reads a value. @param rest of the line, after the name */
function slipIn(rest: string, value: string | undefined): string | undefined {
  if (value === undefined)
    return /^\s*=/.test(rest)
      ? 'is within the quotes of a value above it in FILE: close them there'
      : 'has no "=" after it in FILE';
  if (/^['"`]/.test(value) && rest.trim().endsWith(value))
    return 'begins with a quote that is not closed in FILE';
  // A comment follows a blank or a closing quote.
  const text = rest.replace(/^\s*[=:]\s*/, '');
  const isCut = /^[^#]*[^\s#]#/.test(text) && !/^(['"`])[^#]*\1#/.test(text);
  return isCut && !value.includes('#')
    ? 'holds "#" outside quotes in FILE: quote the value as .env.example shows'
    : undefined;
}
