import { longestToken } from '../http/http-request.ts';
import { Pieces, Runs, shortest, sizeOf } from './pieces.ts';
import { open, type Secret } from './secret.ts';
import { viewsOf } from './view.ts';

/** Longer texts are cut. */
const mostShown = 2048;

/** Text beyond the limit is searched too, so that a secret that the cut divides is recognised by a part of it. */
const margin = 512;

/** The most characters of all decodings of a text together. A text that is encoded twice needs half of them. */
const mostDecoded = 100_000;

/** Replaces a text with too many encodings to be searched. */
const unreadable = '[not shown: encoded too often]';

/** Secrets that outlive a scrubber, because later answers may quote them. */
export interface RememberedSecrets {
  /** Called with each token in an answer. */
  note(token: Secret): void;
  all(): readonly Secret[];
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
  readonly #pieces = new Pieces();
  readonly #remembered: RememberedSecrets | undefined;

  constructor(remembered?: RememberedSecrets) {
    this.#remembered = remembered;
  }

  /** Adds a secret. Texts of fewer than four characters cannot be distinguished from chance, and are ignored. */
  learn(secret: Secret): void {
    this.#unread.push(secret);
  }

  /** Adds a token of an answer. It is also noted for later scrubbers, which must know it. */
  learnToken(token: Secret): void {
    this.learn(token);
    this.#remembered?.note(token);
  }

  /**
   * The text with `[secret]` in place of each known secret, or a revealing part of one; at most 2,048 characters.
   */
  scrub(text: string): string {
    for (const secret of this.#unread.splice(0)) this.#cut(secret);
    const remembered = this.#remembered?.all().filter(({ length }) => length >= shortest) ?? [];
    const least = Math.min(this.#pieces.least, ...remembered.map(({ length }) => sizeOf(length)));
    const looked = text.slice(0, mostShown + margin);
    const views = least === Infinity ? [] : [...viewsOf(looked, least, mostDecoded)];
    const readable = views.filter((view) => view !== undefined);
    if (readable.length < views.length) return unreadable;
    const texts = readable.map(({ codes }) => folded(textOf(codes)));
    const runs = new Runs(texts);
    for (const secret of remembered)
      if (!isAscii(open(secret)) || runs.mayHave(open(secret))) this.#cut(secret);
    const hidden = new Uint8Array(looked.length);
    for (const [index, { from, to }] of readable.entries())
      this.#pieces.find(texts[index] ?? '', (first, end) =>
        hidden.fill(1, from[first], to[end - 1]),
      );
    return shown(text, hidden);
  }

  #cut(secret: Secret): void {
    const text = open(secret);
    if (text.length < shortest || this.#learnt.has(text)) return;
    this.#learnt.add(text);
    for (const form of formsOf(secret)) this.#pieces.add(form);
  }
}

/** Text that is decoded from bytes shows non-ASCII characters as their UTF-8 bytes. */
function formsOf(secret: Secret): string[] {
  const text = open(secret).slice(0, longestToken);
  const forms = isAscii(text) ? [text] : [text, Buffer.from(text).toString('latin1')];
  return forms.map(folded);
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint16Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');

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
const folded = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.replace(/[^\0-@[-\x7f]/g, smallOf);

const smallOf = (letter: string): string => {
  const small = letter.toLowerCase();
  return small.length === 1 ? small : letter;
};

/** Only the characters of ASCII are one byte of UTF-8. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;
