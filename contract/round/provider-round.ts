import { orAborted } from '../command.ts';
import { type ApiClient, openClient, type Service, withToken } from '../http/client.ts';
import { keepConnections } from '../http/connections.ts';
import { Pace } from '../http/pace.ts';
import { withRetries } from '../http/retry.ts';
import { StoppedError, UnprovenError } from '../http/unreachable.ts';
import { needsClock, type Probe, type Stage } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import { type Clock, ClockError, ClockMovedError } from '../time/clock.ts';
import { Timeline } from '../time/timeline.ts';
import { firstLine } from '../words.ts';
import { attempt, type ProbeResult, presentClock } from './attempt.ts';
import { accountFor, disturbance, leftOut, runsAlone, tokensStopped } from './disturbance.ts';
import { checkAlive, checkJudgeable, explainUnjudged, noClockReason } from './preflight.ts';
import { byValue, dueRuns, type Run, type Target } from './target.ts';
import { afterTokens, beginTime, planTurns } from './turns.ts';
import { createRunKey, findResult, RoundFacts, type Unverified } from './verdict.ts';

/** A round whose stages are started one by one. */
export class ProviderRound {
  readonly facts: RoundFacts;
  /** Simulated time, if there is a test clock. */
  readonly time: Timeline | undefined;
  /** How many stages have not ended. */
  running = 0;
  readonly target: Target;
  readonly #signal: AbortSignal;
  readonly #pace: Pace;
  readonly client: ApiClient;
  readonly #service: Service;
  /** The end of the last started stage; it never rejects. */
  #last: Promise<void> = Promise.resolve();
  #repeatsTokens: boolean | undefined;
  /** The results of earlier stages with findings. */
  #broken: readonly ProbeResult[] = [];
  /** How many wrong secrets may still be sent. */
  readonly #guesses: { left: number };
  /** The first one of the round; null if the provider issues none, undefined before it is asked. */
  #token: Token | null | undefined;
  /** Until when the run may send requests (milliseconds since 1970). With a limit there is one run at a time. */
  #deadline = Number.POSITIVE_INFINITY;

  /** @param facts of the round that this one continues */
  constructor(target: Target, signal?: AbortSignal, facts = new RoundFacts()) {
    this.facts = facts;
    const { clock, account, secondAccount, exchange } = target;
    this.target = target;
    this.#guesses = { left: target.wrongCredentials ?? Number.POSITIVE_INFINITY };
    this.#signal = signal ?? new AbortController().signal;
    this.time = clock && new Timeline(clock, signal, facts.instant);
    this.#pace = new Pace({ ...target, signal });
    const connection = { ...target.connection, signal };
    const now = this.time?.now ?? Date.now;
    // A server of one connection at a time would serve no other while one is kept.
    const shared =
      target.concurrency === 1 ? keepConnections(connection, { keepAlive: false }) : undefined;
    this.client = openClient({ connection, pace: this.#pace, account, exchange, now, shared });
    for (const secret of Object.values(secondAccount ?? {})) this.client.learn(secret);
    const checks = { onNoToken: this.#checkAlive, beforeRequest: this.#checkTime };
    this.#service = withRetries(this.client, checks);
  }

  /** Starts those of the probes that belong to a stage, as soon as the stage before it has ended. */
  start(stage: Stage, probes: readonly Probe[]): readonly Run[] {
    const ofStage = probes.filter((probe) => probe.stage === stage);
    const runs = dueRuns(ofStage, this.target).map(
      (run): Run => ({ ...run, result: Promise.withResolvers() }),
    );
    if (this.target.maxTimeMs !== undefined && stage !== 'disturbing') runs.sort(byValue);
    this.running += 1;
    this.#last = this.#last
      .then(() => orAborted(this.#signal, this.#run(stage, runs)))
      .catch((error: unknown) => this.fail(error))
      .then(() => {
        this.running -= 1;
        for (const run of runs) run.result.resolve(findResult(run, this.facts, this.target));
      });
    return runs;
  }

  /** The service when the started stages have ended; undefined if the provider cannot be judged. */
  async service(): Promise<Service | undefined> {
    this.start('present', []);
    await this.#last;
    return this.#hasEnded() ? undefined : this.#service;
  }

  /** Ends the round early. @param error what prevents it; a defect of ours is thrown by `close` */
  fail(error: unknown): void {
    const unjudged = explainUnjudged(error);
    if (unjudged !== undefined) this.#stop(unjudged.reason, unjudged.cause);
    else if (!this.#signal.aborted) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      // It may quote the provider.
      this.facts.defect ??= this.client.scrub(text);
    }
  }

  /** Waits for the stages, releases the provider's clock, and completes the facts. @throws defects of ours */
  async close(): Promise<void> {
    const { facts, time } = this;
    await this.#last;
    facts.instant = time?.standing() ?? facts.instant;
    await time?.release().catch((error: Error) => {
      facts.clockLost = error.message;
      this.#stop(error.message);
    });
    if (this.#token === null && facts.results.size === 0)
      this.#stop('no token was issued: npm run gate -- TOKEN-1 shows why');
    facts.finishedAt = new Date();
    facts.requests += this.client.requests();
    const { defect: stack } = facts;
    if (stack !== undefined) throw Object.assign(new Error(firstLine(stack)), { stack });
  }

  #stop(reason: string, cause: Unverified['cause'] = 'prevented'): void {
    if (this.facts.unjudged === undefined) this.facts.notRun = { cause, reason };
    this.facts.unjudged ??= reason;
  }

  #hasEnded(): boolean {
    return [this.facts.unjudged, this.facts.defect].some(Boolean) || this.#signal.aborted;
  }

  async #run(stage: Stage, due: readonly Run[]): Promise<void> {
    if (this.#hasEnded()) return;
    if (this.#token === undefined) await this.#prepare();
    const { facts } = this;
    const time = facts.clockLost === undefined ? this.time : undefined;
    const isTimed = needsClock({ stage });
    const canRun = ({ clauses }: Probe): boolean =>
      (time !== undefined || !isTimed) && (this.#token !== null || clauses.includes('TOKEN-1'));
    const runs = due.filter(({ probe }) => canRun(probe));
    if (runs.length === 0) return;
    this.#broken = [...facts.results.values()].filter(({ findings }) => findings.length > 0);
    if (time !== undefined && isTimed) return this.#simulate(time, runs).catch(this.#loseClock);
    // Earlier tokens expire: they may fill a limit on living ones.
    if (stage === 'disturbing' || stage === 'wrong-credentials')
      await time?.run([], afterTokens(time)).catch(this.#loseClock);
    if (stage === 'present' && !runsAlone(this.target, this.#broken))
      await Promise.all(runs.map((run) => this.#attempt(run, presentClock)));
    else for (const run of runs) await this.#attempt(run, presentClock);
  }

  /** @throws ClockError, UnjudgeableError, UnreachableError */
  async #prepare(): Promise<void> {
    const { clock, account } = this.target;
    if (clock === undefined) this.facts.notRun = { cause: 'unconfigured', reason: noClockReason };
    await clock?.read().catch(this.#loseClock);
    this.#token = (await checkJudgeable(this.#service, account)) ?? null;
    if (this.#token === null)
      this.facts.notRun = { cause: 'prevented', reason: 'no token was issued' };
    this.facts.doubts = this.#token?.doubts ?? {};
  }

  /** Without its clock a provider is judged as one that has none. @throws any other error */
  readonly #loseClock = async (error: unknown): Promise<void> => {
    if (!(error instanceof ClockError)) throw error;
    this.facts.clockLost = error.message;
    this.facts.notRun = { cause: 'prevented', reason: error.message };
    await this.time?.release().catch(() => {});
  };

  /** Runs the probes of each turn together on one timeline. @throws ClockError */
  async #simulate(time: Timeline, runs: readonly Run[]): Promise<void> {
    const { issued } = this.client;
    this.#repeatsTokens ??= await beginTime(time, this.target, this.#service, issued);
    const before = new Map(this.facts.results);
    try {
      const order = { alone: runsAlone(this.target, this.#broken), again: this.#repeatsTokens };
      for (const turn of planTurns(runs, order)) {
        const attempts = turn.runs.map((run) => (clock: Clock) => this.#attempt(run, clock));
        await time.run(attempts, turn.newTokens ? afterTokens(time) : undefined);
      }
    } catch (error) {
      if (error instanceof ClockMovedError) this.facts.results = before;
      throw error;
    }
  }

  async #attempt(run: Run, clock: Clock): Promise<void> {
    this.#signal.throwIfAborted();
    const { facts } = this;
    if (facts.unjudged !== undefined) return;
    const { probe } = run;
    // A fifth of the time is kept for wrong credentials and what follows them.
    const share = probe.stage === 'wrong-credentials' || probe.stage === 'years' ? 1 : 0.8;
    const { maxTimeMs = Number.POSITIVE_INFINITY } = this.target;
    this.#deadline = facts.startedAt.getTime() + maxTimeMs * share;
    const result = leftOut(run, this.target) ?? (await this.#judge(run, clock));
    this.#deadline = Number.POSITIVE_INFINITY;
    // An aborted run has no result.
    this.#signal.throwIfAborted();
    facts.results.set(createRunKey(run), result);
    if (clock === presentClock) run.result.resolve(findResult(run, facts, this.target));
  }

  #judge({ probe, to: endpoint }: Run, clock: Clock): Promise<ProbeResult> {
    const { endpoints, level } = this.target;
    const simulated = clock !== presentClock;
    const account = accountFor(probe, this.target);
    const service = this.#serviceFor(probe);
    const world = { service, account, endpoint, endpoints, clock, guesses: this.#guesses };
    return attempt(probe, world, {
      scrub: this.client.scrub,
      simulated,
      part: level === 'quick' ? { from: 0, most: 1 } : undefined,
      tokensStopped: () => tokensStopped(probe, this.facts, this.target, this.time?.simulated()),
      checkAlive: this.#checkAlive,
      disturbed: disturbance(this.#broken, { probe, endpoint, simulated }),
    });
  }

  /** Where the provider limits tokens, probes that accept any have one in common. */
  #serviceFor({ anyToken, stage }: Probe): Service {
    const isShared = anyToken && stage === 'present' && this.#broken.length === 0;
    return isShared && this.#token && this.#pace.limitsTokens()
      ? withToken(this.#service, this.#token)
      : this.#service;
  }

  readonly #checkTime = async (): Promise<void> => {
    if (Date.now() < this.#deadline) return this.time?.hold();
    const seconds = (this.target.maxTimeMs ?? 0) / 1000;
    throw new UnprovenError(`not finished within --max-time ${seconds} s`);
  };

  /** Ends the round if a provider that issued tokens has stopped answering properly. @throws StoppedError, UnreachableError */
  readonly #checkAlive = async (unexpected?: number): Promise<void> => {
    const { account, endpoints } = this.target;
    if (!this.#token) return;
    await checkAlive(this.client, account, endpoints[0], unexpected).catch((error: unknown) => {
      if (error instanceof StoppedError) this.fail(error);
      throw error;
    });
  };
}
