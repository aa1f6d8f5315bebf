import { quotedWord } from '../contract/http/shell-text.ts';
import { credential, longCredential } from './files.ts';
import type { Setting } from './setting.ts';
import type { Environment } from './settings-reader.ts';
import { settings } from './table.ts';

/**
 * The variable assignments that another shell needs before a command to get the same result. They are this process's
 * settings in the environment, in the syntax of a POSIX shell, each followed by a blank. Settings in `.env` are not
 * included. Credentials are omitted; the command stops without them and names them.
 * @param wanted matches the names that the command reads
 */
export function assignments(wanted: RegExp, env: Environment): string {
  return settings
    .filter((setting) => wanted.test(setting.name) && !isSecret(setting))
    .flatMap(({ name }) => {
      const text = env[name]?.trim() ?? '';
      // A query may hold a credential.
      const value = /^https?:.*\?/.test(text) ? `"$${name}"` : quotedWord(text);
      return text === '' ? [] : [`${name}=${value} `];
    })
    .join('');
}

const isSecret = ({ accepted }: Setting<unknown>): boolean =>
  accepted === credential || accepted === longCredential;
