/**
 * The known word that is most similar to a word, regardless of case, and its distance in letters; undefined if the
 * list is empty.
 */
export function nearest(word: string, known: Iterable<string>) {
  const distances = [...known].map((other) => ({
    word: other,
    distance: distance(word.toLowerCase(), other.toLowerCase()),
  }));
  return distances.sort((one, other) => one.distance - other.distance)[0];
}

/** Levenshtein distance: how many letters must be inserted, deleted or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, otherLetter] of [...other].entries())
      next.push(
        Math.min(
          (next[index] ?? 0) + 1,
          (row[index + 1] ?? 0) + 1,
          (row[index] ?? 0) + (letter === otherLetter ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
