/** Texts of fewer characters cannot be distinguished from chance. */
export const shortest = 4;

/** How many consecutive characters reveal a secret of this length: providers echo parts of a token. */
export const sizeOf = (length: number): number =>
  Math.min(length, Math.max(6, Math.min(8, Math.floor(length / 2))));

/** The pieces that reveal secrets: a text is searched for all of them in one pass for each of their lengths. */
export class Pieces {
  readonly #bySize = new Map<number, Set<string>>();

  /** The length of the shortest piece. */
  get least(): number {
    return Math.min(...this.#bySize.keys());
  }

  /** Adds all pieces of a secret. */
  add(secret: string): void {
    const size = sizeOf(secret.length);
    const pieces = this.#bySize.get(size) ?? new Set();
    this.#bySize.set(size, pieces);
    for (let at = 0; at + size <= secret.length; at++) pieces.add(secret.slice(at, at + size));
  }

  /** Calls `found` with the beginning and the end of each piece in a text. */
  find(text: string, found: (from: number, to: number) => void): void {
    for (const [size, pieces] of this.#bySize)
      for (let at = 0; at + size <= text.length; at++)
        if (pieces.has(text.slice(at, at + size))) found(at, at + size);
  }
}

/** The length of the runs by which a secret is looked for before its pieces are. */
const runLength = 4;

/** The most runs of one secret that are looked for. */
const mostRuns = 128;

/**
 * Which runs of four characters occur in some texts. Most remembered secrets occur in none of them, and to find that
 * out takes a small part of the time that their pieces take.
 */
export class Runs {
  readonly #found = new Uint8Array(2 ** 16);

  constructor(texts: readonly string[]) {
    for (const text of texts)
      for (let at = 0; at + runLength <= text.length; at++) this.#found[hashAt(text, at)] = 1;
  }

  /**
   * Whether a piece of the secret may occur there, which is ASCII in any case. Each piece holds one of these runs. A
   * secret of more than 640 characters is found by a part of a seventieth of it.
   */
  mayHave(secret: string): boolean {
    const ofPieces = sizeOf(secret.length) - runLength + 1;
    const step = Math.max(1, ofPieces, Math.ceil(secret.length / mostRuns));
    for (let at = 0; at + runLength <= secret.length; at += step)
      if (this.#found[hashAt(secret, at)] === 1) return true;
    return false;
  }
}

/** A hash of the four characters there, from the bits in which small letters equal capitals. */
const hashAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 15) << 12) |
  ((text.charCodeAt(at + 1) & 15) << 8) |
  ((text.charCodeAt(at + 2) & 15) << 4) |
  (text.charCodeAt(at + 3) & 15);
