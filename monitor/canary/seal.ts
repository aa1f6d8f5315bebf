import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
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
const textAt = nonceBytes + tagBytes;

/**
 * Seals a token for the state file, under a key of its own, derived by HKDF-SHA256 (RFC 5869) from the target's secret
 * key and a random salt.
 * @returns `v1.` and base64url of the salt and the encrypted token
 */
export function sealToken(token: Secret, secretKey: Secret, about: About): string {
  const salt = randomBytes(saltBytes);
  const key = keyOf(secretKey, salt, about);
  const sealed = encrypt(Buffer.from(open(token)), key, nameOf(about));
  return version + Buffer.concat([salt, sealed]).toString('base64url');
}

/** Opens a sealed token; undefined if the key or its owner is wrong, or if any bit has changed. */
export function openToken(sealed: string, secretKey: Secret, about: About): Secret | undefined {
  if (!sealed.startsWith(version)) return undefined;
  const encoded = sealed.slice(version.length);
  const bytes = Buffer.from(encoded, 'base64url');
  // `Buffer.from` ignores invalid characters, so compare with the original.
  if (bytes.toString('base64url') !== encoded) return undefined;
  const key = keyOf(secretKey, bytes.subarray(0, saltBytes), about);
  const token = decrypt(bytes.subarray(saltBytes), key, nameOf(about));
  return token && new Secret(token.toString('utf8'));
}

/**
 * Encrypts by AES-256-GCM (NIST SP 800-38D).
 * @param name authenticated too: the result can be decrypted only with the same name
 * @returns nonce, tag and ciphertext
 */
function encrypt(bytes: Buffer, key: CipherKey, name: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(name);
  const text = [sealing.update(bytes), sealing.final()];
  return Buffer.concat([nonce, sealing.getAuthTag(), ...text]);
}

/** Undefined if key or name is wrong, or if any bit has changed. */
function decrypt(sealed: Buffer, key: CipherKey, name: Buffer): Buffer | undefined {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, textAt);
  if (tag.length < tagBytes) return undefined;
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  opening.setAAD(name).setAuthTag(tag);
  try {
    return Buffer.concat([opening.update(sealed.subarray(textAt)), opening.final()]);
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
