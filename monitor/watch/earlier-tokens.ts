import type { Fingerprint, Pieces } from '../../contract/secrets/pieces.ts';
import { type EarlierSecrets, emptyPieces, fingerprintsOf } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { FingerprintRows, keyFor, type RowsContext } from './fingerprint-rows.ts';

export interface EarlierTokensContext extends RowsContext {
  /** Tokens that are still in use. They are not forgotten, and may be older than a day. */
  readonly kept: () => readonly Secret[];
}

/** Most searched texts repeat. A repeated text is searched only for tokens that are new since its last search. */
const mostTexts = 64;
const longestText = 200;
const mostNew = 1024;

/**
 * The tokens that a provider issued to earlier runs, also before a restart. While they are valid, a provider may
 * quote them. Only fingerprints of them are stored (see `Pieces`), sealed under a key derived from the target's
 * secret key. A target gets some 3,000 tokens a day. One of 43 characters has 19 fingerprints of six bytes, so that
 * is 350 KB a day. They are in the state file, at most 5 MB per target, and are read only to search a new text.
 */
export class EarlierTokens implements EarlierSecrets {
  readonly #context: EarlierTokensContext;
  readonly #rows: FingerprintRows;
  readonly #empty: () => Pieces;
  readonly #maker: Pieces;
  /** Texts that contain no earlier tokens, except perhaps tokens added since. */
  readonly #searched = new Set<string>();
  #fresh: Pieces;
  /** All fingerprints, until they are garbage-collected. */
  #all: WeakRef<Pieces> | undefined;

  constructor(target: string, context: EarlierTokensContext) {
    const bytes = keyFor('their key', target, context.secretKey);
    this.#context = context;
    this.#rows = new FingerprintRows(target, context);
    const key = [bytes.readUInt32BE(0) | 1, bytes.readUInt32BE(4) | 1] as const;
    this.#empty = () => emptyPieces(key);
    this.#maker = this.#empty();
    this.#fresh = this.#empty();
  }

  kept(): readonly Secret[] {
    return this.#context.kept();
  }

  note(token: Secret): void {
    const found = fingerprintsOf(token, this.#maker);
    if (!this.#rows.add(found.map(packed))) return;
    if (this.#fresh.count >= mostNew) this.#begin();
    const known = this.#all?.deref();
    for (const one of found) {
      this.#fresh.add(one);
      known?.add(one);
    }
  }

  pieces(text: string): Pieces {
    return this.#searched.has(text) ? this.#fresh : this.#everything();
  }

  clear(text: string): void {
    if (text.length <= longestText && this.#searched.size < mostTexts) this.#searched.add(text);
  }

  #begin(): void {
    this.#searched.clear();
    this.#fresh = this.#empty();
    this.#all = undefined;
  }

  #everything(): Pieces {
    const known = this.#all?.deref();
    if (known !== undefined) return known;
    const pieces = this.#empty();
    for (const row of this.#rows.all()) for (const one of unpacked(row)) pieces.add(one);
    this.#all = new WeakRef(pieces);
    return pieces;
  }
}

function packed([high, low]: Fingerprint): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt32BE(high);
  bytes.writeUInt16BE(low, 4);
  return bytes;
}

function* unpacked(row: Buffer): Generator<Fingerprint> {
  for (let at = 0; at + 6 <= row.length; at += 6)
    yield [row.readUInt32BE(at), row.readUInt16BE(at + 4)];
}
