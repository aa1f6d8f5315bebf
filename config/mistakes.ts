import { masked } from '../contract/secrets/masked.ts';
import { printable } from '../contract/secrets/printable.ts';
import type { Scrubber } from '../contract/secrets/scrub.ts';
import { UserError } from '../contract/user-error.ts';

/** Wrong settings: one line for each, with the remedy and without secrets. */
export class SettingsError extends UserError {
  override readonly name = 'SettingsError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** A mistake's message, in which `{text}` stands for as much of its `cause` as may be shown. */
export const formatMistake = (
  { message, cause }: { readonly message: string; readonly cause?: unknown },
  scrubber: Scrubber,
): string => message.replace('{text}', () => shown(String(cause), scrubber));

/**
 * The part of a wrong text that may be shown. A text that may be an address with credentials is not shown, and what
 * looks like a key is masked, because users mistake one setting for another.
 */
function shown(text: string, scrubber: Scrubber): string {
  if (text.includes('@')) return 'a text that holds "@", and so is not shown';
  const [clean = ''] = printable(masked(scrubber.scrubWhole(text))).split('?');
  return `"${clean.length > 80 ? `${clean.slice(0, 79)}…` : clean}"`;
}
