import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Credentials for a broker with basic authentication. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

/** An account with a new random password. */
export const newAccount = (username: string): Account => ({
  username,
  password: randomBytes(24).toString('base64url'),
});

/** The account in a settings file, or a new one. */
export function keptAccount(file: string): Account {
  const { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password } = existsSync(file)
    ? parseEnv(readFileSync(file, 'utf8'))
    : {};
  return username && password ? { username, password } : newAccount('pact');
}

/** Writes the settings that connect Pact's programs to a broker, readable only by the owner of the file. */
export function keepAccount(file: string, baseUrl: URL, { username, password }: Account): void {
  const lines = [
    `PACT_BROKER_BASE_URL='${baseUrl.origin}'`,
    `PACT_BROKER_USERNAME='${username}'`,
    `PACT_BROKER_PASSWORD='${password}'`,
    '',
  ];
  // An existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, lines.join('\n'), { mode: 0o600, flag: 'wx' });
}
