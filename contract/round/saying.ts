import { type Answer, header, jsonOf } from '../http/answer.ts';
import { textIn } from '../json-value.ts';
import { brief } from '../report/words.ts';
import { masked } from '../secrets/masked.ts';
import { printable } from '../secrets/printable.ts';
import type { Account } from '../secrets/secret.ts';

/**
 * What an answer says of itself, for the reader of a line about a wrong address: where it redirects to, the title of
 * its page, its message or its short text. Empty if that is nothing, or if it quotes the credentials.
 */
export function sayingOf(answer: Answer, { apiKey, secretKey }: Account): string {
  const location = header(answer, 'location');
  const text = location === undefined ? textOf(answer) : location.split(/[?#]/, 1)[0];
  const shown = masked(
    printable(brief((text ?? '').replace(/\s+/g, ' ').trim(), 120).toWellFormed()),
  );
  const isSecret = [apiKey, secretKey].some((one) => one.is((key) => (text ?? '').includes(key)));
  if (shown === '' || isSecret) return '';
  return location === undefined ? `, and says "${shown}"` : `, and redirects to ${shown}`;
}

/** Longer texts are pages without a title, or data. */
const longestText = 200;

function textOf(answer: Answer): string | undefined {
  const json = jsonOf(answer);
  if (json.is === 'json') return textIn(json.value, 'message');
  const text = answer.body.toString();
  const title = /<title\b[^>]*>([^<]*)/i.exec(text)?.[1];
  return title ?? (text.length <= longestText && !text.includes('<') ? text : undefined);
}
