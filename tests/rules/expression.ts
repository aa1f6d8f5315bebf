/** The names of the series in a PromQL expression: what is no function, keyword, number or label. */
export const metricsIn = (expression: string): string[] => {
  const bare = expression
    .replaceAll(/"(?:\\.|[^"\\])*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  const names = bare.match(/(?<![\w:.])[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g) ?? [];
  const keywords = /^(and|or|unless|bool|offset|inf|nan)$/i;
  return [...new Set(names.filter((name) => !keywords.test(name)))];
};
