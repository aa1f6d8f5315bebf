import { randomUUID } from 'node:crypto';
import { open, Secret } from '../../contract/secrets/secret.ts';

/** Shorter texts cannot be told from chance: the scrubber lets them be too. */
const shortest = 4;

interface Hidden {
  readonly name: string;
  readonly secret: Secret;
}

/**
 * Placeholders in place of secrets, for programs that must not know them: what they send is filled in on its way out,
 * and what they receive is covered. A placeholder is made of letters that no encoding of HTTP changes, and no
 * provider can guess it.
 */
export class SecretPlaceholders {
  readonly #nonce = randomUUID().replaceAll('-', '');
  readonly #hidden = new Map<string, Hidden>();

  /** The placeholder of a secret, a new one each time. @param name `ACCESS_TOKEN` */
  hide(name: string, secret: Secret): string {
    const placeholder = `${name}_${this.#hidden.size + 1}_${this.#nonce}`;
    this.#hidden.set(placeholder, { name, secret });
    return placeholder;
  }

  /**
   * A text with the secrets in place of their placeholders; the text itself when it holds none.
   * @param write how a secret is written there: percent-encoded, escaped
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

  /** A text with placeholders in place of whole secrets, however JSON escapes them, and where one quotes another. */
  cover(text: string): string {
    return this.#plain(isJson(text) ? this.#literals(text) : text);
  }

  /** A text with each placeholder as readers of documents know it: `<ACCESS_TOKEN>`. */
  show(text: string): string {
    return this.#replaced(text, ({ name }) => `<${name}>`);
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
        for (const written of forms(open(secret)))
          covered = covered.replaceAll(written, () => placeholder);
    return covered;
  }

  /** Only literals with an escape are written anew: numbers, and all else, stay as they came. */
  #literals(json: string): string {
    return json.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => {
      if (!literal.includes('\\')) return literal;
      const text = String(JSON.parse(literal));
      const covered = this.#plain(text);
      return covered === text ? literal : JSON.stringify(covered);
    });
  }
}

/** A secret as it is, and as requests quote it. */
const forms = (secret: string): Set<string> =>
  new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
