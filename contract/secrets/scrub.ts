import { longestToken } from '../http/http-request.ts';
import { encodedWords, unpadded } from './masked.ts';
import { open, type Secret } from './secret.ts';

/** Longer texts are cut. Some text behind the cut is searched too, because the cut may divide a secret. */
const longestShown = 2048;
const longestSearched = longestShown + 512;

/** So many consecutive characters reveal a secret, because providers echo parts of a token. */
const pieceLength = 8;
/** Shorter secrets are one piece; below four characters they cannot be distinguished from chance. */
const pieceSizes = [4, 5, 6, 7, 8];

/** Of each piece, five characters begin at a multiple of four in the secret. */
const blockLength = 5;

/** Secrets that outlive a scrubber, because later answers may quote them. */
export interface RememberedSecrets {
  /** Called with each token in an answer. */
  note(token: Secret): void;
  all(): readonly Secret[];
}

/**
 * Removes secrets from the texts of a provider. It decodes nothing. It removes any eight consecutive characters of a
 * known secret, in any case; every word that looks encoded; and every word that has the form of an issued token. Our
 * own sentences hold no secret, and are not scrubbed.
 */
export class Scrubber {
  /** As they are compared. */
  readonly #secrets = new Set<string>();
  readonly #pieces = new Set<string>();
  readonly #forms = new Set<string>();
  readonly #remembered: RememberedSecrets | undefined;

  constructor(remembered?: RememberedSecrets) {
    this.#remembered = remembered;
  }

  /** Adds a secret. Texts of fewer than four characters are ignored. */
  learn(secret: Secret): void {
    const text = folded(open(secret).slice(0, longestToken));
    if (text.length < Math.min(...pieceSizes) || this.#secrets.has(text)) return;
    this.#secrets.add(text);
    for (let at = 0; at === 0 || at + pieceLength <= text.length; at++)
      this.#pieces.add(text.slice(at, at + pieceLength));
  }

  /** Adds a token of an answer. It is also noted for later scrubbers, which must know it. */
  learnToken(token: Secret): void {
    this.learn(token);
    this.#forms.add(formOf(open(token)));
    this.#remembered?.note(token);
  }

  /** A provider's text with `[secret]` in place of each secret; at most 2,048 characters. */
  scrub(text: string): string {
    const searched = text.slice(0, longestSearched);
    this.#recall(folded(searched));
    const found = [...encodedWords(searched).map(rangeOf), ...this.#known(searched)];
    const shown = replaced(searched, found, longestShown);
    return text.length > longestShown ? `${shown}…` : shown;
  }

  /** A text of a team's tests, of any length. Words that only look encoded stay. */
  scrubKnown(text: string): string {
    return replaced(text, this.#known(text));
  }

  /** The parts of known secrets, and the words in the form of an issued token. */
  #known(text: string): Range[] {
    const tokens = [...text.matchAll(word)].filter(([one]) => this.#forms.has(formOf(one)));
    return [...tokens.map(rangeOf), ...placesOf(this.#pieces, pieceSizes, text)];
  }

  /** A text of the settings, which may hold a secret by mistake: only whole secrets are replaced. */
  scrubWhole(text: string): string {
    const sizes = new Set([...this.#secrets].map(({ length }) => length));
    return replaced(text, placesOf(this.#secrets, sizes, text));
  }

  /** Learns the remembered secrets that a text may quote. There are hundreds of them, and most texts quote none. */
  #recall(text: string): void {
    const remembered = this.#remembered?.all() ?? [];
    for (const newest of remembered.slice(-1)) this.#forms.add(formOf(open(newest)));
    const blocks = new Set<string>();
    for (let at = 0; at < text.length; at++) blocks.add(text.slice(at, at + blockLength));
    for (const secret of remembered)
      if (secret.length < pieceLength || hasBlock(folded(open(secret)), blocks)) this.learn(secret);
  }
}

function hasBlock(secret: string, blocks: ReadonlySet<string>): boolean {
  for (let at = 0; at + blockLength <= secret.length; at += pieceLength - blockLength + 1)
    if (blocks.has(secret.slice(at, at + blockLength))) return true;
  return false;
}

type Range = readonly [from: number, to: number];

const rangeOf = ({ 0: { length }, index }: RegExpExecArray): Range => [index, index + length];

/** Where pieces of some sizes are in a text. */
function placesOf(pieces: ReadonlySet<string>, sizes: Iterable<number>, text: string): Range[] {
  const places = [...text.matchAll(/[^\\]/g)].map(({ index }) => index);
  const searched = folded(text);
  const found: Range[] = [];
  for (const size of sizes)
    for (let at = 0; at + size <= searched.length; at++)
      if (pieces.has(searched.slice(at, at + size)))
        found.push([places[at] ?? 0, (places[at + size - 1] ?? 0) + 1]);
  return found;
}

/** A text as it is compared: in small letters, with blanks for pluses, and without the backslashes of escaped quotes. */
function folded(text: string): string {
  const plain = text.replaceAll('\\', '').replaceAll('+', ' ');
  const small = plain.toLowerCase();
  if (small.length === plain.length) return small;
  // Some letters are two in the other case.
  return [...plain]
    .map((sign) => (sign.toLowerCase().length > sign.length ? sign : sign.toLowerCase()))
    .join('');
}

/** A word that may be a token, without padding and without a full stop at its end. A shorter one may be chance. */
const word = /[\w~+/|-][\w.~+/|-]{10,}[\w~+/|-]/g;

/**
 * The length of a token, whether it has small letters, capitals and digits, and its separators. In
 * base64url hyphens and underscores are letters, which one token has and another lacks.
 */
function formOf(token: string): string {
  const text = unpadded(token);
  const isBase64url = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
  const kinds = (isBase64url ? text.replace(/[-_]/g, '') : text)
    .replace(/[a-z]+/g, 'a')
    .replace(/[A-Z]+/g, 'A')
    .replace(/\d+/g, '0');
  return `${text.length} ${[...new Set(kinds)].sort().join('')}`;
}

/** The text with `[secret]` in place of the ranges, cut at a length. */
function replaced(text: string, ranges: readonly Range[], length = text.length): string {
  const hidden = new Uint8Array(text.length);
  for (const [from, to] of ranges) hidden.fill(1, from, to);
  let shown = '';
  for (let at = 0; at < Math.min(text.length, length); at++)
    if (hidden[at] === 0) shown += text[at];
    else if (at === 0 || hidden[at - 1] === 0) shown += '[secret]';
  return shown;
}
