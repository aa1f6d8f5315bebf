import { masked } from '../contract/secrets/masked.ts';
import { printable } from '../contract/secrets/printable.ts';
import { Scrubber } from '../contract/secrets/scrub.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import { UserError } from '../contract/user-error.ts';
import { NotAccepted } from './accepted.ts';
import type { Setting } from './setting.ts';

/** Variables with their texts, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Wrong settings: one line for each, with the remedy and without secrets. */
export class SettingsError extends UserError {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
    this.lines = lines;
  }
}

/** Reads the settings of an environment one by one, and collects the mistakes until all have been read. */
export class SettingsReader {
  readonly #env: Environment;
  readonly #scrubber = new Scrubber();
  /** Functions that build the lines at the end, when the scrubber knows all secrets. */
  readonly #lines: (() => string)[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  isSet(setting: Setting<unknown>): boolean {
    return this.#trimmed(setting) !== '';
  }

  /** Its value; undefined when it is unset, empty or wrong. */
  optional<Value>(setting: Setting<Value>): Value | undefined {
    return this.isSet(setting) ? this.#read(setting, this.#trimmed(setting)) : undefined;
  }

  /** The setting's value; the default when it is unset, empty or wrong. */
  defaulted<Value>(setting: Setting<Value>): Value {
    return this.optional(setting) ?? setting.accepted.read(setting.unset);
  }

  /** A credential from the environment or a file; undefined when it is in neither, or wrong. */
  credential(setting: Setting<Secret>, inFile: Setting<Secret>): Secret | undefined {
    const text = this.#env[setting.name];
    if (text !== undefined && text !== '' && this.isSet(inFile)) {
      this.#conflict(setting, inFile);
      return undefined;
    }
    const secret = text === undefined ? this.optional(inFile) : this.#read(setting, text);
    if (secret !== undefined) this.#scrubber.learn(secret);
    return secret;
  }

  /** Whether a credential is set, directly or as a file. An empty text counts as set. */
  hasCredential(setting: Setting<Secret>, inFile: Setting<Secret>): boolean {
    return this.#env[setting.name] !== undefined || this.isSet(inFile);
  }

  /** Records two settings that exclude each other, if both are set. */
  exclusive(one: Setting<unknown>, other: Setting<unknown>): void {
    if (this.isSet(one) && this.isSet(other)) this.#conflict(one, other);
  }

  /** Records which of these settings are set without effect, because another one is missing. */
  idle(settings: readonly Setting<unknown>[], missing: Setting<unknown>, remedy: string): void {
    const names = settings.filter((setting) => this.isSet(setting)).map(({ name }) => name);
    const are = names.length > 1 ? 'are' : 'is';
    if (names.length > 0)
      this.wrong(`${missing.name} is missing, but ${names.join(', ')} ${are} set: ${remedy}`);
  }

  /** Records a line about settings that are wrong in combination. */
  wrong(line: string): void {
    this.#lines.push(() => line);
  }

  /** A line for each wrong setting, free of secrets. */
  lines(): string[] {
    return this.#lines.map((line) => line());
  }

  #conflict(one: Setting<unknown>, other: Setting<unknown>): void {
    this.wrong(`${one.name} and ${other.name} are both set: keep one of them`);
  }

  #trimmed({ name }: Setting<unknown>): string {
    return this.#env[name]?.trim() ?? '';
  }

  #read<Value>({ name, accepted }: Setting<Value>, text: string): Value | undefined {
    try {
      return accepted.read(text);
    } catch (error) {
      if (!(error instanceof NotAccepted)) throw error;
      const { message, quoted } = error;
      const found = (): string =>
        quoted === undefined ? message : `${message} ${shown(quoted, this.#scrubber)}`;
      this.#lines.push(() => `${name} ${found()}; accepted: ${accepted.words}`);
      return undefined;
    }
  }
}

/**
 * The part of a wrong text that may be shown. A text that may be an address with credentials is not shown, and what
 * looks like a key is masked, because users mistake one setting for another.
 */
export function shown(text: string, scrubber: Scrubber): string {
  if (text.includes('@')) return 'a text that holds "@", and so is not shown';
  const [clean = ''] = printable(masked(scrubber.scrubWhole(text))).split('?');
  return `"${clean.length > 80 ? `${clean.slice(0, 79)}…` : clean}"`;
}
