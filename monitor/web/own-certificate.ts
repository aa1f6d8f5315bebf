import { createHash } from 'node:crypto';
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
 * Reads the files repeatedly, and changes the server's pair when they hold a new one. Two files cannot be replaced
 * at once, so a problem is reported only if two consecutive reads find it.
 * @param first the pair that the server uses
 * @returns a function that stops this
 */
export function keepRenewed(
  server: tls.Server,
  first: TlsPair,
  { own, time }: { readonly own: OwnCertificate; readonly time: Time },
): () => void {
  let inUse = fingerprintOf(first);
  let problemBefore: string | undefined;
  let reported: string | undefined;
  const look = (): void => {
    const problem = problemOf(() => {
      const pair = own.read();
      const found = fingerprintOf(pair);
      if (found === inUse && reported === undefined) return;
      if (found !== inUse) server.setSecureContext(pair);
      [inUse, reported] = [found, undefined];
      own.renewed(pair);
    });
    if (problem !== undefined && problem === problemBefore && problem !== reported) {
      reported = problem;
      own.unusable(problem);
    }
    problemBefore = problem;
    cancel = time.after(everyMs, look);
  };
  let cancel = time.after(everyMs, look);
  return () => cancel();
}

/** Node's refusal of a pair is a problem of the files too. Only its code is used: its message may quote the files. */
function problemOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    return `the certificate and its key cannot be used (${code})`;
  }
}

const fingerprintOf = ({ cert, key }: TlsPair): string =>
  createHash('sha256').update(cert).update('\0').update(key).digest('hex');
