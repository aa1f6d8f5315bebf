import type { Received } from '../../contract/http/answer.ts';
import { header } from '../../contract/http/answer.ts';
import { at, isObject } from '../../contract/json-value.ts';
import type { BrokerAccess } from '../../settings.ts';
import { parsedExactly } from '../exact.ts';
import { oneLine } from './document.ts';

/** The reason why a command cannot continue with a response; undefined when it can. */
export function failureOf(
  answer: Received,
  document: unknown,
  known: { hasRead: boolean; credentials: BrokerAccess['credentials']; why: string },
): string | undefined {
  const { status, body } = answer;
  if (status === 401 || status === 403) {
    if (known.hasRead) return `lets these credentials read, but not do this: it answers ${status}`;
    if (known.credentials === undefined)
      return `wants credentials: set PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD`;
    // The scheme of the first challenge (RFC 9110 11.6.1).
    return 'token' in known.credentials &&
      /^basic(?: |$)/i.test(header(answer, 'www-authenticate') ?? '')
      ? tokenRefused(status)
      : `refuses the credentials: it answers ${status}`;
  }
  // No broker sends this status, and with a proxy of the settings the answer is not the broker's.
  if (status === 407)
    return 'is not reached: a proxy on the way answers 407; set HTTPS_PROXY or HTTP_PROXY to its address, with user and password';
  // The open-source broker refuses every scheme but Basic in this way, without a challenge.
  if (status === 400 && body.length === 0 && !known.hasRead && 'token' in (known.credentials ?? {}))
    return tokenRefused(status);
  if (status >= 300 && status < 400) {
    const location = header(answer, 'location') ?? 'nowhere';
    return `redirects to ${oneLine(location)}: set PACT_BROKER_BASE_URL to where it is`;
  }
  if (status === 200 && document === undefined) return 'does not answer with JSON';
  const expected = status < 300 || [400, 404, 409, 422].includes(status);
  return expected ? undefined : `fails: ${known.why}`;
}

const tokenRefused = (status: number): string =>
  `refuses the credentials: it answers ${status}, because it knows no tokens; set PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD instead of PACT_BROKER_TOKEN`;

/** The JSON of a response body; undefined when the body is not JSON. */
export function documentIn({ body }: Received): unknown {
  try {
    return parsedExactly(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `error.message` or `error`, and all texts below `errors`, which is a list or an object of lists. */
export function reasonIn(document: unknown): string | undefined {
  const texts = [at(document, 'error', 'message') ?? at(document, 'error'), at(document, 'errors')]
    .flatMap(textsIn)
    .join('; ');
  return texts === '' ? undefined : texts;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value)
    ? Object.entries(value).flatMap(([name, inside]) =>
        textsIn(inside).map((text) => `${name} ${text}`),
      )
    : [];
}
