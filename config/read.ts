import { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { type Accepted, Unaccepted } from './accepted.ts';
import { formatMistake } from './mistakes.ts';

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
  const wrong: [name: string, why: Unaccepted][] = [];
  const scrubber = new Scrubber();
  function get<Value>(name: string, kind: Accepted<Value>, unset: string): Value;
  function get<Value>(name: string, kind: Accepted<Value>): Value | undefined;
  function get(name: string, kind: Accepted<unknown>, unset?: string): unknown {
    const { words, isCredential = false } = kind;
    asked.push({ name, words, unset, isCredential });
    const set = textOf(name, env, isCredential);
    if (set !== undefined) texts[name] = set;
    const text = set ?? unset;
    try {
      const value = text === undefined ? undefined : kind.read(text);
      if (value instanceof Secret) scrubber.learn(value);
      return value;
    } catch (error) {
      if (!(error instanceof Unaccepted)) throw error;
      wrong.push([name, error]);
      return undefined;
    }
  }
  return {
    /** @param unset the text that holds when it is not set @returns undefined after a mistake too */
    get,
    asked,
    /** The texts of the settings that are set. */
    texts,
    /** A line for each mistake, without a secret of any setting. */
    mistakes: () => wrong.map(([name, why]) => `${name} ${formatMistake(why, scrubber)}`),
  };
}

function textOf(name: string, env: Environment, isCredential: boolean): string | undefined {
  // Proxy variables may be in lower case. Then they override those in upper case, as in curl and Node.
  const given = (name.endsWith('_PROXY') ? env[name.toLowerCase()] : undefined) ?? env[name];
  const text = isCredential ? given : given?.trim() || undefined;
  return fromKubernetes(name, text) ? undefined : text;
}

/**
 * Whether Kubernetes set the variable, such as `MONITOR_PORT=tcp://10.0.0.7:80` and `MONITOR_SERVICE_HOST`, which it
 * sets in every container of the namespace for a service called `monitor`, unless `enableServiceLinks` is false.
 */
export const fromKubernetes = (name: string, value = ''): boolean =>
  /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$/.test(name) ||
  /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));
