import { type Accepted, Unaccepted } from './accepted.ts';

/** Variables with their texts, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting {
  readonly name: string;
  /** What it accepts. */
  readonly words: string;
  readonly unset: string | undefined;
  readonly isCredential: boolean;
}

export type Get = ReturnType<typeof reader>['get'];

/** Reads the settings of an environment one by one. Reads nothing else except the files that they name. */
export function reader(env: Environment) {
  const asked: Setting[] = [];
  const texts: Record<string, string> = {};
  /** A line for each. */
  const mistakes: string[] = [];
  function get<Value>(name: string, kind: Accepted<Value>, unset: string): Value;
  function get<Value>(name: string, kind: Accepted<Value>): Value | undefined;
  function get(name: string, kind: Accepted<unknown>, unset?: string): unknown {
    const { words, isCredential = false } = kind;
    asked.push({ name, words, unset, isCredential });
    const set = textOf(name, env, isCredential);
    if (set !== undefined) texts[name] = set;
    const text = set ?? unset;
    try {
      return text === undefined ? undefined : kind.read(text);
    } catch (error) {
      if (!(error instanceof Unaccepted)) throw error;
      mistakes.push(`${name} ${error.message}`);
      return undefined;
    }
  }
  return {
    /** @param unset the text that holds when it is not set @returns undefined after a mistake too */
    get,
    asked,
    /** The texts of the settings that are set. */
    texts,
    mistakes,
  };
}

function textOf(name: string, env: Environment, isCredential: boolean): string | undefined {
  // Proxy variables may be in lower case. Then they override those in upper case, as in curl and Node.
  const given = (name.endsWith('_PROXY') ? env[name.toLowerCase()] : undefined) ?? env[name];
  // Kubernetes sets MONITOR_PORT=tcp://10.0.0.7:80 for a service called monitor.
  return isCredential ? given : given?.trim().replace(/^tcp:.*/, '') || undefined;
}
