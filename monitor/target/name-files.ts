import { readFileSync, statSync } from 'node:fs';
import os from 'node:os';

/** The search list of the machine's own resolver, in order (resolv.conf(5)). */
export interface SearchList {
  readonly domains: readonly string[];
  /** A name with fewer dots than this is looked up in the domains first. */
  readonly ndots: number;
}

/** The names to look up for a given name, in order. A name with a trailing dot is complete. */
export function candidatesFor(name: string, { domains, ndots }: SearchList): string[] {
  if (name.endsWith('.')) return [name];
  const longer = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...longer] : [...longer, name];
}

/** Reads `search`, `domain` and `ndots`. Without the first two, the machine's own domain is searched. */
export function searchListIn(text: string, hostname = os.hostname()): SearchList {
  let domains = hostname.split('.').length > 1 ? [hostname.replace(/^[^.]*\./, '')] : [];
  let ndots = 1;
  for (const [keyword, ...values] of wordsOf(text, /[#;].*/)) {
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    const set = values.findLast((value) => /^ndots:\d+$/.test(value));
    if (keyword === 'options' && set !== undefined) ndots = Math.min(Number(set.slice(6)), 15);
  }
  return { domains: domains.map((one) => one.replace(/\.$/, '')).filter(Boolean), ndots };
}

/** The names with an address in a hosts file, in lower case. */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set(wordsOf(text, /#.*/).flatMap(([, ...names]) => names.map((one) => one.toLowerCase())));

const wordsOf = (text: string, comment: RegExp): string[][] =>
  text.split('\n').map((line) => line.replace(comment, '').trim().split(/\s+/));

/**
 * Follows the content of a file: it is read again when the file changes.
 * @param read parses the text, which is empty while there is no file
 */
export function following<Result>(path: string, read: (text: string) => Result): () => Result {
  let known: { readonly mark: string; readonly result: Result } | undefined;
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const mark = `${stat?.ino} ${stat?.mtimeMs} ${stat?.size}`;
    if (known?.mark !== mark)
      known = { mark, result: read(stat === undefined ? '' : readFileSync(path, 'utf8')) };
    return known.result;
  };
}
