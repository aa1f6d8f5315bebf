import { Secret } from '../secrets/secret.ts';
import type { Received } from './received.ts';

/** The cookies that an answer sets, as a client sends them back (RFC 6265 4.2); undefined if it sets none. */
export function cookiesOf({ headers }: Pick<Received, 'headers'>): Secret | undefined {
  const pairs = headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, value]) => value.split(';')[0] ?? '');
  return pairs.length === 0 ? undefined : new Secret(pairs.join('; '), '[secret]', { learn: true });
}
