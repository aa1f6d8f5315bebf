/** A text after decoding: its characters, and the part of the source that each of them comes from. */
export interface View {
  /** UTF-16 code units. */
  readonly codes: Uint16Array;
  /** The beginning and the end of each in the source. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** A view that is being written. */
export class ViewBuilder {
  readonly #codes: Uint16Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  /** The number of written characters. */
  length = 0;

  /** @param most characters */
  constructor(most: number) {
    this.#codes = new Uint16Array(most);
    this.#from = new Int32Array(most);
    this.#to = new Int32Array(most);
  }

  add(code: number, from: number, to: number): void {
    this.#codes[this.length] = code;
    this.#from[this.length] = from;
    this.#to[this.length] = to;
    this.length += 1;
  }

  append({ codes, from, to }: View): void {
    this.#codes.set(codes, this.length);
    this.#from.set(from, this.length);
    this.#to.set(to, this.length);
    this.length += codes.length;
  }

  /** What was written since the given length. */
  view(since = 0): View {
    return {
      codes: this.#codes.subarray(since, this.length),
      from: this.#from.subarray(since, this.length),
      to: this.#to.subarray(since, this.length),
    };
  }
}

/**
 * Whether decoded bytes look like text. Letters that were never encoded decode to noise, which is not decoded again.
 */
export function isReadable(codes: Uint16Array): boolean {
  let readable = 0;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if ((code >= 0x20 && code < 0x7f) || (code >= 9 && code <= 13)) readable += 1;
  }
  return readable > 0.7 * codes.length;
}

/** The UTF-16 code units of a text. */
export function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}
