import { randomUUID } from 'node:crypto';
import { open, Secret } from '../../contract/secrets/secret.ts';

/** Shorter texts cannot be distinguished from chance: the scrubber ignores them too. */
const shortest = 4;

interface Hidden {
  readonly name: string;
  readonly secret: Secret;
}

/**
 * Placeholders instead of secrets, for programs that must not know them: placeholders in their requests are
 * replaced, and secrets in the answers are masked. A placeholder consists of letters that no encoding of HTTP
 * changes, and no provider can guess it.
 */
export class SecretPlaceholders {
  readonly #nonce = randomUUID().replaceAll('-', '');
  readonly #hidden = new Map<string, Hidden>();
  /** Values that programs know, and that are not shown; by the text, with the displayed name. */
  readonly #masked = new Map<string, string>();

  /** The placeholder of a secret, a new one each time. @param name `ACCESS_TOKEN` */
  hide(name: string, secret: Secret): string {
    const placeholder = `${name}_${this.#hidden.size + 1}_${this.#nonce}`;
    this.#hidden.set(placeholder, { name, secret });
    return placeholder;
  }

  /**
   * A text with the secrets instead of their placeholders; the text itself when it holds none.
   * @param write the encoding of a secret in it: percent-encoded, escaped
   */
  fill(text: string, write: (secret: string) => string = String): Secret | string {
    const filled = this.#replaced(text, ({ secret }) => write(open(secret)));
    return filled === text
      ? text
      : new Secret(
          filled,
          this.#replaced(text, ({ secret }) => `${secret}`),
        );
  }

  /** A text with placeholders instead of whole secrets, also in any JSON escaping, and in quotations. */
  cover(text: string): string {
    return this.#plain(isJson(text) ? this.#literals(text) : text);
  }

  /** A value that may be a secret and that programs must know unchanged: only `show` replaces it. */
  mask(name: string, value: string): void {
    if (value.length < shortest) return;
    for (const written of formsOf(value)) this.#masked.set(written, name);
  }

  /** A text with each placeholder in its documented form, such as `<ACCESS_TOKEN>`; masked values too. */
  show(text: string): string {
    let shown = this.#replaced(text, ({ name }) => `<${name}>`);
    // A longer value may hold a shorter one.
    const longestFirst = [...this.#masked].sort(([one], [other]) => other.length - one.length);
    for (const [value, name] of longestFirst) shown = shown.replaceAll(value, () => `<${name}>`);
    return shown;
  }

  #replaced(text: string, by: (hidden: Hidden) => string): string {
    let replaced = text;
    for (const [placeholder, hidden] of this.#hidden)
      replaced = replaced.replaceAll(placeholder, () => by(hidden));
    return replaced;
  }

  #plain(text: string): string {
    let covered = text;
    for (const [placeholder, { secret }] of this.#hidden)
      if (secret.length >= shortest)
        for (const written of formsOf(open(secret)))
          covered = covered.replaceAll(written, () => placeholder);
    return covered;
  }

  /** Only literals with an escape are rewritten: numbers, and all else, stay unchanged. */
  #literals(json: string): string {
    return json.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => {
      if (!literal.includes('\\')) return literal;
      const text = String(JSON.parse(literal));
      const covered = this.#plain(text);
      return covered === text ? literal : JSON.stringify(covered);
    });
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

/** A secret as it is, and in the forms in which requests quote it. */
const formsOf = (secret: string): Set<string> =>
  new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
