/** Keys and tokens that may look like words, and a password in a URL. The length bounds keep every search short. */
const shapes: readonly RegExp[] = [
  /\beyJ[\w-]{8,2000}\.[\w.-]{4,}/g,
  /\b([sr]k_(live|test)_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|npm_|AKIA)[\w-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*/gs,
  /\b\w+:\/\/[^\s/:@]+:[^\s/@]+@/g,
];

/** Replaces what looks like a key or a token in a text that people write: an argument, a setting, a pact. */
export const mask = (text: string): string =>
  shapes
    .reduce((rest, shape) => rest.replace(shape, '[secret]'), text)
    .replace(/[A-Za-z0-9+/_=-]{20,}/g, (run) => (looksRandom(run, 20, 1 / 4) ? '[secret]' : run));

/** A text without the padding of base64. It is searched for from its first sign, so this takes linear time. */
export const unpad = (text: string): string => text.replace(/(?<=[^=])=+$/, '');

/** An escape of a URL, of JSON or of HTML, or the beginning of a JWT. */
const encoding = /%[0-9a-f]{2}|\\[ux][0-9a-f]{2}|&(#\w{1,7}|amp|lt|gt|quot|apos);|\beyJ[\w-]{8}/i;

/** The words of a provider's text that look encoded, and so may hide a secret. */
export const encodedWords = (text: string): RegExpExecArray[] => [
  ...[...text.matchAll(/[^\s"'<>,(){}[\]]+/g)].filter(([word]) => encoding.test(word)),
  ...[...text.matchAll(/[A-Za-z0-9+/_=-]{10,}/g)].filter(([run]) => looksRandom(run, 10, 1 / 7)),
];

/** A UUID, or the day and the hour of a time: they are not secret. */
const harmless = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d/gi;

/** Between letters and digits, and at each word in camelCase: `refreshToken` has one change. */
const change = /[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])/g;

/** Neighbouring characters often differ in kind in a random text, but rarely in words, paths and identifiers. */
function looksRandom(run: string, minLength: number, share: number): boolean {
  const rest = run.replace(harmless, '');
  const parts = [rest, ...rest.split(/[/=]/)].filter(({ length }) => length >= minLength);
  return parts.some(
    (part) =>
      /^(?=.*\d)[0-9a-f]{16,}$/i.test(part) ||
      (part.match(change)?.length ?? 0) > share * part.length,
  );
}
