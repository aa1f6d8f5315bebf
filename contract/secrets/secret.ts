import { inspect } from 'node:util';
import type { Doubts } from '../finding.ts';

/** A part of a text: a string is shown, and a secret is not. */
export type Part = string | Secret;

/**
 * A text that must never be seen: a key, a token, or what is derived from one. Printed or serialised it reads
 * `[secret]`. Only `open` returns the text: `tests/house` lists the few files that may import it.
 */
export class Secret {
  readonly #text: string;
  readonly #shown: string;
  /** The secrets that a client must learn to recognise this one. */
  readonly toLearn: readonly Secret[];

  /** @param shown what is printed instead @param learn the secrets in it that a client learns when it sends it */
  constructor(text: string, shown = '[secret]', learn: 'itself' | readonly Secret[] = []) {
    this.#text = text;
    this.#shown = shown;
    this.toLearn = learn === 'itself' ? [this] : learn;
  }

  /** Another secret, derived from this one. @param learn `itself` if this one is not recognised in it */
  derive(change: (text: string) => string, learn: 'itself' | readonly Secret[] = this.toLearn) {
    return new Secret(change(this.#text), '[secret]', learn);
  }

  /** A fact about the text that does not reveal it, such as whether it has three parts. */
  is(property: (text: string) => boolean): boolean {
    return property(this.#text);
  }

  equals(other: Secret): boolean {
    return this.#text === other.#text;
  }

  get length(): number {
    return this.#text.length;
  }

  toString(): string {
    return this.#shown;
  }

  toJSON(): string {
    return this.#shown;
  }

  [inspect.custom](): string {
    return this.#shown;
  }

  static open(secret: Secret): string {
    return secret.#text;
  }
}

/** The text of a secret. Only for the client. */
export const open: (secret: Secret) => string = Secret.open;

/** A text with secrets in it, of which only the secrets are hidden: seal`Bearer ${token}` shows `Bearer [secret]`. */
export const seal = (words: TemplateStringsArray, ...parts: readonly Part[]): Secret =>
  joinParts(words.flatMap((word, index) => [word, parts[index] ?? '']));

/** Joins parts into one text, of which only the secrets are hidden. */
export function joinParts(parts: readonly Part[]): Secret {
  const text = parts.map((part) => (part instanceof Secret ? open(part) : part)).join('');
  const learn = parts.flatMap((part) => (part instanceof Secret ? part.toLearn : []));
  return new Secret(text, parts.join(''), learn);
}

export const inBase64 = (secret: Secret): Secret =>
  secret.derive((text) => Buffer.from(text).toString('base64'), 'itself');

/** The two texts that are exchanged for a token. */
export interface Account {
  readonly apiKey: Secret;
  readonly secretKey: Secret;
}

export interface Token {
  readonly secret: Secret;
  /** When it was first issued, on the provider's clock (milliseconds since 1970): it is at least that old. */
  readonly madeAt: number;
  /** It was first issued at least a second before: two JWTs of the same second are the same text. */
  readonly issuedBefore?: boolean;
  /** What the answer with it says of its life. */
  readonly doubts?: Doubts;
  readonly cookies?: Secret;
}

/** Node accepts this number of characters in all headers. The contract does not limit tokens (OPEN-8). */
export const maxTokenLength = 16_384;
