/** Words of PromQL that name no series; functions are known by the parenthesis behind them. */
const words = ['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'];

/** Lists of labels; `without (probe, reason)` names none either. */
const labels = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;

/** The names of the series that a PromQL expression asks for. */
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
