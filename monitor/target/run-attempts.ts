import type { ApiClient, Service } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { withTokenTries } from '../../contract/http/retry.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { attempt, type ProbeResult, present } from '../../contract/round/attempt.ts';
import { checkAlive } from '../../contract/round/liveness.ts';
import { hours, lifetime, minutes } from '../../contract/time/clock.ts';
import { type Elapsed, instantOf, mostSince } from '../schedule/elapsed.ts';
import { keptService, type TokenClient } from './token-client.ts';
import type { WatchedTarget } from './watched-target.ts';

/** What a run knows about runs before it and concurrent with it. */
export interface RunConditions {
  /** Why a valid token may be refused. */
  readonly disturbed?: string;
}

/** The subject of a run, and the tools that it may use. */
export interface RunAttemptsContext {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
  readonly target: WatchedTarget;
  readonly conditions: RunConditions;
  readonly elapsed: Elapsed;
  /** The kept token, for probes that accept any token. */
  readonly tokenClient?: TokenClient;
  /** Whether an issued token may already have been valid for hours. */
  readonly tokensMayEnd: () => boolean;
}

/**
 * In a longer run a token may expire: the kept token is renewed only five minutes before its end, and the machine
 * may sleep for a day. Findings of such a run are checked again with new tokens.
 */
const longestRunMs = minutes(4);

/** The longest run with new tokens. None of them has expired by then. */
const longestWithNewMs = lifetime - hours(1);

/**
 * If one request in a hundred has an accident, a monitor meets a hundred thousand accidents a month. It mistakes one
 * for a fault once in 40 million times.
 */
const neededByMonitor = 6;

/** Whether wrong credentials, or a wrong address, may be the cause of a finding. */
export const isAboutTokens = ({ probe, findings }: ProbeResult): boolean =>
  findings.some(({ clause }) => clause === 'TOKEN-1' || clause === probe.withoutToken);

/**
 * The attempts of one run, through the client of the run. Within an attempt, a request with an unusual answer is
 * repeated. The provider's `Date` can only cause a second attempt, because servers behind one address may have
 * different clocks.
 */
export class RunAttempts {
  readonly #client: ApiClient;
  readonly #context: RunAttemptsContext;
  /** A token of the first attempt may have expired. */
  #isOld = false;

  constructor(client: ApiClient, context: RunAttemptsContext) {
    this.#client = client;
    this.#context = context;
  }

  /** Runs the probe, with the kept token if the probe accepts any token. */
  async first(): Promise<ProbeResult> {
    const { probe, elapsed, tokenClient } = this.#context;
    const usesKept = tokenClient !== undefined && probe.anyToken === true;
    const kept = usesKept ? keptService(this.#client, tokenClient) : undefined;
    const since = instantOf(elapsed);
    const result = await this.#attempt(kept ?? this.#client, false);
    if (kept?.refusedKept() === true) return this.withNew(false);
    this.#isOld = kept?.mayHaveEnded() === true || mostSince(since, elapsed) > longestRunMs;
    return result;
  }

  /**
   * Repeats the probe if it has findings and a token may have expired before it was refused.
   * @param result of the first attempt
   * @throws Unreachable as `withNew` does
   */
  async unlessEnded(result: ProbeResult): Promise<ProbeResult> {
    if (result.findings.length === 0) return result;
    if (this.#isOld) return this.withNew(false);
    return this.#context.tokensMayEnd() ? this.first() : result;
  }

  /**
   * Runs the same probe once more, with new tokens.
   * @param credentials whether they are known to be right, so that repeated requests are safe
   * @throws Unreachable when it took so long that one of the tokens may have expired
   */
  async withNew(credentials: boolean): Promise<ProbeResult> {
    const { elapsed, tokensMayEnd } = this.#context;
    const since = elapsed.now();
    const result = await this.#attempt(this.#client, credentials);
    const tookMs = elapsed.now() - since;
    const mostMs = tokensMayEnd() ? longestRunMs : longestWithNewMs;
    if (result.findings.length === 0 || tookMs <= mostMs) return result;
    const text = `a run of ${Math.round(tookMs / 1000)} s`;
    throw new Unreachable('timeout', result.endpoint, text);
  }

  #attempt(service: Service, credentials: boolean): Promise<ProbeResult> {
    const { probe, endpoint, target, conditions } = this.#context;
    const { account, endpoints } = target;
    const { disturbed } = conditions;
    const isAlive = (): Promise<void> => checkAlive(this.#client, account, endpoint);
    const trying = credentials ? withTokenTries(service) : service;
    return attempt(
      probe,
      { service: trying, account, endpoint, endpoints, clock: present },
      {
        disturbed,
        scrub: this.#client.scrub,
        simulated: false,
        repetitions: { checkAlive: isAlive, needed: neededByMonitor },
      },
    );
  }
}
