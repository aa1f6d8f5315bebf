import type tls from 'node:tls';
import { UserError } from '../../contract/user-error.ts';
import type { Time } from '../loop/time.ts';

/** A certificate with its chain, and its private key (PEM). */
export interface TlsPair {
  readonly cert: string;
  readonly key: Buffer;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The monitor's own TLS certificate, in files that are replaced when it is renewed. */
export interface OwnCertificate {
  /** The pair that is in the files now. @throws UserError when it cannot be used */
  read(): TlsPair;
  /** Called when a new pair is in use. */
  renewed(pair: TlsPair): void;
  /** Called when the files hold an unusable pair; the old one stays in use. @param problem one line */
  unusable(problem: string): void;
}

/** How often the files are read. Certificates are renewed days before they expire. */
const everyMs = 30_000;

/**
 * Reads the files repeatedly, and changes the server's pair when they hold a new one.
 * @param inUse the pair that the server uses
 * @returns a function that stops this
 */
export function keepRenewed(
  server: tls.Server,
  inUse: TlsPair,
  own: OwnCertificate,
  time: Time,
): () => void {
  let current = inUse;
  let reported: string | undefined;
  const look = (): void => {
    cancel = time.after(everyMs, look);
    try {
      const pair = own.read();
      const isNew = pair.cert !== current.cert || !pair.key.equals(current.key);
      if (isNew) server.setSecureContext(pair);
      if (isNew || reported !== undefined) own.renewed(pair);
      current = pair;
      reported = undefined;
    } catch (error) {
      const problem = problemOf(error);
      if (problem !== reported) own.unusable(problem);
      reported = problem;
    }
  };
  let cancel = time.after(everyMs, look);
  return () => cancel();
}

/** Of Node's refusal of a pair only the code is used: its message may quote the files. */
function problemOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return `the certificate and its key cannot be used (${code})`;
}
