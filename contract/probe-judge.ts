import {
  breach,
  isEndpointAnswer,
  isOversize,
  isRefusal,
  isWebPage,
  messageOf,
  refusalMessage,
  tokenBreach,
} from './admission.ts';
import type { MustId, OpenId } from './clauses.ts';
import type { Suspicion } from './confirmation.ts';
import { evidenceOf, ownText, providerText } from './evidence.ts';
import type { Finding } from './finding.ts';
import { type Answer, isHead, outline } from './http/answer.ts';
import { repeatOf } from './http/resending.ts';
import { orNothing } from './http/unreachable.ts';
import type { Breach, BypassContrast, Contrast, Findings, Judge, JudgeContext } from './judge.ts';
import { bodyMismatches, sentence } from './schema.ts';
import { duration } from './time/clock.ts';

const refusal = `401 {"success":false,"message":"${refusalMessage}"}`;

/** How often a request without a token is repeated until it gets a 401. */
const mostRepeats = 3;

/** A judge for one run of a probe. */
export class ProbeJudge implements Judge {
  readonly record: Findings = { findings: [], observations: [] };
  readonly #probe: string;
  readonly #endpoint: string;
  readonly #context: JudgeContext;
  /** The clause that the first refusal of a valid token violated. */
  #refusing: MustId | undefined;
  #confirming: Promise<void>[] = [];

  constructor(probe: string, endpoint: string, context: JudgeContext) {
    this.#probe = probe;
    this.#endpoint = endpoint;
    this.#context = context;
  }

  admitted(answer: Answer, clause: MustId, reason = 'the token is valid'): void {
    this.#count(clause);
    if (answer.status !== 401) return;
    const { disturbed } = this.#context;
    if (disturbed !== undefined) {
      this.unproven(disturbed);
      return;
    }
    const breach = { reason, expected: 'any answer but 401', received: outline(answer) };
    const refuse = (finding: Finding): void => {
      // The first refusal of a valid token explains later ones, unless they are about the same clause.
      if (this.#refusing !== undefined && this.#refusing !== clause) return;
      this.#refusing = clause;
      this.record.findings.push(finding);
      this.unproven('the same request with a valid token was refused');
    };
    const finding = this.#finding(clause, answer, breach);
    // The service's own refusal is not an accident on the way.
    if (isRefusal(answer)) refuse(finding);
    else this.#suspect(answer, finding, ({ status }) => status === 401, refuse);
  }

  refused(answer: Answer, clause: MustId, { control, reason }: Contrast): void {
    if (isOversize(answer, control)) {
      this.unproven(`it is too long for the provider (${answer.status}): ${reason}`);
      return;
    }
    this.#count(clause, 'ERROR-1', 'ERROR-2', 'ERROR-3');
    if (answer.status === 401) this.#envelope(answer, reason);
    else this.#otherThan401(answer, clause, { control, reason });
  }

  shut(answer: Answer, clause: MustId, { control, authorised, reason }: BypassContrast): void {
    if (!isEndpointAnswer(control, authorised) || !isEndpointAnswer(answer, authorised)) return;
    const finding = this.#finding(clause, answer, {
      reason,
      expected: 'anything but what the endpoint answers when authorised',
      received: outline(answer),
    });
    if (!isWebPage(answer)) this.record.findings.push(finding);
    // A proxy's page may replace both answers.
    else
      this.#suspect(answer, finding, (again) => isEndpointAnswer(again, authorised), undefined, {
        answer: authorised,
        explains: (again) => isEndpointAnswer(answer, again),
      });
  }

  issued(answer: Answer, reason = 'the credentials are valid'): void {
    this.#count('TOKEN-1');
    const breach = tokenBreach(answer);
    if (breach === undefined) return;
    const finding = this.#finding('TOKEN-1', answer, { reason, ...breach });
    this.#suspect(answer, finding, (again) => tokenBreach(again) !== undefined);
  }

  broken(clause: MustId, answer: Answer, breach: Breach): void {
    const finding = this.#finding(clause, answer, breach);
    // A proxy's page shows nothing of the endpoint, however often it was seen.
    if (isWebPage(answer)) this.#suspect(answer, finding, isWebPage);
    else this.record.findings.push(finding);
  }

  unproven(why: string): void {
    this.record.unproven ??= ownText(why);
  }

  async about401(answer: Answer): Promise<Answer> {
    const repeat = this.#context.confirmations && repeatOf(answer);
    let last: Answer | undefined = answer;
    for (let tries = 0; repeat !== undefined && tries < mostRepeats; tries++) {
      if (last === undefined || last.status === 401) break;
      last = await orNothing(repeat());
    }
    if (last?.status === 401) return last;
    this.unproven(`a request without a token is answered with ${answer.status}`);
    return answer;
  }

  observe(id: OpenId, fact: string, value: string): void {
    this.record.observations.push({ id, fact, value: providerText(value, this.#context.scrub) });
  }

  /**
   * Waits until the request of every possible accident was repeated, and no request is pending.
   * @throws the errors of the requests
   */
  async confirmed(): Promise<void> {
    while (this.#confirming.length > 0) {
      const settled = await Promise.allSettled(this.#confirming.splice(0));
      const failed = settled.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  }

  #otherThan401(answer: Answer, clause: MustId, { control, reason }: Contrast): void {
    const broken = breach(answer, control);
    if (broken === 'nothing proven') {
      this.unproven(`with and without a valid token the endpoint answers ${answer.status}`);
      return;
    }
    const finding = this.#finding(broken === 'let in' ? clause : 'ERROR-1', answer, {
      reason,
      expected: refusal,
      received: outline(answer),
    });
    // An unauthorised request that gets the endpoint's own answer is not an accident; a page may replace both.
    const isOwn = isEndpointAnswer(answer, control) && !isWebPage(answer);
    if (broken === 'let in' && isOwn) this.record.findings.push(finding);
    // Even a correct service may answer this request with another status, for every caller: a 404 to HEAD.
    else
      this.#suspect(answer, finding, ({ status }) => status === answer.status, undefined, {
        answer: control,
        explains: (again) => breach(answer, again) === broken,
      });
  }

  /** The body of a 401. */
  #envelope(answer: Answer, reason: string): void {
    if (isHead(answer)) return;
    const suspect = (clause: MustId, received: string, isWrong: (again: Answer) => boolean) => {
      const finding = this.#finding(clause, answer, { reason, expected: refusal, received });
      this.#suspect(answer, finding, (again) => again.status === 401 && isWrong(again));
    };
    const mismatches = (one: Answer) => bodyMismatches('error-envelope', one);
    const [first] = mismatches(answer);
    if (first !== undefined) {
      const received = `${outline(answer)}: ${sentence(first)}`;
      suspect('ERROR-2', received, (again) => mismatches(again).length > 0);
    }
    const message = messageOf(answer);
    if (typeof message === 'string' && message !== refusalMessage) {
      const received = `401 with the message ${JSON.stringify(message)}`;
      suspect('ERROR-3', received, (again) => messageOf(again) !== refusalMessage);
    }
  }

  #finding(clause: MustId, answer: Answer, { reason, expected, received }: Breach): Finding {
    const { scrub, simulated } = this.#context;
    const { line, tokenAgeMs } = answer.request;
    const age =
      simulated && tokenAgeMs !== undefined
        ? `at ${duration(tokenAgeMs)} after the token was made`
        : '';
    const when = [age, reason].filter((part) => part !== '').join(', ');
    const { body, ...evidence } = evidenceOf(answer);
    return {
      clause,
      probe: this.#probe,
      endpoint: this.#endpoint,
      when: ownText(when),
      asked: ownText(line),
      expected: ownText(expected),
      received: providerText(received, scrub),
      ...evidence,
      body: body && providerText(body, scrub),
    };
  }

  /** Records a finding that may be an accident, but only if the provider repeats the answer. */
  #suspect(
    answer: Answer,
    finding: Finding,
    isUnexpected: (again: Answer) => boolean,
    record: (found: Finding) => void = (found) => this.record.findings.push(found),
    control?: Suspicion['control'],
  ): void {
    const { confirmations } = this.#context;
    if (confirmations === undefined) {
      record(finding);
      return;
    }
    const suspicion = { answer, finding, isUnexpected, ...(control && { control }) };
    const confirming = confirmations.confirm(suspicion).then((found) => {
      if (found !== undefined) record(found);
    });
    // confirmed() throws its error.
    confirming.catch(() => {});
    this.#confirming.push(confirming);
  }

  #count(...clauses: readonly MustId[]): void {
    for (const clause of clauses)
      this.#context.confirmations?.count({ clause, endpoint: this.#endpoint });
  }
}
