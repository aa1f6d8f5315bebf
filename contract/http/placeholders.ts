import { type Account, type Secret, seal } from '../secrets/secret.ts';
import { type Piece, shellWord } from './shell-text.ts';

/** What a command has in place of secrets. */
export interface PlaceholderContext {
  /** The variable that holds a secret which the reader has too: `TOKEN`. */
  readonly nameOf: (secret: Secret) => string | undefined;
  /** What is peculiar about the request, such as how its token was altered. */
  readonly reason: string;
}

/** The names of what a reader of this account has. */
export const nameIn =
  ({ apiKey, secretKey }: Account, isToken: (secret: Secret) => boolean) =>
  (secret: Secret): string | undefined => {
    if (secret.equals(apiKey)) return 'API_KEY';
    if (secret.equals(secretKey)) return 'SECRET_KEY';
    return isToken(secret) ? 'TOKEN' : undefined;
  };

/**
 * The texts of one command: secrets that the reader has are variables, and what can be made of them by a command is
 * made by one. Others, such as an altered token, are variables too; as long as one is not set, the shell says what it
 * must hold and sends nothing.
 */
export class Placeholders {
  readonly #context: PlaceholderContext;
  readonly #named: { readonly name: string; readonly secret: Secret }[] = [];
  /** Everything in the command that is no secret. */
  readonly literals: string[] = [];

  constructor(context: PlaceholderContext) {
    this.#context = context;
  }

  /** @param encode the bytes of a part that is no secret */
  pieces(text: string | Secret, encode: (literal: string) => string = String): Piece[] {
    if (typeof text === 'string') return this.#literal(text, encode);
    const { parts, derivedFrom } = text.origin;
    const name = this.#context.nameOf(text);
    if (name !== undefined) return [{ expansion: `$${name}` }];
    // Some are no secret at all: a text of a pact.
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

  /** A form that a command can make, or that has a name; undefined for any other. */
  #derived(text: Secret, from: Secret, encode: (literal: string) => string): Piece[] | undefined {
    const pieces = (): Piece[] => this.pieces(from, encode);
    if (text.equals(from)) return pieces();
    if (text.equals(seal`"${from}"`)) return ['"', ...pieces(), '"'];
    if (text.equals(from.derive(base64)))
      return [{ expansion: `$(printf %s ${shellWord(pieces())} | base64 | tr -d '\\n')` }];
    const name = this.#context.nameOf(from);
    const form = forms.find(({ write }) => text.equals(from.derive(write)));
    if (name === undefined || form === undefined) return undefined;
    return [this.described(`${name}_${form.suffix}`, `${name} ${form.what}`)];
  }

  /** @param from what it was made of, if it was */
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

/** Other forms of a text that holds something special. */
const forms = [
  {
    suffix: 'IN_JSON',
    what: 'escaped for JSON',
    write: (text: string) => JSON.stringify(text).slice(1, -1),
  },
  { suffix: 'IN_URL', what: 'URL-encoded', write: encodeURIComponent },
  { suffix: 'IN_URL', what: 'URL-encoded', write: encodeURI },
] as const;
