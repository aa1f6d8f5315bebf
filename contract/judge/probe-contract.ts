import { randomUUID } from 'node:crypto';
import {
  breach,
  envelopeBreaches,
  isEndpointAnswer,
  isOversize,
  isRefusal,
  isWebPage,
  ofFronts,
  refusalText,
  tokenBreach,
} from '../admission.ts';
import type { MustId, OpenId } from '../clauses.ts';
import { ownText, providerText } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import { type Answer, outline } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { endpointName, prefix, tokenEndpoint } from '../http/request.ts';
import { orNothing, Unreachable } from '../http/unreachable.ts';
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
import { findingOf } from './finding-of.ts';
import { isLostAlone, Repetitions } from './repetitions.ts';

/** The judge of one run of a probe. */
export class ProbeContract implements Contract {
  readonly record: Findings = { findings: [], observations: [] };
  readonly #run: ContractRun;
  /** The clauses that the first refusal of a valid token violated. */
  #refusing: readonly MustId[] | undefined;
  readonly #repetitions: Repetitions;

  constructor(run: ContractRun) {
    this.#run = run;
    this.#repetitions = new Repetitions(run.repetitions);
  }

  async admits(
    request: RequestOptions,
    clause: Clause | readonly MustId[],
    reason = 'the token is valid',
  ): Promise<Answer> {
    const exchanged = await this.send(request);
    const { answer, again } = exchanged;
    if (answer.status !== 401) {
      await this.#isFromTheFront(exchanged);
      return answer;
    }
    const { disturbed } = this.#run;
    if (disturbed !== undefined) {
      this.unproven(disturbed);
      return answer;
    }
    const clauses = typeof clause === 'function' ? [await clause(answer)] : [clause].flat();
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
      this.record.findings.push({ ...findingOf(this.#run, violated, answer, breach), ...seen });
    this.unproven('the same request with a valid token was refused');
    return answer;
  }

  async send({
    to = this.#run.endpoint,
    via = this.#run.service,
    ...options
  }: RequestOptions = {}): Promise<Exchanged> {
    const again = (): Promise<Answer> => via.call(to, options);
    const elsewhere = (): Promise<Answer> =>
      via.call({ ...to, path: `${prefix}${randomUUID()}` }, options);
    return { answer: await again(), again, elsewhere };
  }

  async refuses(request: RequestOptions, clause: Clause, contrast: Contrast): Promise<Answer> {
    const exchanged = await this.send(request).catch((error: unknown) =>
      this.#judgeLoss(error, request, contrast),
    );
    await this.judgeRefusal(exchanged, clause, contrast);
    return exchanged.answer;
  }

  async judgeRefusal(exchanged: Exchanged, clause: Clause, contrast: Contrast): Promise<void> {
    const { answer } = exchanged;
    const { control, reason } = contrast;
    if (answer.status === 401) this.record.sawRefusal = true;
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
    const finding = findingOf(this.#run, clause, answer, {
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
    const finding = findingOf(this.#run, 'TOKEN-1', answer, { reason, ...breach });
    await this.#suspect(exchanged, finding, (again) => tokenBreach(again) !== undefined);
    return answer;
  }

  async missing(request: RequestOptions = {}, contrast?: Contrast): Promise<Answer | undefined> {
    const exchanged = await orNothing(this.send(request));
    if (exchanged && contrast) await this.judgeRefusal(exchanged, 'BEARER-2', contrast);
    let last = exchanged?.answer;
    for (let tries = 0; exchanged && last && last.status !== 401 && tries < 3; tries++)
      last = await orNothing(exchanged.again());
    const gets = exchanged ? `is answered with ${exchanged.answer.status}` : 'gets no answer';
    if (last?.status === 401) this.record.sawRefusal = true;
    else this.unproven(`a request without a token ${gets}`);
    return last?.status === 401 ? last : exchanged?.answer;
  }

  violated(clause: MustId, answer: Answer, breach: Breach): void {
    this.record.findings.push(findingOf(this.#run, clause, answer, breach));
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
    if (broken === 'let in' && (await this.#isFromTheFront(exchanged))) return;
    const letIn = typeof clause === 'string' ? clause : await clause(answer);
    const finding = findingOf(this.#run, broken === 'let in' ? letIn : 'ERROR-1', answer, {
      reason,
      expected: refusalText,
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

  /**
   * Whether something in front of the service answers instead of it, to every path alike. Then nothing is proven: a
   * proxy has a limit on headers that every token exceeds.
   */
  async #isFromTheFront({ answer: { status }, elsewhere }: Exchanged): Promise<boolean> {
    if (!ofFronts.has(status) || elsewhere === undefined) return false;
    if ((await orNothing(elsewhere()))?.status !== status) return false;
    this.unproven(
      `something in front of the service answers such requests with ${status}, at any path`,
    );
    return true;
  }

  /**
   * A request that never gets an answer, although each request with a valid token in between gets one, is not refused
   * with 401. @throws the error, after the finding
   */
  async #judgeLoss(error: unknown, request: RequestOptions, contrast: Contrast): Promise<never> {
    const { token } = contrast.control.request;
    if (!(error instanceof Unreachable) || error.reason !== 'reset' || token === undefined)
      throw error;
    const again = (): Promise<Answer> => this.send(request).then(({ answer }) => answer);
    const admitted = (): Promise<Answer> => this.send(bearer(token)).then(({ answer }) => answer);
    if (!(await isLostAlone(again, admitted))) throw error;
    const asked = { ...contrast.control, request: { line: endpointName(this.#run.endpoint) } };
    this.violated(
      'ERROR-1',
      { ...asked, body: Buffer.alloc(0) },
      {
        reason: contrast.reason,
        expected: refusalText,
        received: 'no answer: only such requests lose their connection',
      },
    );
    throw error;
  }

  async #judgeEnvelope(exchanged: Exchanged, reason: string): Promise<void> {
    for (const { clause, received, isWrong } of envelopeBreaches(exchanged.answer)) {
      const finding = findingOf(this.#run, clause, exchanged.answer, {
        reason,
        expected: refusalText,
        received,
      });
      await this.#suspect(exchanged, finding, (again) => again.status === 401 && isWrong(again));
    }
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
