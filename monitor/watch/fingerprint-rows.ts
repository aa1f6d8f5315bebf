import { createSecretKey, type KeyObject } from 'node:crypto';
import { field, isNumber } from '../../contract/json-value.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { minutes } from '../../contract/time/clock.ts';
import { decrypt, encrypt, fingerprintOf } from '../canary/seal.ts';
import type { Time } from '../schedule/time.ts';
import type { StateStore } from '../state/state.ts';

export interface RowsContext {
  readonly secretKey: Secret;
  readonly state: Pick<StateStore, 'entries' | 'put' | 'remove'>;
  readonly time: Pick<Time, 'wall'>;
}

/** The fingerprints of a few minutes. */
interface Row {
  readonly number: number;
  /** When it was started (wall clock). */
  readonly at: number;
  readonly bytes: Buffer;
}

const rowMs = minutes(10);
const mostBytes = 24_576;

/**
 * The most rows: they cover more than 26 hours, and a token lives for 24. The limit is a number, so that a clock
 * change does not remove rows.
 */
const mostRows = 160;

const kind = 'fingerprints';

/** The fingerprints of a target in the state file, sealed: six bytes each. */
export class FingerprintRows {
  readonly #target: string;
  readonly #context: RowsContext;
  /** One key for all rows. */
  readonly #key: KeyObject;
  #latest: Row | undefined;

  constructor(target: string, context: RowsContext) {
    this.#target = target;
    this.#context = context;
    // Not a Buffer: Node checks a Buffer each time, which takes longer than the encryption.
    this.#key = createSecretKey(keyFor('the rows', target, context.secretKey));
  }

  /** Adds fingerprints that are not in the latest row yet. @returns whether there were any */
  add(fingerprints: readonly Buffer[]): boolean {
    this.#latest = this.#current();
    const { number, at, bytes } = this.#latest;
    const added = unknownIn(bytes, fingerprints);
    if (added.length === 0) return false;
    this.#latest = { number, at, bytes: unpooled(bytes, ...added) };
    const sealed = encrypt(this.#latest.bytes, this.#key, this.#nameOf(number)).toString('base64');
    this.#context.state.put(this.#target, kind, String(number), { at, sealed });
    return true;
  }

  /** All rows that can be opened, the oldest first. */
  all(): Buffer[] {
    return this.#stored().flatMap((row) => this.#opened(row)?.bytes ?? []);
  }

  /** The current row; after a restart the latest stored one. */
  #current(): Row {
    const { state, time } = this.#context;
    const latest = this.#latest;
    if (latest !== undefined && !this.#isFull(latest)) return latest;
    const before = latest === undefined ? this.#stored().at(-1) : undefined;
    const row = before === undefined ? undefined : this.#opened(before);
    if (row !== undefined && !this.#isFull(row)) return row;
    const number = Math.max(latest?.number ?? 0, before?.[0] ?? 0) + 1;
    state.remove(this.#target, kind, String(number - mostRows));
    return { number, at: time.wall(), bytes: Buffer.alloc(0) };
  }

  #isFull({ at, bytes }: Row): boolean {
    return Math.abs(this.#context.time.wall() - at) >= rowMs || bytes.length >= mostBytes;
  }

  #opened([number, value]: StoredRow): Row | undefined {
    const at = field(value, 'at');
    const sealed = field(value, 'sealed');
    if (typeof sealed !== 'string' || !isNumber(at)) return undefined;
    const bytes = decrypt(Buffer.from(sealed, 'base64'), this.#key, this.#nameOf(number));
    return bytes === undefined ? undefined : { number, at, bytes: unpooled(bytes) };
  }

  /** A row can be opened only under its own number. */
  #nameOf(number: number): Buffer {
    return Buffer.from(JSON.stringify([this.#target, number]));
  }

  /** The stored rows, the oldest first. If the disk fails, the list is empty; the monitor continues, and logs that. */
  #stored(): StoredRow[] {
    try {
      return [...this.#context.state.entries(this.#target, kind)]
        .map(([name, value]) => [Number(name), value] as const)
        .filter(([number]) => Number.isSafeInteger(number))
        .sort(([one], [other]) => one - other);
    } catch {
      return [];
    }
  }
}

/** Buffers with their own memory: a small Buffer from Node's pool keeps the pool's 64 KB alive. */
function unpooled(...buffers: readonly Buffer[]): Buffer {
  const all = Buffer.allocUnsafeSlow(buffers.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const buffer of buffers) at += buffer.copy(all, at);
  return all;
}

/** The fingerprints that are not in the row yet, without repetitions. */
function unknownIn(row: Buffer, fingerprints: readonly Buffer[]): Buffer[] {
  const known = new Set(row.toString('latin1').match(/.{6}/gs));
  return fingerprints.filter((one) => {
    const name = one.toString('latin1');
    return !known.has(name) && known.add(name);
  });
}

type StoredRow = readonly [number: number, value: unknown];

/**
 * Key material of 32 bytes: HMAC-SHA256 under the secret key. The text `fingerprints of …` has blanks, which names
 * of targets do not have. So this input never equals that of a token's fingerprint.
 */
export const keyFor = (purpose: string, target: string, secretKey: Secret): Buffer =>
  unpooled(
    Buffer.from(
      fingerprintOf(new Secret(purpose), secretKey, `fingerprints of ${target}`),
      'base64url',
    ),
  );
