import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { open, Secret } from '../../contract/secrets/secret.ts';

/**
 * The owner of the token: a sealed token can be opened for this target and this canary only, so that rows cannot
 * be swapped.
 */
export interface About {
  readonly target: string;
  /** The canary's id. */
  readonly canary: string;
}

/** The version of the format, so that a later one can be recognised. */
const version = 'v1.';
const cipher = 'aes-256-gcm';
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals a token for the state file: AES-256-GCM (NIST SP 800-38D) under a key of its own, derived by HKDF-SHA256
 * (RFC 5869) from the target's secret key and a random salt.
 * @returns `v1.` and base64url of salt, nonce, tag and ciphertext
 */
export function sealToken(token: Secret, secretKey: Secret, about: About): string {
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyOf(secretKey, salt, about), nonce, {
    authTagLength: tagBytes,
  }).setAAD(nameOf(about));
  const text = [sealing.update(open(token), 'utf8'), sealing.final()];
  const sealed = Buffer.concat([salt, nonce, sealing.getAuthTag(), ...text]);
  return version + sealed.toString('base64url');
}

/** Opens a sealed token; undefined if the key or its owner is wrong, or if any bit has changed. */
export function openToken(sealed: string, secretKey: Secret, about: About): Secret | undefined {
  if (!sealed.startsWith(version)) return undefined;
  const encoded = sealed.slice(version.length);
  const bytes = Buffer.from(encoded, 'base64url');
  // `Buffer.from` ignores invalid characters, so compare with the original.
  if (bytes.toString('base64url') !== encoded) return undefined;
  if (bytes.length < saltBytes + nonceBytes + tagBytes) return undefined;
  const salt = bytes.subarray(0, saltBytes);
  const nonce = bytes.subarray(saltBytes, saltBytes + nonceBytes);
  const text = bytes.subarray(saltBytes + nonceBytes + tagBytes);
  const opening = createDecipheriv(cipher, keyOf(secretKey, salt, about), nonce, {
    authTagLength: tagBytes,
  })
    .setAAD(nameOf(about))
    .setAuthTag(bytes.subarray(saltBytes + nonceBytes, saltBytes + nonceBytes + tagBytes));
  try {
    return new Secret(Buffer.concat([opening.update(text), opening.final()]).toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * A name for a token in the state file: HMAC-SHA256 under the target's secret key. It identifies the token, but the
 * token cannot be derived from it.
 */
export const fingerprintOf = (token: Secret, secretKey: Secret, target: string): string =>
  createHmac('sha256', open(secretKey))
    .update(JSON.stringify([target, open(token)]))
    .digest('base64url');

const keyOf = (secretKey: Secret, salt: Buffer, { target }: About): Buffer =>
  Buffer.from(hkdfSync('sha256', open(secretKey), salt, infoOf(target), 32));

/** HKDF takes at most 1,024 bytes here, and names of targets may be of any length. */
const infoOf = (target: string): string => `canary token of ${target}`.slice(0, 256);

/** JSON keeps different pairs of names different. */
const nameOf = ({ target, canary }: About): Buffer =>
  Buffer.from(JSON.stringify([version, target, canary]));
