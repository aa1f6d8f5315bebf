import type { Finding } from './finding.ts';
import { type Answer, jsonOf } from './http/answer.ts';
import { tokenEndpointName } from './http/request.ts';
import { isObject } from './json-value.ts';
import { brief } from './report/words.ts';
import { printable } from './secrets/printable.ts';

/** The evidence in a finding. The caller must still remove known secrets from the body. */
export const evidenceOf = (answer: Answer): Pick<Finding, 'body' | 'trace' | 'curl'> => ({
  body: bodyText(answer),
  trace: answer.request.trace,
  curl: answer.request.curl?.(),
});

/** A larger body is not shown. */
const mostBytes = 65_536;

/**
 * A body as one line. A refusal is shown with its text. A success, and every answer of the token endpoint, may hold a
 * token under another name, or data that the reader of a report must not see. So only its structure is shown.
 */
function bodyText(answer: Answer): string | undefined {
  const { body, status, request } = answer;
  if (body.length === 0 || body.length > mostBytes) return undefined;
  const isRefusal = status >= 400 && !request.line.startsWith(tokenEndpointName);
  const json = jsonOf(answer);
  if (json.is === 'json') {
    const shown = isRefusal ? json.value : structureOf(json.value);
    return JSON.stringify(shown).replace(jwt, '[secret]');
  }
  const text = body.toString().replace(/\s+/g, ' ').trim();
  if (!isRefusal) return /<title\b[^>]*>[^<]*/i.exec(text)?.[0];
  return text.replace(jwt, '[secret]') || undefined;
}

/** It may be a credential that was not registered as a secret. */
const jwt = /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g;

/** A JSON value without its data. Names that are not data, and the message of a refusal, remain. */
function structureOf(value: unknown): unknown {
  const { success, message } = Object(value);
  const isDenied = success === false && typeof message === 'string';
  return isDenied ? { ...Object(membersOf(value)), message } : membersOf(value);
}

function membersOf(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : '…';
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.slice(0, 1).map(membersOf);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    /^[A-Za-z_][\w-]{0,29}$/.test(name) ? name : '…',
    membersOf(member),
  ]);
  return Object.fromEntries(members);
}

/** Our own text, which holds no secret: as much of it as may be shown. */
export const ownText = (text: string): string => printable(brief(text, 500).toWellFormed());

/** A provider's text: without secrets, and without characters that write on a terminal or break XML. */
export const providerText = (text: string, scrub: (text: string) => string): string =>
  ownText(scrub(text));
