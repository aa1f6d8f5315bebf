/* Credentials that were not registered as secrets, such as one in a setting of another name. */

/** The typical forms of keys and tokens, and of a password in a URL. The length bounds keep every search short. */
const shapes: readonly RegExp[] = [
  /\beyJ[\w-]{8,2000}\.[\w.-]{4,}/g,
  /\b[sr]k_(live|test)_\w+/g,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/g,
  /\b(gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{20,})/g,
  /\bxox[abprs]-[\w-]{10,}|\bnpm_\w{30,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*/gs,
  /\b\w+:\/\/[^\s/:@]+:[^\s/@]+@/g,
];

const fewest = 20;
/** Characters of base64, hex, or any other alphabet of tokens. */
const long = new RegExp(`[A-Za-z0-9+/_=-]{${fewest},}`, 'g');

/** Random, but not a secret. */
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The beginnings of PNG, JPEG, GIF, PDF and ZIP files in base64. */
const file = /^(iVBORw0KGgo|\/9j\/|R0lGOD|JVBERi|UEsDB)/;

/** Replaces the parts of a text that look like a key or a token, or are not a word, path or identifier. */
export const masked = (text: string): string =>
  shapes
    .reduce((rest, shape) => rest.replace(shape, '[secret]'), text)
    .replace(long, (run) => {
      const inside = textInBase64(run);
      if (inside !== undefined) return masked(inside) === inside ? run : '[secret]';
      const rest = run.replace(uuid, '');
      if (file.test(rest)) return run;
      return [rest, ...rest.split(/[/=]/)].some(looksRandom) ? '[secret]' : run;
    });

/** The decoded text; undefined when the run is not base64 of printable text. Random bytes almost never are. */
function textInBase64(run: string): string | undefined {
  const bytes = Buffer.from(run, 'base64');
  const text = bytes.toString();
  const isWhole = unpadded(bytes.toString('base64')) === unpadded(run);
  return isWhole && /^[\x20-\x7e\s]+$/.test(text) ? text : undefined;
}

/**
 * A text without the padding of base64: lenient decoders accept it, and ignore what follows. A text of padding alone
 * has none. The search begins only at the first of several signs, or a long run of them would take quadratic time.
 */
export const unpadded = (text: string): string => text.replace(/(?<=[^=])=+$/, '');

/** Neighbouring characters often differ in kind in a random text, but rarely in words, paths and identifiers. */
function looksRandom(text: string): boolean {
  if (text.length < fewest) return false;
  if (/^[0-9a-f]+$/i.test(text)) return /\d/.test(text);
  const kinds = [...text].map((letter) =>
    /[a-z]/.test(letter) ? 'a' : /[A-Z]/.test(letter) ? 'A' : /\d/.test(letter) ? '0' : '-',
  );
  const changes = kinds.filter((kind, at) => {
    const before = kinds[at - 1] ?? '-';
    return kind !== '-' && before !== '-' && kind !== before;
  });
  // Identifiers in camel case change at each word.
  const inBothCases = kinds.includes('a') && kinds.includes('A');
  return changes.length / text.length > (inBothCases ? 0.45 : 0.25);
}
