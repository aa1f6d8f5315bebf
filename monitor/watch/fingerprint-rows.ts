import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { field, isNumber } from '../../contract/http/answer.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { minutes } from '../../contract/time/clock.ts';
import { fingerprintOf } from '../canary/seal.ts';
import type { Time } from '../schedule/time.ts';
import type { StateStore } from '../state/state.ts';

/** What is needed of the target's monitor. */
export interface RowsContext {
  readonly secretKey: Secret;
  readonly state: Pick<StateStore, 'entries' | 'put' | 'remove'>;
  readonly time: Pick<Time, 'wall'>;
}

/** The fingerprints of a target in the state file, sealed: six bytes each. */
export interface FingerprintRows {
  /** Adds those that are not in the latest row yet. @returns whether there were any */
  add(fingerprints: readonly Buffer[]): boolean;
  /** All rows that can be opened, the oldest first. */
  all(): Buffer[];
}

/** The fingerprints of some minutes. */
interface Row {
  readonly number: number;
  /** When it was begun (wall clock). */
  readonly at: number;
  readonly bytes: Buffer;
}

const rowMs = minutes(10);
const mostBytes = 24_576;

/** Those of more than 26 hours: a token lives for 24. Rows are counted, so that no step of the clock takes one away. */
const mostRows = 160;

const kind = 'fingerprints';

/** @param target its name */
export function fingerprintRows(
  target: string,
  { secretKey, state, time }: RowsContext,
): FingerprintRows {
  const seal = sealing(target, secretKey);
  let latest: Row | undefined;

  function opened([number, value]: StoredRow): Row | undefined {
    const [at, sealed] = [field(value, 'at'), field(value, 'sealed')];
    if (typeof sealed !== 'string' || !isNumber(at)) return undefined;
    const bytes = seal.open(number, Buffer.from(sealed, 'base64'));
    return bytes === undefined ? undefined : { number, at, bytes };
  }

  const isFull = ({ at, bytes }: Row): boolean =>
    Math.abs(time.wall() - at) >= rowMs || bytes.length >= mostBytes;

  /** The row that is written to: after a restart that from before. */
  function current(): Row {
    if (latest !== undefined && !isFull(latest)) return latest;
    const before = latest === undefined ? storedRows(state, target).at(-1) : undefined;
    const row = before === undefined ? undefined : opened(before);
    if (row !== undefined && !isFull(row)) return row;
    const number = Math.max(latest?.number ?? 0, before?.[0] ?? 0) + 1;
    state.remove(target, kind, String(number - mostRows));
    return { number, at: time.wall(), bytes: Buffer.alloc(0) };
  }

  return {
    add(fingerprints) {
      latest = current();
      const { number, at, bytes } = latest;
      const known = new Set(bytes.toString('latin1').match(/.{6}/gs));
      const added = fingerprints.filter((one) => {
        const name = one.toString('latin1');
        return !known.has(name) && known.add(name);
      });
      if (added.length === 0) return false;
      latest = { number, at, bytes: Buffer.concat([bytes, ...added]) };
      const sealed = seal.close(number, latest.bytes).toString('base64');
      state.put(target, kind, String(number), { at, sealed });
      return true;
    },
    all: () => storedRows(state, target).flatMap((row) => opened(row)?.bytes ?? []),
  };
}

type StoredRow = readonly [number: number, value: unknown];

/** The oldest first. Where the disk fails there are none: the monitor goes on, and its log tells of the disk. */
function storedRows(state: RowsContext['state'], target: string): StoredRow[] {
  try {
    return [...state.entries(target, kind)]
      .map(([name, value]) => [Number(name), value] as const)
      .filter(([number]) => Number.isSafeInteger(number))
      .sort(([one], [other]) => one - other);
  } catch {
    return [];
  }
}

const cipher = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/** AES-256-GCM under one key for all rows of a target; a row opens in its own place only. */
function sealing(target: string, secretKey: Secret) {
  const key = keyFor('the rows', target, secretKey);
  const place = (number: number): Buffer => Buffer.from(JSON.stringify([target, number]));
  return {
    close(number: number, bytes: Buffer): Buffer {
      const nonce = randomBytes(nonceBytes);
      const closing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      closing.setAAD(place(number));
      const text = [closing.update(bytes), closing.final()];
      return Buffer.concat([nonce, closing.getAuthTag(), ...text]);
    },
    /** @returns undefined when the key or the place is another, or one bit has changed */
    open(number: number, sealed: Buffer): Buffer | undefined {
      if (sealed.length < nonceBytes + tagBytes) return undefined;
      const nonce = sealed.subarray(0, nonceBytes);
      const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      opening.setAAD(place(number));
      opening.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const text = opening.update(sealed.subarray(nonceBytes + tagBytes));
        return Buffer.concat([text, opening.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Key material of 32 bytes that only who has the secret key can make: HMAC-SHA256 under it. The name of a target has no
 * blank, so it is never the name of a token.
 */
export const keyFor = (purpose: string, target: string, secretKey: Secret): Buffer =>
  Buffer.from(
    fingerprintOf(new Secret(purpose), secretKey, `fingerprints of ${target}`),
    'base64url',
  );
