import { type ApiClient, openClient, type Service } from '../http/client.ts';
import { Pace } from '../http/pace.ts';
import { RequestRetrier } from '../http/retry.ts';
import { needsClock, type Probe, type Stage } from '../probe.ts';
import type { Clock } from '../time/clock.ts';
import { Timeline } from '../time/timeline.ts';
import { type ProbeResult, reportedEndpoint } from './attempt.ts';
import type { RoundFacts } from './facts.ts';
import { orAborted } from './interruption.ts';
import { Liveness } from './liveness.ts';
import { checkJudgeable, preventsJudgement, Unjudgeable } from './preflight.ts';
import { endpointsFor } from './scope.ts';
import { type Run, StageRunner } from './stage-runner.ts';
import type { Target } from './target.ts';
import { byRun, type Cause } from './verdict.ts';

const noTestClock = 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';

/** A run that has been started. The result is undefined if it could not run. */
export interface StartedRun {
  readonly probe: Probe;
  readonly endpoint: string;
  readonly result: Promise<ProbeResult | undefined>;
}

/** A round whose stages are started one by one. */
export class ProviderRound {
  readonly #target: Target;
  readonly #earlier: RoundFacts | undefined;
  readonly #startedAt = new Date();
  readonly #signal: AbortSignal | undefined;
  readonly #time: Timeline | undefined;
  readonly #pace: Pace;
  readonly #client: ApiClient;
  readonly #liveness: Liveness;
  /** Unexpected answers that the provider did not give again. */
  #accidents = 0;
  readonly #retrier: RequestRetrier;
  readonly #results: ProbeResult[];
  /** The end of the last started stage; it never rejects. */
  #last: Promise<void> = Promise.resolve();
  #running = 0;
  #runner: StageRunner | undefined;
  #noToken: string | undefined;
  #defect: Error | undefined;
  #cause: Cause = 'prevented';
  /** Why the provider could not be judged. */
  #unjudged: string | undefined;
  #instant: number | undefined;
  #unreleased: string | undefined;

  /** @param options `earlier`: what a round knew that this one continues */
  constructor(target: Target, options: { signal?: AbortSignal; earlier?: RoundFacts } = {}) {
    const { clock, account, endpoints, exchange } = target;
    const { maxRetryAfterMs, requestsPerSecond, concurrency } = target;
    const { signal, earlier } = options;
    const connection = signal === undefined ? target.connection : { ...target.connection, signal };
    this.#target = target;
    this.#signal = signal;
    this.#earlier = earlier;
    this.#results = [...(earlier?.results ?? [])];
    this.#time = clock && new Timeline(clock, signal, earlier?.instant);
    const standing = this.#time?.standing;
    this.#pace = new Pace({ maxRetryAfterMs, requestsPerSecond, concurrency, standing, signal });
    const now = this.#time?.now ?? Date.now;
    this.#client = openClient({ connection, pace: this.#pace, account, exchange, now });
    this.#liveness = new Liveness(this.#client, account, endpoints[0]);
    const onNoToken = (): Promise<void> => this.#liveness.check();
    this.#retrier = new RequestRetrier({ onNoToken });
  }

  /** Removes the secrets of this round from a text. */
  readonly scrub = (text: string): string => this.#client.scrub(text);

  /** Removes them from a text of a team's tests. */
  readonly scrubKnown = (text: string): string => this.#client.scrubKnown(text);

  /** Starts those of the probes that belong to a stage, as soon as the stage before it has ended. */
  start(stage: Stage, probes: readonly Probe[]): StartedRun[] {
    const runs = probes
      .filter((probe) => probe.stage === stage)
      .flatMap((probe) =>
        endpointsFor(probe, this.#target).map((endpoint) => {
          const { promise, resolve } = Promise.withResolvers<ProbeResult | undefined>();
          return { probe, endpoint, result: promise, onResult: resolve };
        }),
      );
    this.#running += 1;
    this.#last = this.#last
      .then(() => this.#run(stage, runs))
      .catch((error: unknown) => this.fail(error))
      .then(() => {
        this.#running -= 1;
        const results = byRun(this.#reported());
        for (const { probe, endpoint, onResult } of runs)
          onResult(results.get(`${probe.name} ${reportedEndpoint(probe, endpoint)}`));
      });
    return runs.map(({ probe, endpoint, result }) => ({
      probe,
      endpoint: reportedEndpoint(probe, endpoint),
      result,
    }));
  }

  /**
   * The service, for requests of no probe, when the started stages have ended.
   * @returns undefined if the provider cannot be judged
   */
  async service(): Promise<Service | undefined> {
    this.start('present', []);
    await this.#last;
    return this.#hasEnded() ? undefined : this.#retrier.of(this.#client);
  }

  /** Runs a sequence in simulated time, which stands still afterwards; undefined without a test clock. */
  readonly simulate = (run: (clock: Clock) => Promise<void>): Promise<unknown> | undefined =>
    this.#time?.run([run]);

  /** Whether a stage has not ended. */
  isRunning(): boolean {
    return this.#running > 0;
  }

  /** Ends the round early. @param error what prevents it; a defect of ours is thrown by `close` */
  fail(error: unknown): void {
    if (error instanceof Unjudgeable && error.reason !== 'unavailable')
      this.#cause = 'unconfigured';
    if (preventsJudgement(error)) this.#unjudged ??= error.message;
    else if (this.#signal?.aborted !== true) this.#defect ??= scrubbed(error, this.#client.scrub);
  }

  /** Waits for the started stages, and releases the provider's clock. @throws defects of ours */
  async close(): Promise<void> {
    try {
      await orAborted(this.#signal, this.#last);
    } catch (error) {
      this.fail(error);
    }
    this.#instant = this.#time?.standing() ?? this.#earlier?.instant;
    await this.#time?.release().catch((error: unknown) => {
      this.#unreleased = error instanceof Error ? error.message : String(error);
      this.#unjudged ??= this.#unreleased;
    });
    if (this.#defect !== undefined) throw this.#defect;
  }

  facts(): RoundFacts {
    const { startedAt = this.#startedAt, requests = 0, noise } = this.#earlier ?? {};
    const unjudged = this.#earlier?.unjudged ?? this.#unjudged ?? this.#withoutTokens();
    const noClock = this.#time === undefined ? noTestClock : undefined;
    const reason = unjudged ?? this.#noToken ?? noClock ?? 'the round ended before it';
    return {
      startedAt,
      finishedAt: new Date(),
      results: this.#reported(),
      requests: requests + this.#client.requests(),
      noise: {
        interrupted: (noise?.interrupted ?? 0) + this.#retrier.interrupted(),
        unrepeated: (noise?.unrepeated ?? 0) + this.#accidents,
        rateLimitedSeconds: (noise?.rateLimitedSeconds ?? 0) + this.#pace.pausedSeconds(),
      },
      unjudged,
      notRun: { cause: reason === noTestClock ? 'unconfigured' : this.#cause, reason },
      instant: this.#instant,
      unreleased: this.#unreleased,
    };
  }

  /** The results without findings of clauses that are not selected. */
  #reported(): readonly ProbeResult[] {
    const { excluded } = this.#target;
    if (excluded === undefined || excluded.size === 0) return this.#results;
    return this.#results.map((result) => {
      const findings = result.findings.filter(({ clause }) => !excluded.has(clause));
      const isClean = result.outcome === 'failed' && findings.length === 0 && !result.detail;
      return { ...result, findings, outcome: isClean ? 'passed' : result.outcome };
    });
  }

  async #run(stage: Stage, runs: readonly Run[]): Promise<void> {
    if (this.#hasEnded()) return;
    this.#runner ??= await this.#prepared();
    const canRun = ({ probe }: Run): boolean =>
      (this.#time !== undefined || !needsClock(probe)) &&
      (this.#noToken === undefined || probe.clauses.includes('TOKEN-1'));
    await this.#runner.run(stage, runs.filter(canRun));
  }

  /** Reads the clock, and checks that the provider can be judged. @throws Unjudgeable, Unreachable, ClockError */
  async #prepared(): Promise<StageRunner> {
    this.#signal?.throwIfAborted();
    await orAborted(this.#signal, this.#target.clock?.read());
    const service = this.#retrier.of(this.#client);
    if (await checkJudgeable(service, this.#target.account)) this.#liveness.begin();
    else this.#noToken = 'no token was issued';
    return new StageRunner(this.#target, {
      signal: this.#signal,
      client: this.#client,
      service,
      time: this.#time,
      repetitions: {
        checkAlive: (unexpected) => this.#liveness.check(unexpected),
        onAccident: () => {
          this.#accidents += 1;
        },
      },
      hasStopped: () => this.#liveness.stopped() !== undefined,
      results: this.#results,
    });
  }

  #hasEnded(): boolean {
    const isAborted = this.#signal?.aborted === true;
    return this.#unjudged !== undefined || this.#defect !== undefined || isAborted;
  }

  /** Why nothing was judged although the provider answered as it may. */
  #withoutTokens(): string | undefined {
    const stopped = this.#liveness.stopped()?.message;
    return this.#noToken !== undefined && this.#results.length === 0
      ? `${this.#noToken}: npm run gate -- TOKEN-1 shows why`
      : stopped;
  }
}

/** A defect of ours may quote the provider. */
function scrubbed(error: unknown, scrub: (text: string) => string): Error {
  const defect = error instanceof Error ? error : new Error(String(error));
  const { message, stack = message } = defect;
  defect.message = scrub(message);
  defect.stack = scrub(stack);
  return defect;
}
