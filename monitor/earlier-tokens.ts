import { field } from '../contract/answer.ts';
import { minutes } from '../contract/clock.ts';
import type { Fingerprint, PieceKey, Pieces } from '../contract/pieces.ts';
import { type EarlierSecrets, emptyPieces, fingerprintsOf } from '../contract/scrub.ts';
import { Secret } from '../contract/secret.ts';
import { fingerprintOf, openText, sealText } from './canary/seal.ts';
import type { State } from './state/state.ts';
import { isNumber } from './stored.ts';
import type { Time } from './time.ts';

/** What is needed of the target's monitor. */
export interface EarlierTokensContext {
  readonly secretKey: Secret;
  readonly state: Pick<State, 'entries' | 'put' | 'remove'>;
  readonly time: Pick<Time, 'wall'>;
  /** Tokens that somebody keeps: they are not forgotten, and may be older than a day. */
  readonly kept: () => readonly Secret[];
}

/** The fingerprints of the tokens of some minutes: each has six bytes, which are eight characters of base64. */
interface Row {
  readonly number: number;
  /** When it was begun (wall clock). */
  readonly at: number;
  fingerprints: string;
}

const rowMs = minutes(10);
const mostCharacters = 32_768;

/** Those of more than 26 hours: a token lives for 24. Rows are counted, so that no step of the clock takes one away. */
const mostRows = 160;

/**
 * The tokens that a provider gave to earlier runs, also before a restart: while they live a provider may quote them.
 * Of each only fingerprints are remembered (see `Pieces`), sealed under a key derived from the target's secret key.
 * A target gets some 3,000 tokens a day, and one of 43 characters has 19 fingerprints: 350 KB a day. So they lie in the
 * state file, and are read when a text is to be searched; the file holds at most 5 MB of them for a target.
 * @param target its name
 */
export function earlierTokens(target: string, context: EarlierTokensContext): EarlierSecrets {
  const { secretKey, state, time, kept } = context;
  const key = keyOf(target, secretKey);
  const maker = emptyPieces(key);
  let latest: Row | undefined;
  /** All of them, until memory is short or a row is begun. */
  let all: WeakRef<Pieces> | undefined;

  const about = (number: number) => ({ target, canary: `fingerprints ${number}` });

  /** What is stored of a row; undefined for one of other credentials, and for a damaged one. */
  function opened([number, value]: StoredRow): Row | undefined {
    const [at, sealed] = [field(value, 'at'), field(value, 'sealed')];
    if (typeof sealed !== 'string' || !isNumber(at)) return undefined;
    const fingerprints = openText(sealed, secretKey, about(number));
    return fingerprints === undefined ? undefined : { number, at, fingerprints };
  }

  const isFull = ({ at, fingerprints }: Row): boolean =>
    Math.abs(time.wall() - at) >= rowMs || fingerprints.length >= mostCharacters;

  /** The row that is written to: after a restart that from before. */
  function current(): Row {
    if (latest !== undefined && !isFull(latest)) return latest;
    const stored = storedRows(state, target);
    const last = stored.at(-1);
    const before = latest === undefined && last !== undefined ? opened(last) : undefined;
    if (before !== undefined && !isFull(before)) latest = before;
    else {
      const number = Math.max(last?.[0] ?? 0, latest?.number ?? 0) + 1;
      for (const [old] of stored)
        if (old <= number - mostRows) state.remove(target, 'fingerprints', String(old));
      latest = { number, at: time.wall(), fingerprints: '' };
      all = undefined;
    }
    return latest;
  }

  return {
    kept,
    note(token) {
      const found = fingerprintsOf(token, maker);
      const row = current();
      const known = new Set(row.fingerprints.match(/.{8}/g));
      const added = found.map(packed).filter((one) => !known.has(one) && known.add(one));
      if (added.length === 0) return;
      row.fingerprints += added.join('');
      const sealed = sealText(row.fingerprints, secretKey, about(row.number));
      state.put(target, 'fingerprints', String(row.number), { at: row.at, sealed });
      const pieces = all?.deref();
      if (pieces !== undefined) for (const fingerprint of found) pieces.add(fingerprint);
    },
    pieces() {
      const known = all?.deref();
      if (known !== undefined) return known;
      const pieces = emptyPieces(key);
      for (const stored of storedRows(state, target))
        for (const fingerprint of unpacked(opened(stored)?.fingerprints ?? ''))
          pieces.add(fingerprint);
      all = new WeakRef(pieces);
      return pieces;
    },
  };
}

type StoredRow = readonly [number: number, value: unknown];

/** The oldest first. Where the disk fails there are none: the monitor goes on, and its log tells of the disk. */
function storedRows(state: EarlierTokensContext['state'], target: string): StoredRow[] {
  try {
    return [...state.entries(target, 'fingerprints')]
      .map(([name, value]) => [Number(name), value] as const)
      .filter(([number]) => Number.isInteger(number))
      .sort(([one], [other]) => one - other);
  } catch {
    return [];
  }
}

/** Without the secret key nobody can make the fingerprints of a text. */
function keyOf(target: string, secretKey: Secret): PieceKey {
  const name = fingerprintOf(new Secret('the key of fingerprints'), secretKey, target);
  const bytes = Buffer.from(name, 'base64url');
  return [bytes.readUInt32BE(0) | 1, bytes.readUInt32BE(4) | 1];
}

function packed([high, low]: Fingerprint): string {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt32BE(high);
  bytes.writeUInt16BE(low, 4);
  return bytes.toString('base64');
}

function* unpacked(fingerprints: string): Generator<Fingerprint> {
  const bytes = Buffer.from(fingerprints, 'base64');
  for (let at = 0; at + 6 <= bytes.length; at += 6)
    yield [bytes.readUInt32BE(at), bytes.readUInt16BE(at + 4)];
}
