import { Scrubber } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { nearest } from '../../settings/nearest.ts';
import { shown } from '../../settings/settings-reader.ts';

/** The way to a value from the top of the file: `['targets', 0, 'url']`. */
export type Path = readonly (string | number)[];

/** Counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface Details {
  /** A text of the file that ends the sentence, after secrets were removed from it. */
  readonly quoted?: string | undefined;
  readonly accepted?: string;
  /** Whether the name is wrong, or the value behind it; the value by default. */
  readonly is?: 'name' | 'value';
}

/** With more lines, the first ones scroll away, and these often cause the others. */
const most = 10;

/** The mistakes in a file, collected until the whole file has been read. */
export class Complaints {
  readonly #file: string;
  readonly #locate: (path: Path, is: 'name' | 'value') => Position;
  readonly #scrubber = new Scrubber();
  readonly #noted: (Position & { readonly sentence: () => string; readonly missing?: string })[] =
    [];
  readonly #meant = new Set<string>();

  constructor(file: string, locate: (path: Path, is: 'name' | 'value') => Position) {
    this.#file = file;
    this.#locate = locate;
  }

  /** Records what is wrong with a value, in words that follow its path: `is not an address`. */
  about(path: Path, found: string, { quoted, accepted, is = 'value' }: Details = {}): void {
    const sentence = (): string => {
      const text = quoted === undefined ? '' : ` ${shown(quoted, this.#scrubber)}`;
      const tail = accepted === undefined ? '' : `; accepted: ${accepted}`;
      return `${this.#scrubber.scrubWhole(pathText(path))} ${found}${text}${tail}`;
    };
    this.#noted.push({ ...this.#locate(path, is), sentence });
  }

  /** Records that something is missing, unless its name is there but misspelt. */
  missing(path: Path, found = 'is missing'): void {
    const sentence = (): string => `${pathText(path)} ${found}`;
    this.#noted.push({ ...this.#locate(path, 'name'), sentence, missing: path.join() });
  }

  /** Records that a name was probably meant to be another, known name. */
  meant(path: Path): void {
    this.#meant.add(path.join());
  }

  /** Registers a secret, which no line may contain. */
  learn(secret: Secret): void {
    this.#scrubber.learn(secret);
  }

  get none(): boolean {
    return this.#noted.length === 0;
  }

  /** One line for each mistake, in the order of the file: `monitor.yaml:12:5: targets[0].endpionts is not known`. */
  lines(): string[] {
    const noted = this.#noted
      .filter(({ missing = '' }) => !this.#meant.has(missing))
      .map(({ sentence, ...position }) => ({ ...position, sentence: sentence() }));
    return inOrder(this.#file, noted);
  }
}

/** Lines about a file, each once, and at most ten. */
export function inOrder(
  file: string,
  noted: readonly (Position & { readonly sentence: string })[],
): string[] {
  const lines = noted
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .map(({ line, column, sentence }) => `${file}:${line}:${column}: ${sentence}`);
  const each = [...new Set(lines)];
  if (each.length <= most) return each;
  return [...each.slice(0, most), `${file}: and ${each.length - most} more like these`];
}

/** `targets[0].endpoints[1].path`; a name that does not consist of words is not shown: it may be a credential. */
function pathText(path: Path): string {
  const text = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${words.test(step) ? step : '…'}`))
    .join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

/** Words, and numbers as in `every-cause-gets-the-same-401`. */
const words = /^_{0,2}([a-z]{1,16}|\d{1,3})([_-]+([a-z]{1,16}|\d{1,3}))*_{0,2}$/i;

/** The known word that was probably meant: one that differs in only a few letters. */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  const near = nearest(word, known);
  if (near === undefined || near.distance >= near.word.length) return undefined;
  return near.distance <= Math.max(2, word.length / 3) ? near.word : undefined;
}

/** `: did you mean endpoints?`, or nothing. */
export const hint = (word: string | undefined): string =>
  word === undefined ? '' : `: did you mean ${word}?`;
