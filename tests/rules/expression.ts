/** Words of PromQL that are not names of series. Functions are recognised by the parenthesis after them. */
const words = ['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'];

/** Lists of labels; `without (probe, reason)` contains no series either. */
const labels = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;

/** The names of the series in a PromQL expression. */
export function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"(?:\\.|[^"\\])*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(labels, ' ');
  const names = [...bare.matchAll(/(?<![\w:.])[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g)].map(
    ([name]) => name,
  );
  return [...new Set(names.filter((name) => !words.includes(name.toLowerCase())))];
}
