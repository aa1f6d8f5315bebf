import { randomUUID } from 'node:crypto';
import * as admission from '../admission.ts';
import type { MustId, OpenId } from '../clauses.ts';
import { type Answer, outline, quoteAnswer } from '../http/answer.ts';
import { bearer, orNothing } from '../http/client.ts';
import { apiPrefix, endpointName, tokenEndpoint } from '../http/request.ts';
import {
  type Breach,
  type ClauseOf,
  type ContractRun,
  type Contrast,
  createFinding,
  type Findings,
  noteRefusal,
  ownText,
  providerText,
  type RequestOptions,
} from './findings.ts';
import { confirm, type Exchanged, isLostAlone } from './repetitions.ts';

/**
 * Sends requests of one run of a probe, judges the answers and records findings. It never stops at the first one. An
 * unexpected answer becomes a finding only if the provider repeats it. Each method that sends throws `UnreachableError`.
 */
export class Contract {
  readonly record: Findings = { findings: [], observations: [] };
  readonly #run: ContractRun;
  /** The answers that the provider has repeated, as clauses and status. They are not confirmed again. */
  readonly #confirmed = new Set<string>();
  /** The clauses that the first refusal of a valid token violated. */
  #refusing: readonly MustId[] | undefined;
  /** How many requests the earlier lists of this run have. */
  #listedRequests = 0;

  constructor(run: ContractRun) {
    this.#run = run;
  }

  /**
   * The rows of a list that this run sends: all, or a part where a monitor sends a long list in many runs.
   * @param cost how many requests a row takes; by default one
   */
  selectPart<Row>(rows: readonly Row[], cost: (row: Row) => number = () => 1): readonly Row[] {
    const { from = 0, most: max = Number.POSITIVE_INFINITY } = this.#run.part ?? {};
    return rows.filter((row) => {
      const at = this.#listedRequests;
      this.#listedRequests += cost(row);
      if (at < from || this.record.nextRow !== undefined) return false;
      const isDue = at === from || this.#listedRequests <= from + max;
      if (!isDue) this.record.nextRow = at;
      return isDue;
    });
  }

  /** Sends a request without a judgement: one of several at once, or one that prepares another. */
  async send({
    to = this.#run.endpoint,
    via = this.#run.service,
    ...options
  }: RequestOptions = {}): Promise<Exchanged> {
    const again = (endpoint = to): Promise<Answer> => via.call(endpoint, options);
    const sendElsewhere = () => again({ ...to, path: `${apiPrefix}${randomUUID()}` });
    return { answer: await again(), resend: () => again(), sendElsewhere };
  }

  /** The request is authorised: any answer except 401 is right (OPEN-7). After a refusal nothing else is proven. */
  async admits(
    request: RequestOptions,
    clause: MustId | readonly MustId[],
    reason = 'the token is valid',
  ): Promise<Answer> {
    const exchanged = await this.send(request);
    const { answer } = exchanged;
    if (answer.status !== 401) {
      const { oldestAdmittedMs: oldest = 0 } = this.record;
      this.record.oldestAdmittedMs = Math.max(oldest, answer.request.tokenAgeMs ?? 0);
      await this.#isFromTheFront(exchanged);
    } else if (this.#run.disturbed !== undefined) this.unproven(this.#run.disturbed);
    else await this.#judgeRefused(exchanged, [clause].flat(), reason);
    return answer;
  }

  /** The request is unauthorised: 401 and its envelope are right, and an admission violates the clause. */
  async refuses(request: RequestOptions, clause: ClauseOf, contrast: Contrast): Promise<Answer> {
    const exchanged = await this.send(request).catch((error: unknown) =>
      this.#judgeLoss(error, request, contrast),
    );
    await this.judgeRefusal(exchanged, clause, contrast);
    return exchanged.answer;
  }

  /** Judges an answer as `refuses` does. */
  async judgeRefusal(exchanged: Exchanged, clause: ClauseOf, contrast: Contrast): Promise<void> {
    const { answer } = exchanged;
    const { control, reason } = contrast;
    if (admission.isOversize(answer, control))
      return this.unproven(`it is too long for the provider (${answer.status}): ${reason}`);
    if (answer.status !== 401) return this.#judgeOther(exchanged, clause, contrast);
    noteRefusal(this.record, answer, clause);
    for (const { clause: violated, received } of admission.envelopeBreaches(answer))
      await this.#violatedIfRepeated([violated], exchanged, { reason, received }, (repeated) =>
        admission.envelopeBreaches(repeated).some((found) => found.clause === violated),
      );
  }

  /** The token endpoint answers a request with valid credentials with the success envelope. */
  async issues(request: RequestOptions, reason = 'the credentials are valid'): Promise<Answer> {
    const exchanged = await this.send({ to: tokenEndpoint, ...request });
    const breach = admission.tokenBreach(exchanged.answer);
    if (breach !== undefined)
      await this.#violatedIfRepeated(['TOKEN-1'], exchanged, { reason, ...breach }, (repeated) =>
        Boolean(admission.tokenBreach(repeated)),
      );
    return exchanged.answer;
  }

  /** The answer to a request without a token: up to four tries to get 401, without which the probe proves nothing. */
  async missing(request: RequestOptions = {}, contrast?: Contrast): Promise<Answer | undefined> {
    const first = await orNothing(this.send(request));
    if (first === undefined) {
      this.unproven('a request without a token gets no answer');
      return undefined;
    }
    if (contrast) await this.judgeRefusal(first, 'BEARER-2', contrast);
    let answer: Answer | undefined = first.answer;
    for (let tries = 0; answer?.status !== 401 && tries < 3; tries++)
      answer = await orNothing(first.resend());
    if (answer?.status === 401) {
      this.record.sawRefusal = true;
      return answer;
    }
    // The owner of an endpoint that redirects, such as to its path with a slash, must know where to.
    this.unproven(`a request without a token is answered with ${quoteAnswer(first.answer)}`);
    return first.answer;
  }

  /** Records a violation that is not an accident. */
  violated(clause: MustId, answer: Answer, breach: Breach): void {
    this.record.findings.push(createFinding(this.#run, clause, answer, breach));
  }

  /** Records why the probe proved nothing; the first reason counts. */
  unproven(why: string): void {
    this.record.unproven ??= ownText(why);
  }

  /** A fact that the contract leaves open. */
  observe(id: OpenId, fact: string, value: string): void {
    this.record.observations.push({ id, fact, value: providerText(value, this.#run.scrub) });
  }

  /** Judges the 401 to a valid token. The contract's own 401 comes from the service, so it is not sent again. */
  async #judgeRefused(exchanged: Exchanged, clauses: readonly MustId[], reason: string) {
    // The first refusal of a valid token explains later ones, unless they are about the same clauses.
    if ((this.#refusing ?? clauses).join() !== clauses.join()) return;
    const { answer } = exchanged;
    const breach = { reason, expected: 'any answer but 401', received: outline(answer) };
    const isUnexpected = ({ status }: Answer): boolean => status === 401;
    if (admission.isRefusal(answer)) this.#confirmed.add(`${clauses} 401`);
    if (!(await this.#violatedIfRepeated(clauses, exchanged, breach, isUnexpected))) return;
    this.#refusing = clauses;
    this.unproven('the same request with a valid token was refused');
  }

  /** Judges an answer other than 401 to an unauthorised request. */
  async #judgeOther(exchanged: Exchanged, clause: ClauseOf, contrast: Contrast) {
    const { answer } = exchanged;
    const { status } = answer;
    const { control, reason, expected } = contrast;
    const result = admission.breach(answer, control);
    if (result === 'nothing proven') {
      const lacking = admission.mistakeStatuses.has(status) ? admission.missingInputHint : '';
      // The endpoint may look at its request before the guard does.
      if (lacking === '' || (await orNothing(this.send()))?.answer.status !== 401)
        return this.unproven(
          `with and without a valid token the endpoint answers ${status}${lacking}`,
        );
    }
    const isLetIn = result !== 'wrong status';
    if (isLetIn && (await this.#isFromTheFront(exchanged))) return;
    let violated: MustId = 'ERROR-1';
    if (isLetIn) violated = clause instanceof Function ? await clause(answer) : clause;
    const breach = { reason, expected, received: outline(answer) };
    // An unauthorised request that gets the endpoint's own answer is not an accident; a page may replace both.
    if (isLetIn && admission.isEndpointAnswer(answer, control) && !admission.isWebPage(answer))
      return this.violated(violated, answer, breach);
    const isUnexpected = (repeated: Answer): boolean => repeated.status === status;
    const unexpectedStatus = control.status === status ? undefined : status;
    await this.#violatedIfRepeated([violated], exchanged, breach, isUnexpected, unexpectedStatus);
  }

  /** Whether something in front of the service answers every path alike, such as a limit that each token exceeds. */
  async #isFromTheFront({ answer: { status }, sendElsewhere }: Exchanged): Promise<boolean> {
    if (!admission.frontStatuses.has(status) || sendElsewhere === undefined) return false;
    if ((await orNothing(sendElsewhere()))?.status !== status) return false;
    this.unproven(`something in front of the service answers with ${status} at any path`);
    return true;
  }

  /** A request that never gets an answer, although each authorised one in between does, violates ERROR-1. */
  async #judgeLoss(error: unknown, request: RequestOptions, contrast: Contrast): Promise<never> {
    const { control, reason } = contrast;
    const { token } = control.request;
    const admitted = () => this.send(token && bearer(token));
    if (await isLostAlone(error, () => this.send(request), admitted)) {
      const line = endpointName(this.#run.endpoint);
      const received = 'no answer: only such requests lose their connection';
      const nothing = { ...control, body: Buffer.alloc(0), request: { line } };
      this.violated('ERROR-1', nothing, { reason, received });
    }
    throw error;
  }

  /** Records a violation only if the provider repeats the answer, which may be an accident. @returns whether it does */
  async #violatedIfRepeated(
    clauses: readonly MustId[],
    { answer, resend }: Exchanged,
    breach: Breach,
    isUnexpected: (repeated: Answer) => boolean,
    unexpectedStatus?: number,
  ): Promise<boolean> {
    const kind = `${clauses} ${answer.status}`;
    const checkAlive = async () => this.#run.checkAlive?.(unexpectedStatus);
    const seen = this.#confirmed.has(kind) ? {} : await confirm(resend, isUnexpected, checkAlive);
    if (seen === undefined) return false;
    this.#confirmed.add(kind);
    for (const clause of clauses) this.violated(clause, answer, { ...breach, ...seen });
    return true;
  }
}
