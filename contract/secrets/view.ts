import { base64Digits, bytesOf, hexDigits, runs } from './encoded-bytes.ts';
import { escapes, unescaped } from './escapes.ts';
import { isReadable, type View, ViewBuilder } from './view-builder.ts';

/** An encoding may be nested: JSON in JSON, a URL in a query, credentials in base64 in either. */
const deepest = 3;

/**
 * The ways in which a text may be read: as it is, URL-decoded, without the escapes of JSON and HTML, and each run of
 * letters as base64 and as hex, at every possible offset. The results are decoded in the same ways. Decoded bytes are
 * read as Latin-1. Each view is made on demand.
 * @param least a run of letters that decodes to fewer characters is left out
 * @param most characters of all decodings together
 * @returns views; the last one is undefined if a text is encoded so often that there are too many ways
 */
export function* viewsOf(text: string, least: number, most: number): Generator<View | undefined> {
  const itself = new ViewBuilder(text.length);
  for (let at = 0; at < text.length; at++) itself.add(text.charCodeAt(at), at, at + 1);
  yield itself.view();
  // Two kinds of escapes give the same result in either order.
  const known = new Set<string>();
  let read = 0;
  let layer: readonly View[] = [itself.view()];
  for (let depth = 1; depth <= deepest; depth++) {
    const next: View[] = [];
    for (const view of layer)
      for (const { all, readable } of decoded(view, least)) {
        // Decoding costs something even if the result is empty.
        read += all.codes.length + 8;
        if (read > most) return yield undefined;
        const name = nameOf(all);
        if (known.has(name)) continue;
        known.add(name);
        yield all;
        if (readable.codes.length > 0) next.push(readable);
      }
    layer = next;
  }
}

/** The result of one decoding, and the part of it that may be decoded again. */
interface Decoded {
  readonly all: View;
  readonly readable: View;
}

const nothing: View = new ViewBuilder(0).view();

function* decoded(view: View, least: number): Generator<Decoded> {
  for (const kind of escapes) {
    const all = unescaped(view, kind);
    if (all !== undefined) yield { all, readable: isReadable(all.codes) ? all : nothing };
  }
  for (const digits of [base64Digits, hexDigits]) {
    const found = runs(view, digits, Math.ceil((8 * least) / digits.bits));
    if (found.length === 0) continue;
    for (let skip = 0; skip < digits.places; skip++) yield bytesOf(view, found, skip, digits);
  }
}

/** Views with the same name have the same characters from the same places. A provider cannot predict names. */
function nameOf({ codes, from, to }: View): string {
  let one = codes.length;
  let other = 0;
  for (let at = 0; at < codes.length; at++) {
    one = (Math.imul(one, ourNumber) + (codes[at] ?? 0)) | 0;
    other = (Math.imul(other, ourNumber) + (from[at] ?? 0) + 7 * (to[at] ?? 0)) | 0;
  }
  return `${one} ${other}`;
}

const ourNumber = Math.floor(Math.random() * 2 ** 32) | 1;
