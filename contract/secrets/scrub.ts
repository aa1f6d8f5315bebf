import { longestToken } from '../http/request-encoding.ts';
import { type Fingerprint, type PieceKey, Pieces } from './pieces.ts';
import { open, type Secret } from './secret.ts';
import { viewsOf } from './view.ts';
import { codesOf } from './view-builder.ts';

const shortest = 4;

/** Longer texts are cut. */
const mostShown = 2048;

/** Text beyond the limit is searched too, so that a secret that the cut divides is recognised by a part of it. */
const margin = 512;

/** The most characters of all decodings of a text together. A text that is encoded twice needs half of them. */
const mostDecoded = 100_000;

/** Replaces a text with too many encodings to be searched. */
const unreadable = '[not shown: encoded too often]';

/** Secrets that this scrubber does not know itself: those of earlier runs. */
export interface EarlierSecrets {
  /** Called with each token in an answer. */
  note(token: Secret): void;
  /** Secrets that are still in use. */
  kept(): readonly Secret[];
  /** Fingerprints of secrets that are not in use and may occur in a text. */
  pieces(text: string): Pieces | undefined;
  /** Called when none of them occurs there. */
  clear(text: string): void;
}

/**
 * Removes every known secret from a text: as it is, in any case, escaped for a URL, JSON, HTML or a log, in base64
 * and in hex. It also removes any eight consecutive characters of a secret, because providers echo parts of a token.
 * The text is decoded instead of encoding the secrets, because there are many secrets and texts are short. A
 * provider's text may be as long as a body, and encoded many times, so the searched amount is limited.
 */
export class Scrubber {
  readonly #learnt = new Set<string>();
  readonly #unread: Secret[] = [];
  /** The pieces that reveal a secret, by their length. */
  readonly #pieces = new Map<number, Pieces>();
  readonly #earlier: EarlierSecrets | undefined;

  constructor(earlier?: EarlierSecrets) {
    this.#earlier = earlier;
  }

  /** Adds a secret. Texts of fewer than four characters cannot be distinguished from chance, and are ignored. */
  learn(secret: Secret): void {
    this.#unread.push(secret);
  }

  /** Adds a token of an answer. It is also noted for later scrubbers, which must know it. */
  learnToken(token: Secret): void {
    this.learn(token);
    this.#earlier?.note(token);
  }

  /**
   * The text with `[secret]` in place of each known secret, or a revealing part of one; at most 2,048 characters.
   */
  scrub(text: string): string {
    const kept = this.#earlier?.kept() ?? [];
    for (const secret of [...this.#unread.splice(0), ...kept]) this.#cut(open(secret));
    const known = [...this.#pieces.values()];
    const earlier = this.#earlier?.pieces(text);
    const least = Math.min(...known.map(({ size }) => size), earlier?.size ?? Infinity);
    const looked = text.slice(0, mostShown + margin);
    const hidden = new Uint8Array(looked.length);
    let foundEarlier = false;
    for (const view of least === Infinity ? [] : viewsOf(looked, least, mostDecoded)) {
      if (view === undefined) return unreadable;
      const seen = folded(view.codes);
      const hide = (from: number, to: number): void => {
        hidden.fill(1, view.from[from], view.to[to - 1]);
      };
      for (const pieces of known) pieces.find(seen, (at) => hide(at, at + pieces.size));
      let end = 0;
      earlier?.find(seen, (at) => {
        foundEarlier = true;
        // A match inside a hidden word is hidden already.
        if (at + earlier.size <= end) return;
        const word = wordAround(seen, at, at + earlier.size);
        end = word[1];
        hide(...word);
      });
    }
    if (!foundEarlier) this.#earlier?.clear(text);
    return shown(text, hidden);
  }

  #cut(secret: string): void {
    if (secret.length < shortest || this.#learnt.has(secret)) return;
    this.#learnt.add(secret);
    for (const form of formsOf(secret.slice(0, longestToken))) {
      const size = Math.min(form.length, Math.max(6, Math.min(8, Math.floor(form.length / 2))));
      const pieces = this.#pieces.get(size) ?? new Pieces(size);
      this.#pieces.set(size, pieces);
      for (const piece of pieces.fingerprints(form)) pieces.add(piece);
    }
  }
}

/** The most pieces that are stored of a long token; they are further apart. */
const mostOfOne = 64;

/**
 * The pieces by which an earlier token is found: seven characters from every second position on, because any eight
 * consecutive characters contain one of them. In a token of more than about 135 characters the pieces are further
 * apart, so that more than eight consecutive characters are needed to find it. The whole word around a found piece is
 * hidden.
 */
export const emptyPieces = (key: PieceKey): Pieces => new Pieces(7, key);

/** The fingerprints of those pieces of a token. @param pieces made by `emptyPieces` */
export function fingerprintsOf(token: Secret, pieces: Pieces): Fingerprint[] {
  return formsOf(open(token).slice(0, longestToken)).flatMap((form) => {
    const places = form.length - pieces.size + 1;
    return pieces.fingerprints(form, Math.max(2, Math.ceil(places / mostOfOne)));
  });
}

/** Text that is decoded from bytes shows non-ASCII characters as their UTF-8 bytes. */
const formsOf = (secret: string): Uint16Array[] =>
  [...new Set([secret, Buffer.from(secret).toString('latin1')])].map((form) =>
    folded(codesOf(form)),
  );

/**
 * A run of the characters that tokens consist of (RFC 6750 2.1), except those that also join words: `/` and `=`.
 */
function wordAround(codes: Uint16Array, from: number, to: number): [from: number, to: number] {
  const isLetter = (code: number | undefined): boolean =>
    code !== undefined && /^[\w.~+-]$/.test(String.fromCharCode(code));
  let first = from;
  let last = to;
  while (isLetter(codes[first - 1])) first -= 1;
  while (isLetter(codes[last])) last += 1;
  return [first, last];
}

function shown(text: string, hidden: Uint8Array): string {
  let clean = '';
  let at = 0;
  const end = Math.min(text.length, mostShown);
  while (at < end) {
    const isHidden = hidden[at] === 1;
    let next = at + 1;
    while (next < end && (hidden[next] === 1) === isHidden) next += 1;
    clean += isHidden ? '[secret]' : text.slice(at, next);
    at = next;
  }
  return text.length > mostShown ? `${clean}…` : clean;
}

/** A text in lower case, with each character in its place. `İ` stays, because it becomes two characters. */
function folded(codes: Uint16Array): Uint16Array {
  const small = new Uint16Array(codes.length);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    small[at] = code < 0x80 ? code + (code >= 0x41 && code <= 0x5a ? 0x20 : 0) : smallOf(code);
  }
  return small;
}

function smallOf(code: number): number {
  const small = String.fromCharCode(code).toLowerCase();
  return small.length === 1 ? small.charCodeAt(0) : code;
}
