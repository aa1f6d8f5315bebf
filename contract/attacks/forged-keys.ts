import {
  createHmac,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { isObject } from '../json-value.ts';
import { remembering } from '../remembering.ts';

/** A key whose signatures the service must not trust, its algorithm (RFC 7518), and a function that signs. */
export interface ForgedKey {
  readonly alg: 'RS256' | 'ES256' | 'EdDSA';
  /** The public key as a JWK (RFC 7517). */
  readonly jwk: JsonWebKey;
  /** A self-signed certificate of the key: DER in base64, as `x5c` holds it (RFC 7515 4.1.6). */
  readonly certificate: string;
  /** The signature in base64url. */
  sign(signed: string): string;
}

/** A key of this process, generated on first use, off the main thread: RSA takes a tenth of a second. */
export const forgedKey = remembering(async (alg: ForgedKey['alg']): Promise<ForgedKey> => {
  const make = promisify(generateKeyPair);
  const { publicKey, privateKey } =
    alg === 'RS256'
      ? await make('rsa', { modulusLength: 2048 })
      : alg === 'ES256'
        ? await make('ec', { namedCurve: 'P-256' })
        : await make('ed25519');
  const digest = alg === 'EdDSA' ? null : 'sha256';
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return {
    alg,
    jwk: publicKey.export({ format: 'jwk' }),
    certificate: selfSigned(publicKey, signatureIds[alg], (bytes) =>
      sign(digest, bytes, privateKey),
    ),
    sign: (signed) => sign(digest, Buffer.from(signed), key).toString('base64url'),
  };
});

/** The AlgorithmIdentifiers of RFC 4055, RFC 5758 and RFC 8410. */
const signatureIds = {
  RS256: '300d06092a864886f70d01010b0500',
  ES256: '300a06082a8648ce3d040302',
  EdDSA: '300506032b6570',
} as const;

/** The smallest certificate of RFC 5280: version 1, without a name, valid from 2000 to 2049. */
function selfSigned(key: KeyObject, id: string, signature: (bytes: Buffer) => Buffer): string {
  const algorithm = Buffer.from(id, 'hex');
  const emptyName = der(0x30);
  const time = (text: string): Buffer => der(0x17, Buffer.from(text));
  const subject = der(
    0x30,
    der(0x02, Buffer.from([1])),
    algorithm,
    emptyName,
    der(0x30, time('000101000000Z'), time('491231235959Z')),
    emptyName,
    key.export({ type: 'spki', format: 'der' }),
  );
  const bits = der(0x03, Buffer.from([0]), signature(subject));
  return der(0x30, subject, algorithm, bits).toString('base64');
}

/** A value of ASN.1 in DER: tag, length, contents (X.690 8.1). */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/**
 * The public keys in the header of a JWT (`jwk`, `x5c`) as PEM: a verifier that lets the token choose the
 * algorithm uses them as the key of an HMAC (RFC 8725 2.1). There is no other source of the provider's key.
 */
export function publicKeysIn(header: Readonly<Record<string, unknown>>): string[] {
  const { jwk, x5c } = header;
  const found: KeyObject[] = [];
  try {
    if (isObject(jwk)) found.push(createPublicKey({ key: jwk, format: 'jwk' }));
    if (Array.isArray(x5c) && typeof x5c[0] === 'string')
      found.push(new X509Certificate(Buffer.from(x5c[0], 'base64')).publicKey);
  } catch {
    // The header has no key of a known kind.
  }
  return found.map((key) => String(key.export({ type: 'spki', format: 'pem' })));
}

/** The signature of an HMAC with SHA-2 of `bits` bits, in base64url. */
export const hmac = (bits: number, key: string | Buffer, signed: string): string =>
  createHmac(`sha${bits}`, key).update(signed).digest('base64url');
