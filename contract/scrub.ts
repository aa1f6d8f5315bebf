import { open, type Secret } from './secret.ts';
import { type View, viewsOf } from './view.ts';

const shortest = 4;

/**
 * Takes every secret it has learnt out of a text: as it is, in any case, URL-encoded, JSON- or HTML-escaped,
 * in base64 and in hex, and also any eight characters in a row of one, because providers echo parts of a token.
 * Not the secrets are encoded but the text is decoded: there are many secrets, and texts are short.
 */
export class Scrubber {
  readonly #learnt = new Set<string>();
  readonly #unread: string[] = [];
  /** The pieces that give a secret away, by their length. */
  readonly #pieces = new Map<number, Set<string>>();

  /** Learns a secret. Texts of fewer than four characters cannot be told from chance, and are let be. */
  learn(secret: Secret): void {
    const text = open(secret);
    if (text.length < shortest || this.#learnt.has(text)) return;
    this.#learnt.add(text);
    this.#unread.push(text);
  }

  /** The text with `[secret]` wherever a learnt secret, or a telling part of one, stood. */
  scrub(text: string): string {
    for (const secret of this.#unread.splice(0)) this.#cut(secret);
    const hidden = new Uint8Array(text.length);
    for (const view of viewsOf(text)) this.#hide(view, hidden);
    let clean = '';
    for (let at = 0; at < text.length; at++) {
      if (hidden[at] === 0) clean += text[at];
      else if (at === 0 || hidden[at - 1] === 0) clean += '[secret]';
    }
    return clean;
  }

  #hide(view: View, hidden: Uint8Array): void {
    const seen = folded(view.text);
    for (const [size, pieces] of this.#pieces)
      for (let at = 0; at + size <= seen.length; at++)
        if (pieces.has(seen.slice(at, at + size)))
          hidden.fill(1, view.from(at), view.to(at + size - 1));
  }

  #cut(secret: string): void {
    // What is decoded from bytes shows a text beyond ASCII as its bytes in UTF-8.
    for (const form of new Set([secret, Buffer.from(secret).toString('latin1')])) {
      const size = Math.min(form.length, Math.max(6, Math.min(8, Math.floor(form.length / 2))));
      const pieces = this.#pieces.get(size) ?? new Set();
      this.#pieces.set(size, pieces);
      const whole = folded(form);
      for (let at = 0; at + size <= whole.length; at++) pieces.add(whole.slice(at, at + size));
    }
  }
}

/**
 * A text without regard to case, each character in its place: `İ` in small letters is two, and would shift the rest.
 */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\0-\xff]*$/.test(text)) return lower;
  return Array.from({ length: text.length }, (_, at) => {
    const small = text.charAt(at).toLowerCase();
    return small.length === 1 ? small : text.charAt(at);
  }).join('');
}
