import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Who may use a broker, by basic authentication. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

/** An account with a password of its own. */
export const newAccount = (username: string): Account => ({
  username,
  password: randomBytes(24).toString('base64url'),
});

/** The account that a file of settings holds, or a new one. */
export function keptAccount(file: string): Account {
  const { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password } = existsSync(file)
    ? parseEnv(readFileSync(file, 'utf8'))
    : {};
  return username && password ? { username, password } : newAccount('pact');
}

/** Writes the settings that lead Pact's programs to a broker, for the owner of the file alone. */
export function keepAccount(file: string, baseUrl: URL, { username, password }: Account): void {
  const lines = [
    `PACT_BROKER_BASE_URL='${baseUrl.origin}'`,
    `PACT_BROKER_USERNAME='${username}'`,
    `PACT_BROKER_PASSWORD='${password}'`,
    '',
  ];
  // A file that is there would keep its mode, whatever that is.
  rmSync(file, { force: true });
  writeFileSync(file, lines.join('\n'), { mode: 0o600, flag: 'wx' });
}
