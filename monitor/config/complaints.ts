import { Scrubber } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { nearest } from '../../settings/nearest.ts';
import { shown } from '../../settings/reading.ts';

/** The way to a value from the top of the file: `['targets', 0, 'url']`. */
export type Path = readonly (string | number)[];

/** Counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What more is told of a value. */
interface Details {
  /** A text of the file that ends the sentence, once secrets have been taken out of it. */
  readonly quoted?: string | undefined;
  readonly accepted?: string;
  /** Whether the name is what is wrong, or the value behind it, as it is unless said. */
  readonly is?: 'name' | 'value';
}

/** What is wrong with a file, kept until all of it has been read. */
export interface Complaints {
  /** Notes what is wrong with a value, in words that go on after its path: `is no address`. */
  about(path: Path, found: string, details?: Details): void;
  /** Notes that something is not there; in vain where its name is there misspelt. */
  missing(path: Path, found?: string): void;
  /** A name was meant for another one. */
  meant(path: Path): void;
  /** A text that no line may show. */
  learn(secret: Secret): void;
  readonly none: boolean;
  /** A line for each, as the file has them: `monitor.yaml:12:5: targets[0].endpionts is not known`. */
  lines(): string[];
}

/** More would scroll the first ones away, which are often the cause of others. */
const most = 10;

/** Opens the book for a file. */
export function complaintsOf(
  file: string,
  locate: (path: Path, is: 'name' | 'value') => Position,
): Complaints {
  const scrubber = new Scrubber();
  const noted: (Position & { readonly sentence: () => string; readonly missing?: string })[] = [];
  const meant = new Set<string>();
  return {
    missing(path, found = 'is missing') {
      const sentence = (): string => `${pathText(path)} ${found}`;
      noted.push({ ...locate(path, 'name'), sentence, missing: path.join() });
    },
    meant: (path) => meant.add(path.join()),
    about(path, found, { quoted, accepted, is = 'value' } = {}) {
      const sentence = (): string => {
        const text = quoted === undefined ? '' : ` ${shown(quoted, scrubber)}`;
        const tail = accepted === undefined ? '' : `; accepted: ${accepted}`;
        return `${scrubber.scrub(pathText(path))} ${found}${text}${tail}`;
      };
      noted.push({ ...locate(path, is), sentence });
    },
    learn: (secret) => scrubber.learn(secret),
    get none() {
      return noted.length === 0;
    },
    lines: () =>
      inOrder(
        file,
        noted
          .filter(({ missing = '' }) => !meant.has(missing))
          .map(({ sentence, ...position }) => ({ ...position, sentence: sentence() })),
      ),
  };
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

/** `targets[0].endpoints[1].path`; a name that is not made of words is not shown: it may be a credential. */
function pathText(path: Path): string {
  const text = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${words.test(step) ? step : '…'}`))
    .join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

/** Words, and numbers as in `http-1-0-is-no-way-in` and `every-cause-gets-the-same-401`. */
const words = /^_{0,2}([a-z]{1,16}|\d{1,3})([_-]+([a-z]{1,16}|\d{1,3}))*_{0,2}$/i;

/** The known word that was meant, perhaps: one that is only a few letters away. */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  const near = nearest(word, known);
  if (near === undefined || near.distance >= near.word.length) return undefined;
  return near.distance <= Math.max(2, word.length / 3) ? near.word : undefined;
}

/** `: did you mean endpoints?`, or nothing. */
export const hint = (word: string | undefined): string =>
  word === undefined ? '' : `: did you mean ${word}?`;
