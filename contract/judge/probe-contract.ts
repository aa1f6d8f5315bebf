import {
  breach,
  isEndpointAnswer,
  isOversize,
  isRefusal,
  isWebPage,
  messageOf,
  refusalMessage,
  tokenBreach,
} from '../admission.ts';
import type { MustId, OpenId } from '../clauses.ts';
import { evidenceOf, ownText, providerText } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import { type Answer, isHead, outline } from '../http/answer.ts';
import { tokenEndpoint } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import { bodyMismatches, sentence } from '../schema.ts';
import { duration } from '../time/clock.ts';
import type {
  Breach,
  BypassContrast,
  Clause,
  Contract,
  ContractRun,
  Contrast,
  Exchanged,
  Findings,
  RequestOptions,
} from './contract.ts';
import { Repetitions } from './repetitions.ts';

/** How often a request without a token is repeated until it gets a 401. */
const mostRepeats = 3;

const refusal = `401 {"success":false,"message":"${refusalMessage}"}`;

/** The judge of one run of a probe. */
export class ProbeContract implements Contract {
  readonly record: Findings = { findings: [], observations: [] };
  readonly #run: ContractRun;
  /** The clauses that the first refusal of a valid token violated. */
  #refusing: readonly MustId[] | undefined;
  readonly #repetitions: Repetitions;

  constructor(run: ContractRun) {
    this.#run = run;
    this.#repetitions = new Repetitions(run.checkAlive);
  }

  async admits(
    request: RequestOptions,
    clause: MustId | readonly MustId[],
    reason = 'the token is valid',
  ): Promise<Answer> {
    const { answer, again } = await this.send(request);
    if (answer.status !== 401) return answer;
    const { disturbed } = this.#run;
    if (disturbed !== undefined) {
      this.unproven(disturbed);
      return answer;
    }
    const clauses = [clause].flat();
    const breach = { reason, expected: 'any answer but 401', received: outline(answer) };
    // The service's own refusal is not an accident on the way.
    const isUnexpected = ({ status }: Answer): boolean => status === 401;
    const seen = isRefusal(answer)
      ? {}
      : await this.#repetitions.of(`${clauses.join()} 401`, { again, isUnexpected });
    // The first refusal of a valid token explains later ones, unless they are about the same clauses.
    if (seen === undefined || (this.#refusing ?? clauses).join() !== clauses.join()) return answer;
    this.#refusing = clauses;
    for (const violated of clauses)
      this.record.findings.push({ ...this.#finding(violated, answer, breach), ...seen });
    this.unproven('the same request with a valid token was refused');
    return answer;
  }

  async send({ to, via, ...options }: RequestOptions = {}): Promise<Exchanged> {
    const again = (): Promise<Answer> =>
      (via ?? this.#run.service).call(to ?? this.#run.endpoint, options);
    return { answer: await again(), again };
  }

  async refuses(request: RequestOptions, clause: Clause, contrast: Contrast): Promise<Answer> {
    const exchanged = await this.send(request);
    await this.judgeRefusal(exchanged, clause, contrast);
    return exchanged.answer;
  }

  async judgeRefusal(exchanged: Exchanged, clause: Clause, contrast: Contrast): Promise<void> {
    const { answer } = exchanged;
    const { control, reason } = contrast;
    if (isOversize(answer, control))
      this.unproven(`it is too long for the provider (${answer.status}): ${reason}`);
    else if (answer.status === 401) await this.#judgeEnvelope(exchanged, reason);
    else await this.#judgeOther(exchanged, clause, contrast);
  }

  async judgeBypass(
    exchanged: Exchanged,
    clause: MustId,
    { control, authorised, reason }: BypassContrast,
  ): Promise<void> {
    const { answer } = exchanged;
    if (!isEndpointAnswer(control, authorised) || !isEndpointAnswer(answer, authorised)) return;
    const finding = this.#finding(clause, answer, {
      reason,
      expected: 'anything but what the endpoint answers when authorised',
      received: outline(answer),
    });
    // A proxy's page may replace both answers.
    if (isWebPage(answer))
      await this.#suspect(exchanged, finding, (again) => isEndpointAnswer(again, authorised));
    else this.record.findings.push(finding);
  }

  async issues(request: RequestOptions, reason = 'the credentials are valid'): Promise<Answer> {
    const exchanged = await this.send({ to: tokenEndpoint, ...request });
    const { answer } = exchanged;
    const breach = tokenBreach(answer);
    if (breach === undefined) return answer;
    const finding = this.#finding('TOKEN-1', answer, { reason, ...breach });
    await this.#suspect(exchanged, finding, (again) => tokenBreach(again) !== undefined);
    return answer;
  }

  async missing(request: RequestOptions = {}, contrast?: Contrast): Promise<Answer> {
    const { answer, again } = await this.send(request);
    if (contrast !== undefined) await this.judgeRefusal({ answer, again }, 'BEARER-2', contrast);
    let last: Answer | undefined = answer;
    for (let tries = 0; tries < mostRepeats && last !== undefined && last.status !== 401; tries++)
      last = await orNothing(again());
    if (last?.status === 401) return last;
    this.unproven(`a request without a token is answered with ${answer.status}`);
    return answer;
  }

  violated(clause: MustId, answer: Answer, breach: Breach): void {
    this.record.findings.push(this.#finding(clause, answer, breach));
  }

  unproven(why: string): void {
    this.record.unproven ??= ownText(why);
  }

  observe(id: OpenId, fact: string, value: string): void {
    this.record.observations.push({ id, fact, value: providerText(value, this.#run.scrub) });
  }

  /** Judges an answer other than 401 to an unauthorised request. */
  async #judgeOther(
    exchanged: Exchanged,
    clause: Clause,
    { control, reason }: Contrast,
  ): Promise<void> {
    const { answer } = exchanged;
    const broken = breach(answer, control);
    if (broken === 'nothing proven') {
      this.unproven(`with and without a valid token the endpoint answers ${answer.status}`);
      return;
    }
    const letIn = typeof clause === 'string' ? clause : await clause(answer);
    const finding = this.#finding(broken === 'let in' ? letIn : 'ERROR-1', answer, {
      reason,
      expected: refusal,
      received: outline(answer),
    });
    // An unauthorised request that gets the endpoint's own answer is not an accident; a page may replace both.
    const isOwn = isEndpointAnswer(answer, control) && !isWebPage(answer);
    if (broken === 'let in' && isOwn) this.record.findings.push(finding);
    else
      await this.#suspect(
        exchanged,
        finding,
        ({ status }) => status === answer.status,
        control.status === answer.status ? undefined : answer.status,
      );
  }

  /** Judges the body of a 401. */
  async #judgeEnvelope(exchanged: Exchanged, reason: string): Promise<void> {
    const { answer } = exchanged;
    if (isHead(answer)) return;
    const suspect = (clause: MustId, received: string, isWrong: (again: Answer) => boolean) =>
      this.#suspect(
        exchanged,
        this.#finding(clause, answer, { reason, expected: refusal, received }),
        (again) => again.status === 401 && isWrong(again),
      );
    const mismatches = (body: Answer) => bodyMismatches('error-envelope', body);
    const [first] = mismatches(answer);
    if (first !== undefined)
      await suspect(
        'ERROR-2',
        `${outline(answer)}: ${sentence(first)}`,
        (again) => mismatches(again).length > 0,
      );
    const message = messageOf(answer);
    if (typeof message !== 'string' || message === refusalMessage) return;
    await suspect(
      'ERROR-3',
      `401 with the message ${JSON.stringify(message)}`,
      (again) => messageOf(again) !== refusalMessage,
    );
  }

  #finding(clause: MustId, answer: Answer, { reason, expected, received }: Breach): Finding {
    const { probe, endpointName, scrub, simulated } = this.#run;
    const { line, tokenAgeMs } = answer.request;
    const age =
      simulated && tokenAgeMs !== undefined
        ? `at ${duration(tokenAgeMs)} after the token was made`
        : '';
    const when = [age, reason].filter((part) => part !== '').join(', ');
    const { body, ...evidence } = evidenceOf(answer);
    return {
      clause,
      probe,
      endpoint: endpointName,
      when: ownText(when),
      asked: ownText(line),
      expected: ownText(expected),
      received: providerText(received, scrub),
      ...evidence,
      body: body && providerText(body, scrub),
    };
  }

  /** Records a finding that may be an accident, but only if the provider repeats the answer. */
  async #suspect(
    { answer, again }: Exchanged,
    finding: Finding,
    isUnexpected: (again: Answer) => boolean,
    unexpected?: number,
  ): Promise<void> {
    const seen = await this.#repetitions.of(`${finding.clause} ${answer.status}`, {
      again,
      isUnexpected,
      unexpected,
    });
    if (seen !== undefined) this.record.findings.push({ ...finding, ...seen });
  }
}
