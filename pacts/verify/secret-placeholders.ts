import { randomUUID } from 'node:crypto';
import { parsedJson } from '../../contract/json-value.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';

/** Shorter texts are not replaced, because they may occur by chance. The scrubber ignores them too. */
const shortest = 4;

interface NamedSecret {
  readonly name: string;
  readonly secret: Secret;
}

/**
 * Placeholders for secrets, for programs that must not know the secrets. Placeholders in their requests are replaced,
 * and secrets in the responses are masked. A placeholder consists of characters that no encoding of HTTP changes, and
 * a provider cannot guess it.
 */
export class SecretPlaceholders {
  readonly #nonce = randomUUID().replaceAll('-', '');
  readonly #secrets = new Map<string, NamedSecret>();
  /** The placeholder of each form of a secret. A run issues thousands of tokens, so they are encoded once. */
  readonly #forms = new Map<string, string>();
  /** Values that programs know but that are not shown. The key is the value, and the map's value is the shown name. */
  readonly #masked = new Map<string, string>();

  /** Creates a new placeholder for a secret. @param name such as `ACCESS_TOKEN` */
  placeholderFor(name: string, secret: Secret): string {
    const placeholder = `${name}_${this.#secrets.size + 1}_${this.#nonce}`;
    this.#secrets.set(placeholder, { name, secret });
    for (const written of secret.length < shortest ? [] : formsOf(open(secret)))
      if (!this.#forms.has(written)) this.#forms.set(written, placeholder);
    return placeholder;
  }

  /**
   * Replaces the placeholders in a text by their secrets. A text without placeholders is returned unchanged.
   * @param write encodes a secret for the text, such as `encodeURIComponent`
   */
  withSecrets(text: string, write: (secret: string) => string = String): Secret | string {
    const filled = this.#replaced(text, ({ secret }) => write(open(secret)));
    return filled === text
      ? text
      : new Secret(
          filled,
          this.#replaced(text, ({ secret }) => `${secret}`),
        );
  }

  /**
   * Replaces secrets in a text by their placeholders, also JSON-escaped and percent-encoded secrets. JSON stays JSON: a
   * secret of digits is not replaced in a number.
   * @param known a text in which a secret may be an ordinary word, such as an API key `test`: that is not replaced
   */
  withoutSecrets(text: string, known = ''): string {
    // A text of digits, such as a header, is no JSON here.
    if (!/^\s*[[{"]/.test(text) || parsedJson(text) === undefined)
      return this.#withPlaceholders(text, known);
    const hasEscape = (literal: string): boolean => literal.includes('\\');
    const escaped = text.includes('\\') ? this.#literals(text, known, hasEscape) : text;
    const replaced = this.#withPlaceholders(escaped, known);
    const isStillJson = replaced === escaped || parsedJson(replaced) !== undefined;
    return isStillJson ? replaced : this.#literals(text, known, () => true);
  }

  /** Registers a value that may be a secret, but that programs must get unchanged. Only `shown` replaces it. */
  mask(name: string, value: string): void {
    if (value.length < shortest) return;
    for (const written of formsOf(value)) this.#masked.set(written, name);
  }

  /** Replaces placeholders and masked values in a text by their documented form, such as `<ACCESS_TOKEN>`. */
  shown(text: string): string {
    let shown = this.#replaced(text, ({ name }) => `<${name}>`);
    // A longer value may hold a shorter one.
    const longestFirst = [...this.#masked].sort(([one], [other]) => other.length - one.length);
    for (const [value, name] of longestFirst) shown = shown.replaceAll(value, () => `<${name}>`);
    return shown;
  }

  #replaced(text: string, by: (secret: NamedSecret) => string): string {
    let replaced = text;
    // Every placeholder holds the nonce, and most texts hold no placeholder.
    for (const [placeholder, secret] of text.includes(this.#nonce) ? this.#secrets : [])
      replaced = replaced.replaceAll(placeholder, () => by(secret));
    return replaced;
  }

  #withPlaceholders(text: string, known: string): string {
    let replaced = text;
    for (const [written, placeholder] of this.#forms)
      if (replaced.includes(written) && !known.includes(written))
        replaced = replaced.replaceAll(written, () => placeholder);
    return replaced;
  }

  /** Rewrites only such string literals. Numbers and everything else stay unchanged. */
  #literals(json: string, known: string, isSuch: (literal: string) => boolean): string {
    const pieces: string[] = [];
    let from = 0;
    // Quote by quote: one expression for a whole literal needs a stack as long as the literal.
    for (const { 0: found, index } of json.matchAll(/"|\\./g)) {
      if (found !== '"') continue;
      const isEnd = pieces.length % 2 === 1;
      const until = isEnd ? index + 1 : index;
      const piece = json.slice(from, until);
      pieces.push(isEnd && isSuch(piece) ? this.#literal(piece, known) : piece);
      from = until;
    }
    return pieces.join('') + json.slice(from);
  }

  #literal(literal: string, known: string): string {
    const text = String(JSON.parse(literal));
    const replaced = this.#withPlaceholders(text, known);
    return replaced === text ? literal : JSON.stringify(replaced);
  }
}

/** Values with their secrets revealed, for programs that need them. */
export const revealed = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Secret ? open(value) : value,
    ]),
  );

/** A secret, and its encoded forms in requests. */
const formsOf = (secret: string): Set<string> =>
  new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]);
