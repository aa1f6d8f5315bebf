import { diff } from 'node:util';

/**
 * `: did you mean endpoints?`, if the word differs from a known one in only a few letters, regardless of case.
 * @param most how many letters are missing or too many; by default a third
 */
export function hint(word: string, known: readonly string[], most?: number): string {
  const [near] = known
    .map((other) => ({ other, changes: diff(word.toLowerCase(), other.toLowerCase()) }))
    .map(({ other, changes }) => ({
      other,
      letters: changes.filter(([sign]) => sign !== 0).length,
    }))
    .filter(({ other, letters }) => letters <= (most ?? Math.max(2, other.length / 3)))
    .filter(({ other, letters }) => letters < other.length)
    .sort((one, another) => one.letters - another.letters);
  return near === undefined ? '' : `: did you mean ${near.other}?`;
}
