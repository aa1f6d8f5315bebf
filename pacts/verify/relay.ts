import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { field, parsedJson } from '../../contract/json-value.ts';
import { ClockIgnoredError } from '../../contract/time/clock.ts';
import type { Interaction } from '../pact.ts';
import { InteractionEnd, type Visit } from '../verification.ts';
import { markHeader } from './core.ts';
import { exchange, type RelayContext } from './exchange.ts';
import { jsonAnswer, type LocalAnswer, openLocalServer } from './local-server.ts';
import { whyUnjudged } from './provider.ts';
import { setUpStates } from './state-setup.ts';

/** Opens a relay on a free port of this machine. */
export async function openRelay(context: RelayContext): Promise<Relay> {
  const server = await openLocalServer((request, body) => relay.answer(request, body));
  const relay = new Relay(server, context);
  return relay;
}

/** Stands between Pact's core and the provider: sets up states, sends requests and their controls, and counts both. */
export class Relay {
  readonly origin: string;
  /** The address at which the core requests states. */
  readonly states: string;
  readonly close: () => void;
  /** Why the provider can no longer be judged. */
  unjudged: string | undefined;
  /** An error inside the relay: a defect of this suite. */
  defect: unknown;
  /** A part of the address for states, and of each mark. No other process on this machine knows it. */
  readonly #nonce = randomUUID();
  readonly #context: RelayContext;
  readonly #visits = new Map<string, Visit>();

  constructor(server: Awaited<ReturnType<typeof openLocalServer>>, context: RelayContext) {
    this.origin = server.origin;
    this.close = server.close;
    this.states = `${this.origin}/${this.#nonce}`;
    this.#context = context;
  }

  /** Registers an interaction. @returns the mark of its copy, and what will be seen of it */
  admit(interaction: Interaction): [mark: string, visit: Visit] {
    const mark = `${this.#nonce}.${this.#visits.size + 1}`;
    const visit = { interaction, setUps: 0, requests: 0, values: {}, remarks: [] };
    this.#visits.set(mark, visit);
    return [mark, visit];
  }

  /** Answers a request of the core. Another process on this machine that finds the port gets no data. */
  async answer(request: IncomingMessage, body: Buffer): Promise<LocalAnswer> {
    const change = request.url === `/${this.#nonce}` ? parsedJson(body.toString()) : undefined;
    const mark = change === undefined ? request.headers[markHeader] : field(change, 'state');
    const visit = this.#visits.get(String(mark));
    if (visit === undefined) return jsonAnswer(404, {});
    const { provider } = this.#context;
    if (change === undefined) {
      visit.requests += 1;
      return this.#during(visit, () => exchange(visit, request, body, this.#context));
    }
    if (field(change, 'action') === 'setup') return this.#during(visit, () => this.#setUp(visit));
    // A failure status here would replace the verdict of Pact's core.
    visit.remarks.push(...((await provider.stateHandler?.tearDown()) ?? []));
    return jsonAnswer(200, {});
  }

  async #setUp(visit: Visit): Promise<LocalAnswer> {
    const { provider, onVisit } = this.#context;
    visit.setUps += 1;
    onVisit?.(visit.interaction);
    visit.values = await setUpStates(visit.interaction, provider);
    return jsonAnswer(200, visit.values);
  }

  /** Runs the work of a visit. If it throws, the visit has ended. */
  async #during(visit: Visit, work: () => Promise<LocalAnswer>): Promise<LocalAnswer> {
    const { provider } = this.#context;
    try {
      if (this.unjudged !== undefined) throw InteractionEnd.unverified(this.unjudged);
      const outcome = await work().catch((error: unknown) => {
        if (error instanceof InteractionEnd) return error;
        throw error;
      });
      await provider.checkClock();
      if (!(outcome instanceof InteractionEnd)) return outcome;
      visit.ended = outcome;
    } catch (error) {
      visit.ended = error instanceof InteractionEnd ? error : await this.#unverified(visit, error);
    }
    await provider.stateHandler?.tearDown();
    // After any other failure status the core would repeat a setup for two minutes.
    return jsonAnswer(422, {});
  }

  async #unverified(visit: Visit, error: unknown): Promise<InteractionEnd> {
    const reason = whyUnjudged(error);
    if (reason === undefined) this.defect ??= error;
    // One request may crash a provider that answers all others, and a clock that it ignores is needed by few.
    visit.isPrevented =
      error instanceof ClockIgnoredError ||
      (error instanceof UnreachableError && (await this.#context.provider.answers()));
    if (!visit.isPrevented) this.unjudged = reason;
    return InteractionEnd.unverified(reason ?? 'a defect of this suite');
  }
}
