import type { Fingerprint, Pieces } from '../../contract/secrets/pieces.ts';
import { type EarlierSecrets, emptyPieces, fingerprintsOf } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { fingerprintRows, keyFor, type RowsContext } from './fingerprint-rows.ts';

export interface EarlierTokensContext extends RowsContext {
  /** Tokens that are still in use: they are not forgotten, and may be older than a day. */
  readonly kept: () => readonly Secret[];
}

/** A few texts are most of what is searched, again and again: only tokens that are new since then are looked for. */
const mostTexts = 64;
const longestText = 200;
const mostNew = 1024;

/**
 * The tokens that a provider gave to earlier runs, also before a restart: while they live a provider may quote them.
 * Of each only fingerprints are remembered (see `Pieces`), sealed under a key derived from the target's secret key.
 * A target gets some 3,000 tokens a day, and one of 43 characters has 19 fingerprints of six bytes: 350 KB a day. So
 * they lie in the state file, which holds at most 5 MB of them for a target, and are read when a text is searched that
 * was not searched before.
 * @param target its name
 */
export function earlierTokens(target: string, context: EarlierTokensContext): EarlierSecrets {
  const rows = fingerprintRows(target, context);
  const bytes = keyFor('their key', target, context.secretKey);
  const empty = (): Pieces => emptyPieces([bytes.readUInt32BE(0) | 1, bytes.readUInt32BE(4) | 1]);
  const maker = empty();
  /** Texts without any of the tokens but those that are new. */
  const searched = new Set<string>();
  let fresh = empty();
  /** All of them, until memory is short. */
  let all: WeakRef<Pieces> | undefined;

  function begin(): void {
    searched.clear();
    fresh = empty();
    all = undefined;
  }

  function everything(): Pieces {
    const known = all?.deref();
    if (known !== undefined) return known;
    const pieces = empty();
    for (const row of rows.all()) for (const one of unpacked(row)) pieces.add(one);
    all = new WeakRef(pieces);
    return pieces;
  }

  return {
    kept: context.kept,
    note(token) {
      const found = fingerprintsOf(token, maker);
      if (!rows.add(found.map(packed))) return;
      if (fresh.count >= mostNew) begin();
      const known = all?.deref();
      for (const one of found) {
        fresh.add(one);
        known?.add(one);
      }
    },
    pieces: (text) => (searched.has(text) ? fresh : everything()),
    clear(text) {
      if (text.length <= longestText && searched.size < mostTexts) searched.add(text);
    },
  };
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
