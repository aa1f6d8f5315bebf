import { readFileSync } from 'node:fs';
import { Secret } from '../contract/secrets/secret.ts';
import { type Accepted, NotAccepted } from './accepted.ts';
import { codeOf, credentialFile, stateFile } from './files.ts';

const scheme = /^postgres(ql)?:\/\//i;

/** The sslmode options of libpq, except those that may silently send credentials in plain text. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** How other programs write the address of a database. As a file it would have the password in its name. */
const otherForm = /^[\w+.-]+:\/\/|^postgres(ql)?:|\bpassword\s*=/i;

/** The state file, or the address of the database that a fleet shares. That address holds a password. */
export const stateOrDatabase: Accepted<string | Secret> = {
  words: `${stateFile.words}; or postgres://user:password@host/database`,
  read(text) {
    if (scheme.test(text)) return database(text);
    if (otherForm.test(text)) throw new NotAccepted('is an address in another form');
    return stateFile.read(text);
  },
};

export const databaseFile: Accepted<Secret> = {
  words: `${credentialFile.words}: postgres://user:password@host/database`,
  read(file) {
    const secret = credentialFile.read(file);
    let mistake: string | undefined;
    const isFine = secret.is((text) => {
      mistake = scheme.test(text) ? mistakeIn(text) : 'does not begin with postgres://';
      return mistake === undefined;
    });
    if (!isFine) throw new NotAccepted(`names a file whose address ${mistake}`);
    return secret;
  },
};

function database(text: string): Secret {
  const mistake = mistakeIn(text);
  if (mistake !== undefined) throw new NotAccepted(mistake);
  return new Secret(text);
}

/** The mistake in an address. The address is not quoted, because it holds a password. */
function mistakeIn(text: string): string | undefined {
  // An address that names a socket after the "?" has no host, but URL.parse requires one after credentials.
  const url = URL.parse(text) ?? URL.parse(text.replace(/^(\w+:\/\/[^/?@]*)@\//, '$1@socket/'));
  if (url === null) return 'cannot be read as an address';
  if (url.pathname.length < 2) return 'names no database';
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !sslModes.includes(mode))
    return `has a sslmode that is none of ${sslModes.join(', ')}`;
  if (mode === 'verify-ca' && url.searchParams.get('sslrootcert') === null)
    return 'has sslmode=verify-ca without sslrootcert=FILE';
  return ['sslrootcert', 'sslcert', 'sslkey'].map((name) => unreadable(url, name)).find(Boolean);
}

function unreadable(url: URL, name: string): string | undefined {
  const file = url.searchParams.get(name);
  if (file === null) return undefined;
  try {
    readFileSync(file);
    return undefined;
  } catch (error) {
    return `names a file as ${name} that cannot be read (${codeOf(error)})`;
  }
}
