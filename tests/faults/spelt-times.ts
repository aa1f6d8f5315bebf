import { type Behaviour, day } from '../../sandbox/behaviour.ts';
import { fault, type Mutant, type Variant } from './fault.ts';
import { mac } from './jwt.ts';

/** How a token is written, and how its end is read from it. */
interface Form {
  write(end: number, client: string): string;
  read(text: string, client: string): number | undefined;
}

/** No token is stored: a token holds its client and its end (milliseconds since 1970). */
const storing = ({ write, read }: Form): Partial<Behaviour> => ({
  mint: ({ account }, now) => write(now + day, account.apiKey),
  keep: () => undefined,
  find(text, { account }) {
    const end = read(text, account.apiKey) ?? Number.NaN;
    return Number.isNaN(end) ? undefined : { text, madeAt: end - day, memo: new Map() };
  },
});

const plain: Form = {
  write: (end, client) => `${client}.${end}`,
  read(text, client) {
    const [sentClient, end] = text.split('.');
    return sentClient === client ? Number(end) : undefined;
  },
};

/** The same behind an encoding, which does not forgive what it does not write itself. */
const encodedIn = (encoding: BufferEncoding, { write, read }: Form): Form => ({
  write: (end, client) => Buffer.from(write(end, client)).toString(encoding),
  read(text, client) {
    const decoded = Buffer.from(text, encoding);
    return decoded.toString(encoding) === text ? read(decoded.toString(), client) : undefined;
  },
});

const json = (timeOf: (end: number) => string | number): Form => ({
  write: (end, client) => JSON.stringify({ client, scope: 'all', expires: timeOf(end) }),
  read(text, client) {
    try {
      const { client: sentClient, expires } = JSON.parse(text);
      return sentClient === client ? new Date(expires).getTime() : undefined;
    } catch {
      return undefined;
    }
  },
});

const dateOf = (end: number): string => new Date(end).toISOString();

const signed: Form = {
  write: (end) => `${end}.${mac(String(end), 'a key of the sandbox')}`,
  read(text) {
    const [end = ''] = text.split('.');
    return signed.write(Number(end), '') === text ? Number(end) : undefined;
  },
};

/** A client that reads such a token can write another one. */
export const speltTimeMutants: readonly Mutant[] = [
  fault('token-spells-its-end', 'A token is the API key and its end, and nothing signs them', () =>
    storing(plain),
  ),
  fault(
    'token-spells-its-end-in-hex',
    'A token is the API key and its end in hex, and nothing signs them',
    () => storing(encodedIn('hex', plain)),
  ),
  fault(
    'token-is-json-in-base64',
    'A token is JSON in base64 with its client and its end, and nothing signs it',
    () => storing(encodedIn('base64', json(Number))),
  ),
  fault(
    'token-is-json-with-a-date',
    'A token is JSON in base64url with its client and the date of its end, which is not signed',
    () => storing(encodedIn('base64url', json(dateOf))),
  ),
];

/** A time that clients can read, and cannot change. */
export const speltTimeVariants: readonly Variant[] = [
  fault('signed-end-in-base64', 'A token is its end and a signature of it, in base64url', () =>
    storing(encodedIn('base64url', signed)),
  ),
];
