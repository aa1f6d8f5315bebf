import { createHash } from 'node:crypto';
import type tls from 'node:tls';
import { UserError } from '../../contract/user-error.ts';
import type { Time } from '../schedule/time.ts';

/** A certificate with those above it, and its private key (PEM). */
export interface TlsPair {
  readonly cert: string;
  readonly key: Buffer;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The certificate of the monitor's own port, in files that are replaced when it is renewed. */
export interface OwnCertificate {
  /** The pair that the files hold now. @throws UserError when it cannot be used */
  read(): TlsPair;
  /** Called when another pair is in use. */
  renewed(pair: TlsPair): void;
  /** Called when the files hold a pair that cannot be used: the old one stays in use. @param problem one line */
  unusable(problem: string): void;
}

/** Whoever renews a certificate does so days before its end. */
const everyMs = 30_000;

/**
 * Reads the files again and again, and lets a server use the pair in them when it is another one. Two files are not
 * replaced at once: a problem counts if it is there at two readings in a row.
 * @param first the pair that the server uses
 * @returns ends it
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

/** A pair that Node refuses is a problem of the files too. Node's message may quote what it has read. */
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
