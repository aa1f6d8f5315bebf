import { Scrubber } from '../contract/secrets/scrub.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import { NotAccepted } from './accepted.ts';
import type { Setting } from './table.ts';

/** Names and texts, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings one by one, and keeps what is wrong with them until all have been read. */
export interface Reading {
  isSet(setting: Setting<unknown>): boolean;
  /** Its value; undefined when it is unset, empty or wrong. */
  optional<Value>(setting: Setting<Value>): Value | undefined;
  /** Its value, or the one that holds when it is unset. */
  defaulted<Value>(setting: Setting<Value>): Value;
  /** A credential out of the environment or a file; undefined when it is in neither, or wrong. */
  credential(setting: Setting<Secret>, inFile: Setting<Secret>): Secret | undefined;
  /** Whether a credential is given in either way; an empty one is. */
  hasCredential(setting: Setting<Secret>, inFile: Setting<Secret>): boolean;
  /** Notes a line about settings that are wrong together. */
  wrong(line: string): void;
  /** A line for each wrong setting, free of secrets. */
  lines(): string[];
}

/** Opens a reading of an environment. */
export function reading(env: Environment): Reading {
  const scrubber = new Scrubber();
  const lines: (() => string)[] = [];
  const trimmed = ({ name }: Setting<unknown>): string => env[name]?.trim() ?? '';
  const isSet = (setting: Setting<unknown>): boolean => trimmed(setting) !== '';

  /** Secrets are learnt while lines are noted, so the lines are put together at the end. */
  function read<Value>({ name, accepted }: Setting<Value>, text: string): Value | undefined {
    try {
      return accepted.read(text);
    } catch (error) {
      if (!(error instanceof NotAccepted)) throw error;
      const { message, quoted } = error;
      const found = (): string =>
        quoted === undefined ? message : `${message} ${shown(quoted, scrubber)}`;
      lines.push(() => `${name} ${found()}; accepted: ${accepted.words}`);
      return undefined;
    }
  }

  function optional<Value>(setting: Setting<Value>): Value | undefined {
    return isSet(setting) ? read(setting, trimmed(setting)) : undefined;
  }

  return {
    isSet,
    optional,
    defaulted: (setting) => optional(setting) ?? setting.accepted.read(setting.unset),
    credential(setting, inFile) {
      const text = env[setting.name];
      if (text !== undefined && text !== '' && isSet(inFile)) {
        lines.push(() => `${setting.name} and ${inFile.name} are both set: keep one of them`);
        return undefined;
      }
      const secret = text === undefined ? optional(inFile) : read(setting, text);
      if (secret !== undefined) scrubber.learn(secret);
      return secret;
    },
    hasCredential: (setting, inFile) => env[setting.name] !== undefined || isSet(inFile),
    wrong: (line) => lines.push(() => line),
    lines: () => lines.map((line) => line()),
  };
}

/** Part of a text that is wrong, as it may be shown: whatever looks like an address with credentials is not. */
export function shown(text: string, scrubber: Scrubber): string {
  if (text.includes('@')) return 'a text that holds "@", and so is not shown';
  const [clean = ''] = scrubber
    .scrub(text)
    .replace(/[^\P{C}]/gu, '�')
    .split('?');
  return `"${clean.length > 80 ? `${clean.slice(0, 79)}…` : clean}"`;
}
