import { type Answer, field, header, isObject, jsonOf, outline } from './answer.ts';
import type { MustId, OpenId } from './clauses.ts';
import { duration } from './clock.ts';
import type { Finding, Observation } from './finding.ts';
import { bodyMismatches, sentence, tokenOf } from './schema.ts';
import { fitsBearer, fittingToken } from './transport.ts';

/** The message of every 401 (Errors). */
export const refusalMessage = 'Invalid or expired access token.';

const refusal = `401 {"success":false,"message":"${refusalMessage}"}`;

/** Why a refusal is due, and the same request with a valid token, which was admitted. */
interface Contrast {
  readonly unlike: Answer;
  readonly because: string;
}

/** Records what it finds, and never stops at the first. It never throws. */
export interface Judge {
  /**
   * The request is authorised: the answer is anything but 401 (OPEN-7). A control that fails proves nothing further.
   */
  admitted(answer: Answer, clause: MustId, because?: string): void;
  /**
   * The request is unauthorised: 401 and its envelope. One that is let in breaks the clause, another answer an ERROR
   * clause.
   */
  refused(answer: Answer, clause: MustId, contrast: Contrast): void;
  /**
   * A way around the guard is shut, whatever the answer; judged where the same way with a valid token leads to the
   * endpoint.
   */
  shut(answer: Answer, clause: MustId, contrast: Contrast & { readonly straight: Answer }): void;
  /** The answer of the token endpoint is the success envelope. */
  issued(answer: Answer): void;
  /** Anything else that a probe has seen broken. */
  broken(
    clause: MustId,
    answer: Answer,
    told: Pick<Finding, 'expected' | 'received'> & { readonly because: string },
  ): void;
  /** The probe could prove nothing, and why. */
  unproven(why: string): void;
  /** A fact that the document leaves open. */
  observe(id: OpenId, fact: string, value: string): void;
}

/** What a judge has written down. */
export interface Record {
  readonly findings: Finding[];
  readonly observations: Observation[];
  unproven?: string;
}

/** What a judge must know beside the answers. */
export interface Bench {
  readonly scrub: (text: string) => string;
  /** Whether time is simulated, so that ages of tokens mean anything. */
  readonly simulated: boolean;
  /** Why a valid token may be refused for another reason than a broken BEARER-1, when there is one. */
  readonly disturbed?: string;
}

/** A judge for one run of a probe, and the record that it writes. */
export function judging(
  probe: string,
  endpoint: string,
  { scrub, simulated, disturbed }: Bench,
): [Judge, Record] {
  const record: Record = { findings: [], observations: [] };

  let refusing: MustId | undefined;

  const judge: Judge = {
    admitted(answer, clause, because = 'the token is valid') {
      if (answer.status !== 401) return;
      if (disturbed !== undefined) return judge.unproven(disturbed);
      // The first refusal of a valid token explains those that follow, unless they are about the same clause.
      if (refusing !== undefined && refusing !== clause) return;
      refusing = clause;
      judge.broken(clause, answer, {
        because,
        expected: 'any answer but 401',
        received: outline(answer),
      });
      judge.unproven('the same request with a valid token was refused');
    },
    refused(answer, clause, { unlike, because }) {
      if (isOversize(answer, unlike))
        return judge.unproven(`it is too long for the provider (${answer.status}): ${because}`);
      if (answer.status !== 401) {
        const broken = breach(answer, unlike);
        if (broken === 'nothing proven')
          judge.unproven(`with and without a valid token the endpoint answers ${answer.status}`);
        else
          judge.broken(broken === 'let in' ? clause : 'ERROR-1', answer, {
            because,
            expected: refusal,
            received: outline(answer),
          });
        return;
      }
      if (answer.asked.line.startsWith('HEAD ')) return;
      const [first] = bodyMismatches('error-envelope', answer);
      if (first !== undefined)
        judge.broken('ERROR-2', answer, {
          because,
          expected: refusal,
          received: `${outline(answer)}: ${sentence(first)}`,
        });
      const json = jsonOf(answer);
      const message = json.is === 'json' ? field(json.value, 'message') : undefined;
      if (typeof message === 'string' && message !== refusalMessage)
        judge.broken('ERROR-3', answer, {
          because,
          expected: refusal,
          received: `401 with the message ${JSON.stringify(brief(scrub(message), 120))}`,
        });
    },
    shut(answer, clause, { unlike, straight, because }) {
      if (!leadsTo(unlike, straight) || !leadsTo(answer, straight)) return;
      judge.broken(clause, answer, {
        because,
        expected: 'anything but what the endpoint answers when authorised',
        received: outline(answer),
      });
    },
    issued(answer) {
      const [first] = bodyMismatches('success-envelope', answer);
      const because = 'the credentials are valid';
      if (first !== undefined)
        judge.broken('TOKEN-1', answer, {
          because,
          expected: '{"success":true,"message":"…","data":{"accessToken":"…"}}',
          received: `${outline(answer)}: ${sentence(first)}`,
        });
      else if (tokenOf(answer)?.is(fitsBearer) === false)
        judge.broken('TOKEN-1', answer, {
          because,
          expected: fittingToken,
          received: `${outline(answer)}: /data/accessToken holds white space or a control character`,
        });
    },
    broken(clause, answer, { because, expected, received }) {
      const { line, tokenAgeMs } = answer.asked;
      const age =
        simulated && tokenAgeMs !== undefined
          ? `at ${duration(tokenAgeMs)} after the token was made`
          : '';
      const when = [age, because].filter((part) => part !== '').join(', ');
      record.findings.push({
        clause,
        probe,
        endpoint,
        when: told(when, scrub),
        asked: told(line, scrub),
        expected: told(expected, scrub),
        received: told(received, scrub),
      });
    },
    unproven(why) {
      record.unproven ??= told(why, scrub);
    },
    observe(id, fact, value) {
      record.observations.push({ id, fact, value: told(value, scrub) });
    },
  };
  return [judge, record];
}

/**
 * What an answer other than 401 to an unauthorised request means. It was let in when it succeeded, or when it is
 * answered as the authorised request is; but a redirect, "forbidden", "not found", "not allowed" and errors of the
 * server tell nothing when both get them.
 */
function breach(answer: Answer, control: Answer): 'let in' | 'wrong status' | 'nothing proven' {
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

/** No server of note takes fewer characters in its address or in a header: IIS takes so many in a query. */
const everTaken = 2048;

/** Whether a request was longer than a server may take, and longer than the control, which it took. */
function isOversize({ status, asked: { longest = 0 } }: Answer, { asked }: Answer): boolean {
  if (oversize.has(status)) return true;
  return oftenOversize.has(status) && longest > Math.max(everTaken, asked.longest ?? 0);
}

/** Forbidden, not found, not allowed, gone: whoever asks. */
const unreached: ReadonlySet<number> = new Set([403, 404, 405, 410]);

function deniesInBody(answer: Answer): boolean {
  const json = jsonOf(answer);
  return json.is === 'json' && field(json.value, 'success') === false;
}

/** Whether an answer is what the endpoint itself gives: the same success, with a body of the same form. */
export function leadsTo(answer: Answer, straight: Answer): boolean {
  if (answer.status !== straight.status || straight.status < 200 || straight.status > 299)
    return false;
  if (deniesInBody(answer) && !deniesInBody(straight)) return false;
  if (header(answer, 'content-type') !== header(straight, 'content-type')) return false;
  if (answer.asked.line.startsWith('HEAD ')) return header(straight, 'content-type') !== undefined;
  if (straight.body.length === 0)
    return answer.body.length === 0 && !answer.asked.line.startsWith('OPTIONS ');
  return (
    answer.body.equals(straight.body) ||
    (members(answer) !== undefined && members(answer) === members(straight))
  );
}

/** The names of a JSON object's members; undefined for anything else and for an object without any. */
function members(answer: Answer): string | undefined {
  const json = jsonOf(answer);
  if (json.is !== 'json' || !isObject(json.value)) return undefined;
  const names = Object.keys(json.value).sort();
  return names.length === 0 ? undefined : JSON.stringify(names);
}

const brief = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/**
 * What may be told of a text: no secret, which is taken out before anything is cut; no control character, with which
 * a provider would write on the reader's terminal or break XML; and not without end.
 */
const told = (text: string, scrub: (text: string) => string): string =>
  brief(scrub(text), 500)
    .toWellFormed()
    .replace(/[^\P{C}]/gu, '\ufffd');
