import type { Accepted } from './accepted.ts';

/** One setting: a row of settings/README.md, and a paragraph of `.env.example`. */
export interface Setting<Value> {
  readonly name: string;
  readonly meaning: string;
  /** The default: a text that the setting accepts, or a description. */
  readonly unset: string;
  readonly accepted: Accepted<Value>;
}

/** @param unset what holds without it; by default nothing does */
export const setting = <Value>(
  name: string,
  meaning: string,
  accepted: Accepted<Value>,
  unset = 'none',
): Setting<Value> => ({ name, meaning, unset, accepted });
