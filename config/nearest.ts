/** The most similar known word, regardless of case, and its distance in letters. */
export function nearest(word: string, known: readonly string[]) {
  const distances = known.map((other) => ({
    word: other,
    distance: distance(word.toLowerCase(), other.toLowerCase()),
  }));
  return distances.reduce((best, other) => (other.distance < best.distance ? other : best), {
    word: '',
    distance: Number.POSITIVE_INFINITY,
  });
}

/** `: did you mean endpoints?`, if the word differs from a known one in only a few letters. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  const isNear =
    near.distance < near.word.length && near.distance <= Math.max(2, near.word.length / 3);
  return isNear ? `: did you mean ${near.word}?` : '';
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
