import { type ApiClient, NoToken, type Service } from '../http/client.ts';
import type { Endpoint } from '../http/request.ts';
import { Unreachable } from '../http/unreachable.ts';
import type { RepetitionOptions } from '../judge/repetitions.ts';
import { isIntrusive, type Probe, type Stage } from '../probe.ts';
import { type Clock, ClockMoved } from '../time/clock.ts';
import { checkClockMoves } from '../time/clock-check.ts';
import type { Timeline } from '../time/timeline.ts';
import { type AttemptContext, attempt, type ProbeResult, present } from './attempt.ts';
import { accountEnded, disturbance, disturbEachOther, endedTokens } from './disturbance.ts';
import { orAborted } from './interruption.ts';
import type { Target } from './target.ts';
import { byValue, TimeLimit } from './time-limit.ts';
import { afterTokens, reissuesTokens, type TokenSource, type Turn, turnsOf } from './turns.ts';

/** What a round provides to its stages. */
export interface RoundContext {
  readonly signal?: AbortSignal;
  readonly client: ApiClient;
  /** The client's service, which sends interrupted requests again. */
  readonly service: Service;
  readonly time: Timeline | undefined;
  readonly repetitions: RepetitionOptions;
  /** Whether the provider has stopped answering properly: its answers from then on mean nothing. */
  readonly hasStopped: () => boolean;
  /** Filled as probes end. */
  readonly results: ProbeResult[];
}

/** A due run of a probe: on one endpoint, or once. */
export interface Run {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
  /** Called with the result, if nothing later in the stage can change it. */
  readonly onResult: (result: ProbeResult) => void;
}

/** Runs the probes of one stage after another. The probes of a stage run at once, unless they disturb each other. */
export class StageRunner {
  readonly #target: Target;
  readonly #context: RoundContext;
  #firstStage: FirstStage | undefined;
  #turns: ((runs: readonly Run[]) => Turn<Run>[]) | undefined;
  /** Why tokens may have ended, and why none may be given any more. */
  #ended: string | undefined;
  #locked: string | undefined;
  readonly #limit: TimeLimit | undefined;

  constructor(target: Target, context: RoundContext) {
    this.#target = target;
    this.#context = context;
    const { maxTimeMs } = target;
    this.#limit = maxTimeMs === undefined ? undefined : new TimeLimit(maxTimeMs);
  }

  /** @throws ClockError */
  async run(stage: Stage, runs: readonly Run[]): Promise<void> {
    const { time } = this.#context;
    if (runs.length === 0) return;
    switch (stage) {
      case 'first':
        return this.#inTurn(runs);
      case 'present':
        if (this.#limit !== undefined) return this.#inTurn(byValue(runs));
        return this.#afterFirst().alone ? this.#inTurn(runs) : this.#atOnce(runs);
      case 'simulated':
      case 'years':
        return this.#timed(runs);
      case 'disturbing':
      case 'wrong-credentials':
        await endTokens(time);
        await this.#inTurn(runs);
        if (stage === 'wrong-credentials') await checkCredentialsWork(this.#target, this.#context);
        return;
    }
  }

  /** Known when the first stage has ended. Tokens that invalidate each other are used one at a time. */
  #afterFirst(): FirstStage {
    if (this.#firstStage === undefined) {
      const broken = this.#context.results.filter(
        ({ probe, findings }) => probe.stage === 'first' && findings.length > 0,
      );
      const alone = disturbEachOther(broken) || this.#target.concurrency === 1;
      this.#firstStage = { broken, alone };
    }
    return this.#firstStage;
  }

  /** After an abort the round does not wait: a probe that was interrupted may never end. */
  async #atOnce(runs: readonly Run[]): Promise<void> {
    const attempts = runs.map((run) => this.#attempt(run, present));
    await orAborted(this.#context.signal, Promise.all(attempts));
  }

  async #inTurn(runs: readonly Run[]): Promise<void> {
    for (const run of runs) await this.#atOnce([run]);
  }

  /**
   * Runs the probes of each turn together on one timeline.
   * @throws ClockError
   */
  async #timed(runs: readonly Run[]): Promise<void> {
    const { time, results } = this.#context;
    if (time === undefined) return;
    const { alone } = this.#afterFirst();
    const inTurn = alone || this.#limit !== undefined;
    this.#turns ??= await beginTime(time, this.#target, { ...this.#context, alone: inTurn });
    const before = results.length;
    try {
      for (const turn of this.#turns(this.#limit === undefined ? runs : byValue(runs))) {
        const sequences = turn.runs.map((run) => (clock: Clock) => this.#attempt(run, clock));
        await time.run(sequences, turn.newTokens ? afterTokens(time) : undefined);
      }
    } catch (error) {
      if (error instanceof ClockMoved) results.length = before;
      throw error;
    }
  }

  /** Runs one probe in a provider's time, and adds its result. */
  async #attempt(run: Run, clock: Clock): Promise<void> {
    const { client, service, results, time, signal } = this.#context;
    const { repetitions, hasStopped } = this.#context;
    const { probe, endpoint, onResult } = run;
    signal?.throwIfAborted();
    if (hasStopped()) return;
    const { account, endpoints } = this.#target;
    const earlier = probe.stage === 'first' ? undefined : this.#afterFirst();
    const ended = clock === present ? this.#ended : undefined;
    const attemptContext: AttemptContext = {
      scrub: client.scrub,
      simulated: clock !== present,
      tokensStopped: () => this.#locked ?? accountEnded(time?.simulated()),
      repetitions,
      disturbed: earlier && (disturbance(earlier.broken, endpoint) ?? ended),
    };
    const { level } = this.#target;
    const world = {
      account,
      endpoint,
      endpoints,
      clock,
      service: this.#limit?.service(service, probe.stage) ?? service,
      quick: level === 'quick',
    };
    if (isIntrusive(probe)) this.#locked = lockedOut;
    const result = await attempt(probe, world, attemptContext);
    // An aborted run has no result.
    signal?.throwIfAborted();
    results.push(result);
    this.#ended ??= endedTokens(result);
    if (clock === present && !isIntrusive(probe)) onResult(result);
  }
}

/** What the first stage showed: a known fault must not hide others. */
interface FirstStage {
  /** Its results with findings. */
  readonly broken: readonly ProbeResult[];
  /** Whether the probes after it run one at a time. */
  readonly alone: boolean;
}

/** Lets the tokens so far expire: they may fill a limit on living ones. @throws ClockError */
async function endTokens(time: Timeline | undefined): Promise<void> {
  await time?.run([], afterTokens(time));
}

/** Begins simulated time, and finds out in which turns probes can use it. @throws ClockError */
async function beginTime(
  time: Timeline,
  target: Target,
  context: RoundContext & { readonly alone: boolean },
): Promise<(runs: readonly Run[]) => Turn<Run>[]> {
  const again = await reissuesTokens(time, tokensOf(context), target.account);
  await checkClock(target, context);
  return (runs) => turnsOf(runs, { alone: context.alone, again });
}

const tokensOf = ({ service, client }: RoundContext): TokenSource => ({
  issue: service.issue,
  issued: client.issued,
});

/**
 * A refusal of wrong credentials proves something only if the right ones still get a token: a locked account gets
 * none in any case.
 */
async function checkCredentialsWork({ account }: Target, context: RoundContext): Promise<void> {
  const { results, service } = context;
  const error = await service.issue(account).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return;
  if (!(error instanceof NoToken || error instanceof Unreachable)) throw error;
  const cause = error instanceof Unreachable ? error.message : error.answer.status;
  const why = `${lockedOut}: ${cause}`;
  for (const [index, result] of results.entries())
    if (isIntrusive(result.probe)) results[index] = { ...result, unproven: result.unproven ?? why };
}

const lockedOut = 'after wrong credentials no token was given any more';

/** Checks that a clock that moves the provider's process is followed. @throws ClockError */
async function checkClock(target: Target, { time, service }: RoundContext): Promise<void> {
  const { account, clock, endpoints } = target;
  if (clock?.movesProcess !== true) return;
  await time?.run([
    (own) => checkClockMoves(clock, { service, account, endpoint: endpoints[0] }, own),
  ]);
}
