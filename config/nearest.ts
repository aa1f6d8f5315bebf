/** The most similar known word, regardless of case, and its distance in letters. @param part of a word that counts */
export function nearest(word: string, known: Iterable<string>, part = (all: string) => all) {
  const wanted = part(word).toLowerCase();
  const distances = [...known].map((other) => ({
    word: other,
    distance: distance(wanted, part(other).toLowerCase()),
  }));
  return distances.sort((one, other) => one.distance - other.distance)[0];
}

/** `: did you mean endpoints?`, if the word differs from a known one in only a few letters. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near === undefined || near.distance >= near.word.length) return '';
  return near.distance <= Math.max(2, word.length / 3) ? `: did you mean ${near.word}?` : '';
}

/** Levenshtein distance: how many letters must be inserted, deleted or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, otherLetter] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min((next[index] ?? 0) + 1, (row[index + 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
