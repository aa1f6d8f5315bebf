import { at, textIn } from '../../contract/json-value.ts';
import { harmless } from '../../contract/secrets/printable.ts';

/** Functions to read foreign JSON: a missing or wrong value is undefined or empty. */

export function listAt(document: unknown, ...keys: readonly string[]): readonly unknown[] {
  const value = at(document, ...keys);
  return Array.isArray(value) ? value : [];
}

/** The address of a link relation in a HAL document, such as `pb:publish-verification-results`. */
export const linkOf = (document: unknown, relation: string): string | undefined =>
  textIn(document, '_links', relation, 'href');

const longest = 400;

/** Makes a foreign text safe inside a line of output: no control characters, and no workflow command of a CI. */
export function oneLine(text: string): string {
  const line = harmless(text.replace(/[^\P{C}]+/gu, ' ').trimEnd());
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
