/** Two odd numbers of 32 bits: with another key, pieces have other fingerprints. */
export type PieceKey = readonly [number, number];

/** A piece in 48 bits: the first number has 32 of them, and is never 0. */
export type Fingerprint = readonly [high: number, low: number];

/** For pieces that are needed only in this process. */
const plainKey: PieceKey = [0x9e3779b1, 0x85ebca6b];

/**
 * Pieces of texts, all of one length, by their fingerprints: a text is searched for all of them in one pass,
 * however many there are, and none of them is stored in plain text. Texts are UTF-16 code units. A fingerprint
 * protects a piece against being read by chance, but not against an attacker who has the key, so code that stores
 * fingerprints seals them.
 */
export class Pieces {
  /** The length of a piece in characters. */
  readonly size: number;
  readonly #high: RollingHash;
  readonly #low: RollingHash;
  /** A hash table with open addressing: a high of 0 is an empty slot. Its length is a power of two. */
  #highs = new Uint32Array(64);
  #lows = new Uint16Array(64);
  #count = 0;

  constructor(size: number, [high, low]: PieceKey = plainKey) {
    this.size = size;
    this.#high = new RollingHash(high, size);
    this.#low = new RollingHash(low, size);
  }

  /** The number of different pieces. */
  get count(): number {
    return this.#count;
  }

  /** The fingerprints of every nth piece of a text. */
  fingerprints(codes: Uint16Array, stride = 1): Fingerprint[] {
    const found: Fingerprint[] = [];
    this.#high.each(codes, (high, at) => {
      if (at % stride === 0) found.push([high || 1, this.#low.at(codes, at) >>> 16]);
    });
    return found;
  }

  /** Adds a fingerprint that was made with the same key and size. */
  add([high, low]: Fingerprint): void {
    const slot = this.#slotOf(high, low);
    if (this.#highs[slot] !== 0) return;
    this.#highs[slot] = high;
    this.#lows[slot] = low;
    this.#count += 1;
    if (2 * this.#count > this.#highs.length) this.#grow();
  }

  /** Calls `found` with each place of a text where one of the pieces begins, from left to right. */
  find(codes: Uint16Array, found: (at: number) => void): void {
    const highs = this.#highs;
    const shift = this.#shift;
    this.#high.each(codes, (hash, at) => {
      const high = hash || 1;
      // Usually there is no match, and the second hash would be wasted.
      if (highs[high >>> shift] === 0) return;
      if (highs[this.#slotOf(high, this.#low.at(codes, at) >>> 16)] !== 0) found(at);
    });
  }

  /** The high bits of a hash modulo 2^32 depend on all characters, the low bits on few. */
  get #shift(): number {
    return Math.clz32(this.#highs.length) + 1;
  }

  /** The place of a fingerprint, or where it would be. */
  #slotOf(high: number, low: number): number {
    const last = this.#highs.length - 1;
    let slot = high >>> this.#shift;
    while (this.#highs[slot] !== 0 && (this.#highs[slot] !== high || this.#lows[slot] !== low))
      slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const highs = this.#highs;
    const lows = this.#lows;
    this.#highs = new Uint32Array(4 * highs.length);
    this.#lows = new Uint16Array(4 * lows.length);
    for (let slot = 0; slot < highs.length; slot++) {
      const high = highs[slot] ?? 0;
      const low = lows[slot] ?? 0;
      if (high === 0) continue;
      const free = this.#slotOf(high, low);
      this.#highs[free] = high;
      this.#lows[free] = low;
    }
  }
}

/** Rabin-Karp hash modulo 2^32: each further piece of a text costs the same, whatever its length. */
class RollingHash {
  readonly #base: number;
  readonly #size: number;
  /** The factor of the character that leaves a piece. */
  readonly #leaving: number;

  constructor(base: number, size: number) {
    this.#base = base;
    this.#size = size;
    let power = 1;
    for (let count = 0; count < size; count++) power = Math.imul(power, base);
    this.#leaving = power;
  }

  each(codes: Uint16Array, use: (hash: number, at: number) => void): void {
    const base = this.#base;
    const size = this.#size;
    const leaving = this.#leaving;
    let hash = 0;
    for (let end = 0; end < codes.length; end++) {
      hash = (Math.imul(hash, base) + (codes[end] ?? 0) + 1) | 0;
      const at = end + 1 - size;
      if (at > 0) hash = (hash - Math.imul((codes[at - 1] ?? 0) + 1, leaving)) | 0;
      if (at >= 0) use(hash >>> 0, at);
    }
  }

  /** The hash of the piece at one place. */
  at(codes: Uint16Array, at: number): number {
    let hash = 0;
    for (let next = at; next < at + this.#size; next++)
      hash = Math.imul(hash, this.#base) + (codes[next] ?? 0) + 1;
    return hash >>> 0;
  }
}
