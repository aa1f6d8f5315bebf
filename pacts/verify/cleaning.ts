import type { ApiClient } from '../../contract/http/client.ts';
import { brief } from '../../contract/report/words.ts';
import { printable } from '../../contract/secrets/printable.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';

/** Longer texts are cut before they are searched for secrets. */
const longest = 600;
const searched = 4 * longest;

/**
 * Makes any text fit for display: without secrets, with placeholders in their documented form, on one line, and
 * short.
 */
export const cleaning =
  (client: Pick<ApiClient, 'scrub'>, placeholders: SecretPlaceholders) =>
  (text: string): string =>
    brief(printable(client.scrub(placeholders.show(text.slice(0, searched)))), longest);
