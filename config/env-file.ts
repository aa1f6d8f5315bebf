import { existsSync } from 'node:fs';
import { parse } from 'dotenv';
import { Unaccepted } from './accepted.ts';
import { readText } from './files.ts';
import { isReported } from './together.ts';

/**
 * Reads an `.env` file; a missing file counts as empty. It prints nothing and does not change `process.env`.
 * @returns the settings, and a line for each mistake that dotenv would silently ignore
 */
export function readEnvFile(file: string): {
  readonly values: Readonly<Record<string, string>>;
  readonly wrong: readonly string[];
} {
  try {
    const text = existsSync(file) ? readText(file) : '';
    const values = parse(text);
    return { values, wrong: slipsIn(text, values, file) };
  } catch (error) {
    if (!(error instanceof Unaccepted)) throw error;
    return { values: {}, wrong: [`${file} ${error.message}`] };
  }
}

function slipsIn(text: string, values: Readonly<Record<string, string>>, file: string): string[] {
  const assignments = text.matchAll(/^\s*(?:export\s+)?([\w.-]+)(.*)$/gm);
  const lines = [...assignments].flatMap(([, name = '', rest = '']) => {
    const why = isReported(name) ? slipIn(rest, values[name]) : undefined;
    return why === undefined ? [] : `${name} ${why.replace('FILE', () => file)}`;
  });
  return [...new Set(lines)];
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
