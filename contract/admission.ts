import { type Answer, field, header, isObject, jsonOf, outline } from './http/answer.ts';
import { fitsBearer, fittingToken } from './http/request-encoding.ts';
import { bodyMismatches, sentence, tokenOf } from './schema.ts';

/** The message of every 401 (Errors). */
export const refusalMessage = 'Invalid or expired access token.';

/** Whether an answer is the 401 of the document, word for word. */
export const isRefusal = (answer: Answer): boolean =>
  answer.status === 401 &&
  bodyMismatches('error-envelope', answer).length === 0 &&
  messageOf(answer) === refusalMessage;

/** The message of a body; undefined where it has none. */
export function messageOf(answer: Answer): unknown {
  const json = jsonOf(answer);
  return json.is === 'json' ? field(json.value, 'message') : undefined;
}

/** What is wrong with an answer to valid credentials; undefined where it is the success envelope with a token. */
export function tokenBreach(
  answer: Answer,
): { readonly expected: string; readonly received: string } | undefined {
  const [first] = bodyMismatches('success-envelope', answer);
  if (first !== undefined)
    return {
      expected: '{"success":true,"message":"…","data":{"accessToken":"…"}}',
      received: `${outline(answer)}: ${sentence(first)}`,
    };
  if (tokenOf(answer)?.is(fitsBearer) !== false) return undefined;
  const received = `${outline(answer)}: /data/accessToken holds white space or a control character`;
  return { expected: fittingToken, received };
}

/**
 * What an answer other than 401 to an unauthorised request means. It was let in when it succeeded, or when it is
 * answered as the authorised request is; but a redirect, "forbidden", "not found", "not allowed" and errors of the
 * server tell nothing when both get them.
 */
export function breach(
  answer: Answer,
  control: Answer,
): 'let in' | 'wrong status' | 'nothing proven' {
  const { status } = answer;
  if (deniesInBody(answer) && !deniesInBody(control)) return 'wrong status';
  if (status >= 200 && status < 300) return 'let in';
  if (status !== control.status) return 'wrong status';
  const redirects = status >= 300 && status < 400;
  return redirects || unreached.has(status) || status >= 500 ? 'nothing proven' : 'let in';
}

/** The address or the headers are too long: OPEN-8, and no guard has looked at them. */
const oversize: ReadonlySet<number> = new Set([414, 431]);

/** What else servers say of it: nginx, Apache and Tomcat 400, IIS 404, others 413. */
const oftenOversize: ReadonlySet<number> = new Set([400, 404, 413]);

/** No server of note takes fewer characters in its address or in a header: IIS takes 2048. */
const everTaken = 2048;

/** Whether a request was longer than a server may take, and longer than the control, which it took. */
export function isOversize(
  { status, request: { longest = 0 } }: Answer,
  { request }: Answer,
): boolean {
  if (oversize.has(status)) return true;
  return oftenOversize.has(status) && longest > Math.max(everTaken, request.longest ?? 0);
}

/** Forbidden, not found, not allowed, gone: for every caller. */
const unreached: ReadonlySet<number> = new Set([403, 404, 405, 410]);

function deniesInBody(answer: Answer): boolean {
  const json = jsonOf(answer);
  return json.is === 'json' && field(json.value, 'success') === false;
}

/** Whether an answer is what the endpoint itself gives: the same success, with a body of the same form. */
export function leadsTo(answer: Answer, authorised: Answer): boolean {
  if (answer.status !== authorised.status || authorised.status < 200 || authorised.status > 299)
    return false;
  if (deniesInBody(answer) && !deniesInBody(authorised)) return false;
  if (header(answer, 'content-type') !== header(authorised, 'content-type')) return false;
  if (answer.request.line.startsWith('HEAD '))
    return header(authorised, 'content-type') !== undefined;
  if (authorised.body.length === 0)
    return answer.body.length === 0 && !answer.request.line.startsWith('OPTIONS ');
  return (
    answer.body.equals(authorised.body) ||
    (members(answer) !== undefined && members(answer) === members(authorised))
  );
}

/**
 * Whether an answer is a page for people, as proxies, firewalls and logins put one in the place of an answer. Many of
 * their pages have no `Content-Type`.
 */
export function isWebPage(answer: Answer): boolean {
  const type = header(answer, 'content-type') ?? '';
  const isPage = /^text\/html\b/i.test(type) || (type === '' && answer.body.length > 0);
  return isPage && jsonOf(answer).is === 'not json';
}

/** The names of a JSON object's members; undefined for anything else and for an object without any. */
function members(answer: Answer): string | undefined {
  const json = jsonOf(answer);
  if (json.is !== 'json' || !isObject(json.value)) return undefined;
  const names = Object.keys(json.value).sort();
  return names.length === 0 ? undefined : JSON.stringify(names);
}
