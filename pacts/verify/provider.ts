import { days, duration } from '../../contract/durations.ts';
import { type ApiClient, openClient } from '../../contract/http/client.ts';
import { Pace } from '../../contract/http/pace.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { accountEnded } from '../../contract/round/disturbance.ts';
import { checkJudgeable, explainUnjudged } from '../../contract/round/preflight.ts';
import type { Target } from '../../contract/round/target.ts';
import { printable } from '../../contract/secrets/printable.ts';
import type { Account, Token } from '../../contract/secrets/secret.ts';
import { ClockMovedError, type SettableClock } from '../../contract/time/clock.ts';
import { checkClockMoves } from '../../contract/time/clock-check.ts';
import { Timeline } from '../../contract/time/timeline.ts';
import { brief } from '../../contract/words.ts';
import type { Interaction } from '../pact.ts';
import { InteractionEnd } from '../verification.ts';
import type { StateHandler } from './state-handler.ts';

/** More than clock drift and a slow response, but less than any movement by another run. */
const maxDriftMs = 60_000;

/** Longer texts are cut: first roughly, and after the search for secrets. */
const maxTextLength = 600;

/** The provider under verification, for states and requests. */
export class Provider {
  /** Each of its requests opens a connection: no verdict may depend on what was sent before over the same one. */
  readonly client: ApiClient;
  /**
   * What makes a text of a result one short line without secrets and control characters. A foreign text, of the
   * provider or of Pact's core, also loses what may be a part of a secret; an own one is of a pact or of this suite.
   */
  readonly clean: Readonly<Record<'own' | 'foreign', (text: string) => string>>;
  readonly account: Account;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  /** Its simulated time, if it has one. */
  readonly time: Timeline | undefined;
  /** The provider team's own state handler, for states that this project does not know. */
  readonly stateHandler: StateHandler | undefined;
  /** The requests to which a token was admitted: method and path. */
  readonly admitted = new Set<string>();
  readonly #clock: SettableClock | undefined;
  /** How far the clock was ahead of this machine's before any run moved it (milliseconds). */
  #aheadMs = 0;
  #isSeenToMove: boolean;

  /** @param signal aborts pending work */
  constructor(target: Target, signal?: AbortSignal, stateHandler?: StateHandler) {
    const { account, endpoints, clock, maxRetryAfterMs, requestsPerSecond } = target;
    this.account = account;
    this.endpoints = endpoints;
    this.time = clock === undefined ? undefined : new Timeline(clock, signal);
    this.stateHandler = stateHandler;
    this.#clock = clock;
    this.#isSeenToMove = clock?.movesProcess !== true;
    this.client = openClient({
      connection: { ...target.connection, signal },
      pace: new Pace({ maxRetryAfterMs, signal, requestsPerSecond }),
      account,
      now: this.time?.now ?? Date.now,
    });
    for (const [, value] of target.connection.headers ?? []) this.client.learn(value);
    const cut = (scrub: (text: string) => string) => (text: string) =>
      brief(printable(scrub(text.slice(0, 4 * maxTextLength))), maxTextLength);
    this.clean = { foreign: cut(this.client.scrub), own: cut(this.client.scrubWhole) };
  }

  /** Checks that it answers, accepts the credentials, and has a readable clock. @throws what `whyUnjudged` knows */
  async check(): Promise<void> {
    if (this.#clock !== undefined) this.#aheadMs = (await this.#clock.read()) - Date.now();
    await checkJudgeable(this.client, this.account);
  }

  /** Whether it still answers and accepts the credentials, after a request that got no answer. */
  readonly answers = async (): Promise<boolean> =>
    (await reasonOfFailure(checkJudgeable(this.client, this.account))) === undefined;

  /** Why no token is issued any more, if that is no violation. */
  readonly accountEnded = (): string | undefined => accountEnded(this.time?.simulated());

  /**
   * Checks that no other run moves its clock. Runs on different machines may share a provider and its clock.
   * @throws ClockMovedError
   */
  async checkClock(): Promise<void> {
    if (this.#clock === undefined) return;
    if (this.time?.standing() !== undefined) return this.time.checkStanding();
    const movedMs = (await this.#clock.read()) - Date.now() - this.#aheadMs;
    if (Math.abs(movedMs) > maxDriftMs)
      throw new ClockMovedError(
        `${this.#clock.name}: it was moved by ${duration(movedMs)}, and not by this run`,
      );
  }

  /**
   * Requests a token, and moves the clock until the token has this age. The first time, it checks that the clock
   * moves.
   * @throws ClockError
   */
  async aged(make: () => Promise<Token>, ms: number): Promise<Token> {
    const { client: service, account, time } = this;
    const clock = this.#clock;
    if (time === undefined || clock === undefined) throw new Error('there is no test clock');
    const caller = { service, account, endpoint: this.endpoints[0] };
    if (!this.#isSeenToMove)
      await time.run([(simulated) => checkClockMoves(clock, caller, simulated)]);
    this.#isSeenToMove = true;
    const [token] = await time.run([
      async (simulated) => {
        // A provider may repeat a valid token: after two days its first one is certainly new.
        await simulated.pass(days(2));
        const made = await make();
        await simulated.pass(ms);
        return made;
      },
    ]);
    if (token === undefined) throw new Error('time has run without a token');
    return token;
  }
}

/** The one-line reason why a provider cannot be judged; undefined for others, such as violations and defects. */
export const whyUnjudged = (error: unknown): string | undefined => explainUnjudged(error)?.reason;

/** The one-line reason for which a check of the provider fails; undefined when it passes. */
export async function reasonOfFailure(check: Promise<unknown>): Promise<string | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    const reason = whyUnjudged(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/** The endpoint of the settings with this method and path. */
export const findConfigured = ({ endpoints }: Provider, { method, path }: Endpoint) =>
  endpoints.find((endpoint) => endpoint.method === method && stripQuery(endpoint) === path);

/**
 * The endpoint of an interaction: of the method in its state "a protected endpoint"; by default the first.
 * @throws InteractionEnd when the settings name none of this method
 */
export function findEndpoint(interaction: Interaction, provider: Provider): Endpoint {
  const { method, states } = interaction;
  const state = states.find(({ name }) => name === 'a protected endpoint');
  const wanted = String(state?.parameters.method ?? method).toUpperCase();
  const configuredEndpoint = wanted === method ? findConfigured(provider, interaction) : undefined;
  const endpoint =
    configuredEndpoint ??
    provider.endpoints.find((endpoint) => state === undefined || endpoint.method === wanted);
  if (endpoint !== undefined) return endpoint;
  throw InteractionEnd.unverified(
    `no protected endpoint of the method ${wanted} is known: name one in PUBLIC_API_ENDPOINTS`,
  );
}

/** The endpoint's path without the query. */
export const stripQuery = ({ path }: Endpoint): string => path.split('?', 1)[0] ?? path;
