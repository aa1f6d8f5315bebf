import type { Accepted } from './accepted.ts';

/** One setting: a row of settings/README.md, and a paragraph of `.env.example`. */
export interface Setting<Value> {
  readonly name: string;
  readonly meaning: string;
  /** The default: a text in the form of a value, or words. */
  readonly unset: string;
  readonly accepted: Accepted<Value>;
}

/** Makes one. */
export function setting<Value>(
  name: string,
  meaning: string,
  unset: string,
  accepted: Accepted<Value>,
): Setting<Value> {
  return { name, meaning, unset, accepted };
}
