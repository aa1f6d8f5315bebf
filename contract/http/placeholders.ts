import { type Account, type Secret, seal } from '../secrets/secret.ts';
import { type Piece, shellWord } from './shell-text.ts';

/** What a command needs for the placeholders of its secrets. */
export interface PlaceholderContext {
  /** The variable for a secret that the reader has too, such as `TOKEN`. */
  readonly nameOf: (secret: Secret) => string | undefined;
  /** What is special about the request, such as how its token was altered. */
  readonly reason: string;
}

/** The variables for the secrets that a reader with this account has. */
export const nameIn =
  ({ apiKey, secretKey }: Account, isToken: (secret: Secret) => boolean) =>
  (secret: Secret): string | undefined => {
    if (secret.equals(apiKey)) return 'API_KEY';
    if (secret.equals(secretKey)) return 'SECRET_KEY';
    return isToken(secret) ? 'TOKEN' : undefined;
  };

/**
 * Replaces the secrets in one command. A secret that the reader has becomes a variable. If a command can derive a
 * text from such a secret, that command replaces the text. Other secrets, such as an altered token, become variables
 * too: while such a variable is not set, the shell prints what it must hold, and sends nothing.
 */
export class Placeholders {
  readonly #context: PlaceholderContext;
  readonly #named: { readonly name: string; readonly secret: Secret }[] = [];
  /** All texts of the command that are not secret. */
  readonly literals: string[] = [];

  constructor(context: PlaceholderContext) {
    this.#context = context;
  }

  /** @param encode returns the bytes of a part that is not secret */
  pieces(text: string | Secret, encode: (literal: string) => string = String): Piece[] {
    if (typeof text === 'string') return this.#literal(text, encode);
    const { parts, derivedFrom } = text.origin;
    const name = this.#context.nameOf(text);
    if (name !== undefined) return [{ expansion: `$${name}` }];
    // Some are not secret at all: a text of a pact.
    if (text.is((plain) => plain === String(text))) return this.#literal(String(text), encode);
    if (parts !== undefined) return parts.flatMap((part) => this.pieces(part, encode));
    return (
      (derivedFrom && this.#derived(text, derivedFrom, encode)) ?? [
        this.#altered(text, derivedFrom),
      ]
    );
  }

  /** A variable that says what it must hold. */
  described(name: string, description: string): Piece {
    this.literals.push(description);
    const words = description.replace(/[^\w,.:+/-]+/g, ' ').slice(0, mostDescribed);
    return { expansion: `\${${name}:?${words.trim()}}` };
  }

  #literal(text: string, encode: (literal: string) => string): Piece[] {
    if (text === '') return [];
    this.literals.push(text);
    return [encode(text)];
  }

  /** The pieces of a form that a command can make, or that has a name; undefined for any other form. */
  #derived(text: Secret, from: Secret, encode: (literal: string) => string): Piece[] | undefined {
    const pieces = (): Piece[] => this.pieces(from, encode);
    if (text.equals(from)) return pieces();
    if (text.equals(seal`"${from}"`)) return ['"', ...pieces(), '"'];
    if (text.equals(from.derive(base64)))
      return [{ expansion: `$(printf %s ${shellWord(pieces())} | base64 | tr -d '\\n')` }];
    const name = this.#context.nameOf(from);
    if (name === undefined) return undefined;
    const written = (form: (typeof forms)[number]): Piece =>
      this.described(`${name}_${form.suffix}`, `${name} ${form.what}`);
    if (text.equals(from.derive((plain) => JSON.stringify(plain))))
      return ['"', written(inJson), '"'];
    const form = forms.find(({ write }) => text.equals(from.derive(write)));
    return form && [written(form)];
  }

  /** @param from the secret that it was derived from, if any */
  #altered(secret: Secret, from: Secret | undefined): Piece {
    const known = this.#named.find((one) => one.secret.equals(secret));
    const name = known?.name ?? this.#unused(this.#nameFor(from));
    if (known === undefined) this.#named.push({ name, secret });
    return this.described(name, this.#context.reason);
  }

  #unused(name: string): string {
    const alike = this.#named.filter((one) => one.name.replace(/_\d+$/, '') === name);
    return alike.length === 0 ? name : `${name}_${alike.length + 1}`;
  }

  #nameFor(from: Secret | undefined): string {
    const name = from && this.#context.nameOf(from);
    if (name !== undefined) return `ALTERED_${name}`;
    return from?.origin.derivedFrom === undefined
      ? 'SECRET'
      : this.#nameFor(from.origin.derivedFrom);
  }
}

const mostDescribed = 120;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const inJson = {
  suffix: 'IN_JSON',
  what: 'escaped for JSON',
  write: (text: string) => JSON.stringify(text).slice(1, -1),
};

/** Forms of a text that contains special characters. */
const forms = [
  inJson,
  { suffix: 'IN_URL', what: 'URL-encoded', write: encodeURIComponent },
  { suffix: 'IN_URL', what: 'URL-encoded', write: encodeURI },
];
