import type { ExitCode } from '../command.ts';
import { Confirmations } from '../confirmation.ts';
import type { Observation } from '../finding.ts';
import { type ApiClient, type NoToken, openClient } from '../http/client.ts';
import { Pace } from '../http/pacing.ts';
import { RequestRetrier } from '../http/resending.ts';
import type { Probe } from '../probe.ts';
import { Timeline } from '../time/timeline.ts';
import type { ProbeResult } from './attempt.ts';
import { orAborted } from './interruption.ts';
import { Liveness } from './liveness.ts';
import { checkJudgeable, preventsJudgement, Unjudgeable } from './preflight.ts';
import { endpointsFor } from './scope.ts';
import { runStages } from './stages.ts';
import type { RoundOptions, Target } from './target.ts';
import { noteToken } from './token-answers.ts';
import {
  type Cause,
  type ClauseVerdict,
  exitOf,
  inOrder,
  ledger,
  unreachableIn,
  verdicts,
} from './verdict.ts';

/** Accidents between the gate and the provider. */
interface Noise {
  /** Requests that the network interrupted, and that were sent again. */
  readonly interrupted: number;
  /** Unexpected answers that the provider did not repeat. */
  readonly unrepeated: number;
  /** How long requests waited because the provider answered 429 (seconds). */
  readonly rateLimitedSeconds?: number;
}

export interface Round {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly clauses: readonly ClauseVerdict[];
  readonly results: readonly ProbeResult[];
  readonly observations: readonly Observation[];
  readonly requests: number;
  /** The repeated requests; absent where nothing is ever repeated. */
  readonly noise?: Noise;
  readonly exit: ExitCode;
  /** Why the provider, or a part of it, could not be judged: one line. */
  readonly unjudged?: string;
  /** Removes the secrets of this round from a text. */
  readonly scrub: (text: string) => string;
}

const noTestClock = 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';

/**
 * Runs probes against a provider, stage by stage. Never throws for what a provider does.
 * @throws the reason of the signal
 */
export async function judgeProvider(
  target: Target,
  probes: readonly Probe[],
  options: RoundOptions = {},
): Promise<Round> {
  return new ProviderRound(target, probes, options).judge();
}

class ProviderRound {
  readonly #startedAt = new Date();
  readonly #target: Target;
  readonly #probes: readonly Probe[];
  readonly #options: RoundOptions;
  readonly #time: Timeline | undefined;
  readonly #pace: Pace;
  readonly #client: ApiClient;
  readonly #liveness: Liveness;
  readonly #confirmations: Confirmations;
  readonly #retrier: RequestRetrier;
  readonly #results: ProbeResult[] = [];
  #cause: Cause = 'prevented';
  /** Why probes did not run. */
  #notRun: string | undefined;
  /** Why the provider could not be judged. */
  #unjudged: string | undefined;

  constructor(target: Target, probes: readonly Probe[], options: RoundOptions) {
    const { clock, account, endpoints, exchange } = target;
    const { maxRetryAfterMs, requestsPerSecond, concurrency } = target;
    const { signal } = options;
    const connection = signal === undefined ? target.connection : { ...target.connection, signal };
    this.#target = target;
    this.#probes = probes;
    this.#options = options;
    this.#time = clock === undefined ? undefined : new Timeline(clock, signal);
    this.#notRun = clock === undefined ? noTestClock : undefined;
    const standing = this.#time?.standing;
    this.#pace = new Pace({
      maxRetryAfterMs,
      requestsPerSecond,
      concurrency,
      standing,
      signal,
    });
    const now = this.#time?.now ?? Date.now;
    this.#client = openClient({
      connection,
      pace: this.#pace,
      account,
      exchange,
      now,
    });
    this.#liveness = new Liveness(this.#client, account, endpoints[0]);
    const onNoToken = (): Promise<void> => this.#liveness.check();
    this.#confirmations = new Confirmations((unexpected) => this.#liveness.check(unexpected));
    const onToken = (accident?: NoToken): void =>
      noteToken(this.#confirmations, accident, this.#client.scrub);
    this.#retrier = new RequestRetrier({ onNoToken, onToken });
  }

  async judge(): Promise<Round> {
    const { signal } = this.#options;
    try {
      await this.#run();
    } catch (error) {
      this.#note(error);
    } finally {
      await this.#release();
    }
    if (signal?.aborted === true) throw scrubbed(signal.reason, this.#client.scrub);
    return this.#result();
  }

  async #run(): Promise<void> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    await orAborted(signal, this.#target.clock?.read());
    const service = this.#retrier.of(this.#client);
    const tokens = await checkJudgeable(service, this.#target.account);
    if (tokens) this.#liveness.begin();
    else this.#notRun = 'no token was issued';
    const due = tokens
      ? this.#probes
      : this.#probes.filter(({ clauses }) => clauses.includes('TOKEN-1'));
    if (due.length === 0 && !tokens)
      this.#unjudged = `${this.#notRun}: npm run gate -- TOKEN-1 shows why`;
    await runStages(this.#target, due, {
      client: this.#client,
      service,
      confirmations: this.#confirmations,
      checkAlive: (unexpected) => this.#liveness.check(unexpected),
      time: this.#time,
      hasStopped: () => this.#liveness.stopped() !== undefined,
      results: this.#results,
      ...this.#options,
    });
    this.#unjudged = this.#liveness.stopped()?.message ?? this.#unjudged;
  }

  /** Records the early end of the round. @throws defects of ours */
  #note(error: unknown): void {
    if (error instanceof Unjudgeable && error.reason !== 'unavailable')
      this.#cause = 'unconfigured';
    if (preventsJudgement(error)) this.#unjudged = error.message;
    else if (this.#options.signal?.aborted !== true) throw scrubbed(error, this.#client.scrub);
  }

  async #release(): Promise<void> {
    await this.#time?.release().catch((error: unknown) => {
      // The caller that ended the round must get the error too.
      if (this.#options.signal?.aborted === true) throw error;
      this.#unjudged ??= error instanceof Error ? error.message : String(error);
    });
  }

  #result(): Round {
    const results = inOrder(this.#results, this.#probes, this.#target.endpoints);
    const reason = this.#unjudged ?? this.#notRun ?? 'the round ended before it';
    const cause = reason === noTestClock ? 'unconfigured' : this.#cause;
    const { endpoints } = this.#target;
    const clauses = verdicts(
      this.#probes,
      results,
      { cause, reason },
      (probe) => endpointsFor(probe, endpoints).length,
    );
    const unjudged = this.#unjudged ?? unreachableIn(results);
    return {
      startedAt: this.#startedAt,
      finishedAt: new Date(),
      clauses,
      results,
      observations: ledger(results),
      requests: this.#client.requests(),
      noise: {
        interrupted: this.#retrier.interrupted(),
        unrepeated: this.#confirmations.accidents,
        rateLimitedSeconds: this.#pace.pausedSeconds(),
      },
      exit: exitOf(results, clauses, unjudged, this.#options.strict === true),
      unjudged,
      scrub: this.#client.scrub,
    };
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
