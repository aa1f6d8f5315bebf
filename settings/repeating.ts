import { credential, longCredential } from './files.ts';
import type { Environment } from './reading.ts';
import type { Setting } from './setting.ts';
import { settings } from './table.ts';

/**
 * The settings that another shell needs before a command so that it does the same: those that this process has in
 * its environment, in the syntax of a POSIX shell, with a blank after them. Settings in `.env` are not needed.
 * Credentials are omitted; without one the command stops and names it.
 * @param wanted which names the command reads
 */
export function assignments(wanted: RegExp, env: Environment): string {
  return settings
    .filter((setting) => wanted.test(setting.name) && !isSecret(setting))
    .flatMap(({ name }) => {
      const text = env[name]?.trim() ?? '';
      // A query may hold a credential.
      const value = /^https?:.*\?/.test(text) ? `"$${name}"` : shellWord(text);
      return text === '' ? [] : [`${name}=${value} `];
    })
    .join('');
}

const isSecret = ({ accepted }: Setting<unknown>): boolean =>
  accepted === credential || accepted === longCredential;

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
