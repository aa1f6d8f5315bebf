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
const tagAt = saltBytes + nonceBytes;
const textAt = tagAt + tagBytes;

/**
 * Seals a token for the state file by AES-256-GCM (NIST SP 800-38D), under a key of its own, derived by HKDF-SHA256
 * (RFC 5869) from the target's secret key and a random salt. The name of its owner is authenticated too.
 * @returns `v1.` and base64url of the salt, the nonce, the tag and the encrypted token
 */
export function sealToken(token: Secret, secretKey: Secret, about: About): string {
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const key = deriveKey(secretKey, salt, about);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  sealing.setAAD(encodeOwner(about));
  const text = [sealing.update(open(token), 'utf8'), sealing.final()];
  const parts = [salt, nonce, sealing.getAuthTag(), ...text];
  return version + Buffer.concat(parts).toString('base64url');
}

/** Opens a sealed token; undefined if the key or its owner is wrong, or if any bit has changed. */
export function openToken(sealed: string, secretKey: Secret, about: About): Secret | undefined {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
  // `Buffer.from` ignores invalid characters, so compare with the original.
  if (version + bytes.toString('base64url') !== sealed || bytes.length < textAt) return undefined;
  const key = deriveKey(secretKey, bytes.subarray(0, saltBytes), about);
  const nonce = bytes.subarray(saltBytes, tagAt);
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  opening.setAAD(encodeOwner(about)).setAuthTag(bytes.subarray(tagAt, textAt));
  try {
    const text = Buffer.concat([opening.update(bytes.subarray(textAt)), opening.final()]);
    return new Secret(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * A name for an API key in the state file: HMAC-SHA256 under the target's secret key. It identifies the key, but the
 * key cannot be derived from it.
 */
export const createFingerprint = (apiKey: Secret, secretKey: Secret, target: string): string =>
  createHmac('sha256', open(secretKey))
    .update(JSON.stringify([target, open(apiKey)]))
    .digest('base64url');

const deriveKey = (secretKey: Secret, salt: Buffer, { target }: About): Buffer =>
  Buffer.from(hkdfSync('sha256', open(secretKey), salt, createKeyInfo(target), 32));

/** HKDF takes at most 1,024 bytes here, and names of targets may be of any length. */
const createKeyInfo = (target: string): string => `canary token of ${target}`.slice(0, 256);

/** JSON keeps different pairs of names different. */
const encodeOwner = ({ target, canary }: About): Buffer =>
  Buffer.from(JSON.stringify([version, target, canary]));
