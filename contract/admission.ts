import { errorEnvelope, successEnvelope } from '../schemas/validators.js';
import { type Answer, header, isHead, outline, readJson } from './http/answer.ts';
import { fitsBearer, fittingToken } from './http/http-request.ts';
import { field, isObject } from './json-value.ts';
import { bodyMismatch, inBody, readToken } from './schema.ts';

/** The message of every 401 (Errors), and all that it must be. */
export const refusalMessage = 'Invalid or expired access token.';
export const refusalText = `401 {"success":false,"message":"${refusalMessage}"}`;

/** Whether an answer is the contract's 401, word for word. */
export const isRefusal = (answer: Answer): boolean =>
  answer.status === 401 && !isHead(answer) && envelopeBreaches(answer).length === 0;

/** Whether a request succeeded, or the protocol was switched. */
export const isSuccess = (status: number): boolean =>
  status === 101 || (status >= 200 && status < 300);

/** Statuses of an authorised request that lacks a parameter. Firewalls do not send them. */
export const validationStatuses: ReadonlySet<number> = new Set([409, 422]);

/** How a success differs from what the owner of its endpoint says of the payload. No clause does (OPEN-7). */
export function payloadMismatch(
  answer: Answer,
  rule: { mismatch(payload: unknown): string | undefined },
): string | undefined {
  const { value, why } = readJson(answer);
  const found = why === undefined ? rule.mismatch(value) : `the body is ${why}`;
  return found && `${outline(answer)}: ${found}`;
}

/** What is wrong with an answer to valid credentials; undefined for the success envelope with a token. */
export function tokenBreach(answer: Answer): { expected: string; received: string } | undefined {
  const expected = '{"success":true,"message":"…","data":{"accessToken":"…"}}';
  const first = bodyMismatch(successEnvelope, answer);
  if (first !== undefined) return { expected, received: `${outline(answer)}: ${first}` };
  if (readToken(answer)?.is(fitsBearer) !== false) return undefined;
  const received = `${outline(answer)}: /data/accessToken holds white space or a control character`;
  return { expected: fittingToken, received };
}

/** What is wrong with the body of a 401; nothing of another answer. HEAD has no body. */
export function envelopeBreaches(
  answer: Answer,
): { readonly clause: 'ERROR-2' | 'ERROR-3'; readonly received: string }[] {
  if (answer.status !== 401 || isHead(answer)) return [];
  const mismatch = bodyMismatch(errorEnvelope, answer);
  const message = inBody(answer, 'message');
  const breaches = mismatch
    ? [{ clause: 'ERROR-2' as const, received: `${outline(answer)}: ${mismatch}` }]
    : [];
  if (typeof message !== 'string' || message === refusalMessage) return breaches;
  const received = `401 with the message ${JSON.stringify(message)}`;
  return [...breaches, { clause: 'ERROR-3' as const, received }];
}

/**
 * What an answer other than 401 to an unauthorised request means. The request was admitted if it succeeded, or if
 * its answer is that of the authorised request. Redirects, "forbidden", "not found", "not allowed", server errors and
 * mistakes in a request, which many services look for first, prove nothing if both requests get them.
 */
export function breach(answer: Answer, control: Answer) {
  const { status } = answer;
  if (deniesInBody(answer) && !deniesInBody(control)) return 'wrong status';
  if (isSuccess(status)) return 'let in';
  if (status !== control.status) return 'wrong status';
  const redirects = status >= 300 && status < 400;
  const isEarly = earlyStatuses.has(status) || mistakeStatuses.has(status);
  return redirects || isEarly || status >= 500 ? 'nothing proven' : 'let in';
}

/** Statuses of a request that lacks a parameter, or has a wrong one. */
export const mistakeStatuses: ReadonlySet<number> = new Set([400, 422]);
export const missingInputHint = ': give it the query or the body that it needs (targets.yaml)';

/** Statuses with which proxies answer requests that are too long or malformed for them. */
export const frontStatuses: ReadonlySet<number> = new Set([400, 413, 414, 431]);

/**
 * Whether an address or a header was too long for the server (OPEN-8), so that the guard has not checked it. nginx,
 * Apache and Tomcat send 400, IIS 404, others 413: these count only if it was longer than the control.
 */
export function isOversize({ status, request }: Answer, control: Answer): boolean {
  if (status === 414 || status === 431) return true;
  // All common servers accept 2048 characters; IIS accepts no more.
  const accepted = Math.max(2048, control.request.longestLine ?? 0);
  return [400, 404, 413].includes(status) && (request.longestLine ?? 0) > accepted;
}

/** Whether an unauthorised request was admitted. @param control the answer to the same request with a valid token */
export const isLetIn = (answer: Answer, control: Answer): boolean =>
  answer.status !== 401 && !isOversize(answer, control) && breach(answer, control) === 'let in';

/** Statuses that are the same for every caller, such as not found, or that servers send before the guard checks. */
const earlyStatuses: ReadonlySet<number> = new Set([403, 404, 405, 406, 410, 411, 415, 421, 451]);

/** Whether an answer to a valid token may come from something in front of the service, which refuses every token. */
export const mayBeFromFront = (answer: Answer): boolean =>
  frontStatuses.has(answer.status) || breach(answer, answer) === 'nothing proven';

const deniesInBody = (answer: Answer): boolean => inBody(answer, 'success') === false;

/** Whether an answer comes from the endpoint itself: the same success, with JSON of the same form at every depth. */
export function isEndpointAnswer(answer: Answer, authorised: Answer): boolean {
  const type = header(authorised, 'content-type');
  if (answer.status !== authorised.status || !isSuccess(answer.status)) return false;
  if (deniesInBody(answer) && !deniesInBody(authorised)) return false;
  if (header(answer, 'content-type') !== type) return false;
  if (isHead(answer)) return type !== undefined;
  const isOptions = answer.request.line.startsWith('OPTIONS ');
  if (authorised.body.length === 0) return answer.body.length === 0 && !isOptions;
  if (answer.body.equals(authorised.body)) return true;
  const [a, b] = [readJson(answer), readJson(authorised)];
  return (a.why ?? b.why) === undefined && haveSameForm(a.value, b.value);
}

/** Whether two JSON values have the same form. An empty array has the form of any array. */
function haveSameForm(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === 0 || b.length === 0 || haveSameForm(a[0], b[0]);
  if (!isObject(a) || !isObject(b))
    return a === b || (typeof a === typeof b && typeof a !== 'object');
  const names = Object.keys({ ...a, ...b });
  return names.every((name) => haveSameForm(field(a, name), field(b, name)));
}

/** Whether an answer is a page of a proxy, firewall or login. Many such pages have no `Content-Type`. */
export function isWebPage(answer: Answer): boolean {
  const type = header(answer, 'content-type') ?? '';
  const isPage = /^text\/html\b/i.test(type) || (type === '' && answer.body.length > 0);
  return isPage && readJson(answer).why !== undefined;
}
