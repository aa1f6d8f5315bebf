import { encodedWords, unpad } from './masked.ts';
import { maxTokenLength, open, type Secret } from './secret.ts';

/** Longer texts are cut. Some text behind the cut is searched too, because the cut may divide a secret. */
const maxShown = 2048;
const maxSearched = maxShown + 512;

/** So many consecutive characters reveal a secret, because providers echo parts of a token. */
const pieceLength = 8;

/** Shorter secrets cannot be distinguished from chance. */
const minSecretLength = 4;

/** Secrets that outlive a scrubber, because later answers may quote them. */
export interface RememberedSecrets {
  /** Called with each token in an answer. */
  note(token: Secret): void;
  all(): readonly Secret[];
}

/**
 * Removes from a provider's text any eight consecutive characters of a known secret, in any case; every word that looks
 * encoded; and every word that has the form of an issued token. It decodes nothing.
 */
export class Scrubber {
  readonly #whole = new Set<string>();
  /** By their length, which is that of a secret if it is short. */
  readonly #pieces = new Map<number, Set<string>>();
  readonly #forms = new Set<string>();
  readonly #learnt = new WeakSet<Secret>();
  readonly #remembered: RememberedSecrets | undefined;

  constructor(remembered?: RememberedSecrets) {
    this.#remembered = remembered;
  }

  /** Adds a secret. Texts of fewer than four characters are ignored. */
  readonly learn = (secret: Secret): void => {
    if (this.#learnt.has(secret)) return;
    this.#learnt.add(secret);
    const text = fold(open(secret).slice(0, maxTokenLength));
    if (text.length < minSecretLength || this.#whole.has(text)) return;
    this.#whole.add(text);
    const length = Math.min(text.length, pieceLength);
    const pieces = this.#pieces.get(length) ?? new Set();
    this.#pieces.set(length, pieces);
    for (let at = 0; at + length <= text.length; at++) pieces.add(text.slice(at, at + length));
  };

  /** Adds a token of an answer. It is also noted for later scrubbers, which must know it. */
  learnToken(token: Secret): void {
    this.learn(token);
    this.#forms.add(wordForm(open(token)));
    this.#remembered?.note(token);
  }

  /** A provider's text with `[secret]` in place of each secret; at most 2,048 characters. */
  readonly scrub = (text: string): string => {
    const searched = text.slice(0, maxSearched);
    const remembered = this.#remembered?.all() ?? [];
    remembered.forEach(this.learn);
    for (const newest of remembered.slice(-1)) this.#forms.add(wordForm(open(newest)));
    const found = [...encodedWords(searched).map(toRange), ...this.#known(searched)];
    const shown = replaceRanges(searched, found, maxShown);
    return text.length > maxShown ? `${shown}…` : shown;
  };

  /** A text of a team's tests, of any length. Words that only look encoded stay. */
  readonly scrubKnown = (text: string): string => replaceRanges(text, this.#known(text));

  /** A text of the settings, which may hold a secret by mistake: only whole secrets are replaced. */
  readonly scrubWhole = (text: string): string =>
    replaceRanges(
      text,
      [...this.#whole].flatMap((secret) => findRanges(secret.length, new Set([secret]), text)),
    );

  /** The parts of secrets, and the words in the form of an issued token. */
  #known(text: string): Range[] {
    const tokens = [...text.matchAll(word)].filter(([token]) => this.#forms.has(wordForm(token)));
    const pieces = [...this.#pieces].flatMap((texts) => findRanges(...texts, text));
    return [...tokens.map(toRange), ...pieces];
  }
}

type Range = readonly [from: number, to: number];

const toRange = ({ 0: { length }, index }: RegExpExecArray): Range => [index, index + length];

/** Where texts of one length are in another. */
function findRanges(length: number, texts: ReadonlySet<string>, text: string): Range[] {
  const places = [...text.matchAll(/[^\\]/g)].map(({ index }) => index);
  const searched = fold(text);
  return [...places.keys()]
    .filter((at) => texts.has(searched.slice(at, at + length)))
    .map((at) => [places[at] ?? 0, (places[at + length - 1] ?? 0) + 1]);
}

/** A text as it is compared: in small letters, with blanks for pluses, and without the backslashes of escaped quotes. */
const fold = (text: string): string =>
  text
    .replaceAll('\\', '')
    .replaceAll('+', ' ')
    // One capital has two small letters.
    .replace(/\p{Lu}/gu, (capital) => capital.toLowerCase().slice(0, capital.length));

/** A word that may be a token, without padding and without a full stop at its end. A shorter one may be chance. */
const word = /[\w~+/|-][\w.~+/|-]{10,}[\w~+/|-]/g;

/** Its length, kinds of characters and separators. In base64url hyphens and underscores are letters. */
function wordForm(token: string): string {
  const text = unpad(token);
  const isBase64url = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
  const kinds = (isBase64url ? text.replace(/[-_]/g, '') : text)
    .replace(/[a-z]+/g, 'a')
    .replace(/[A-Z]+/g, 'A')
    .replace(/\d+/g, '0');
  return `${text.length} ${[...new Set(kinds)].sort().join('')}`;
}

/** The text with `[secret]` in place of the ranges, cut at a length. */
function replaceRanges(text: string, ranges: readonly Range[], length = text.length): string {
  const hidden = new Uint8Array(text.length);
  for (const [from, to] of ranges) hidden.fill(1, from, to);
  let shown = '';
  for (let at = 0; at < Math.min(text.length, length); at++)
    if (hidden[at] === 0) shown += text[at];
    else if (at === 0 || hidden[at - 1] === 0) shown += '[secret]';
  return shown;
}
