import { diff } from 'node:util';

/**
 * `: did you mean endpoints?`, if the word differs from a known one in only a few letters, regardless of case.
 * @param maxLetters how many letters are missing or too many; by default a third
 */
export function hint(word: string, known: readonly string[], maxLetters?: number): string {
  const [near] = known
    .map((name) => {
      const changes = diff(word.toLowerCase(), name.toLowerCase());
      return { name, letters: changes.filter(([sign]) => sign !== 0).length };
    })
    .filter(({ name, letters }) => letters <= (maxLetters ?? Math.max(2, name.length / 3)))
    .filter(({ name, letters }) => letters < name.length)
    .sort((a, b) => a.letters - b.letters);
  return near === undefined ? '' : `: did you mean ${near.name}?`;
}
