import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { field } from '../../contract/json-value.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { ClockIgnored } from '../../contract/time/clock.ts';
import type { Interaction } from '../pact.ts';
import { markHeader } from './copy.ts';
import { checkDataTypes } from './data-type.ts';
import { type ExchangeContext, exchange } from './exchange.ts';
import { jsonAnswer, type LocalAnswer, type LocalServer, openLocalServer } from './local-server.ts';
import { whyUnjudged } from './provider.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';
import { checkComplete, type StateSetup, type Values } from './state-setup.ts';
import { InteractionEnd, type Visit } from './visit.ts';

interface RelayContext extends ExchangeContext {
  readonly setUp: StateSetup;
  /** Called for each interaction when it begins. */
  readonly onVisit: (interaction: Interaction) => void;
}

/** Opens a relay on a free port of this machine. */
export async function openRelay(context: RelayContext): Promise<Relay> {
  const server = await openLocalServer((request, body) => relay.answer(request, body));
  const relay = new Relay(server, context);
  return relay;
}

/**
 * The relay between Pact's core and the provider. It sets up states, replaces placeholders in the core's requests by
 * secrets, and masks secrets in the provider's responses.
 */
export class Relay {
  readonly origin: string;
  readonly close: () => void;
  /** The address at which the core requests states. */
  readonly states: string;
  /** Why the provider can no longer be judged. */
  unjudged: string | undefined;
  /** Why an interaction that is not pending could not be judged, though the provider can. */
  unanswered: string | undefined;
  /** An error inside the relay: a defect of this suite. */
  defect: unknown;
  /** A part of the relay's address for states, and of each mark. No other process on this machine knows it. */
  readonly #nonce = randomUUID();
  readonly #context: RelayContext;
  readonly #visits = new Map<string, Visit>();

  constructor({ origin, close }: LocalServer, context: RelayContext) {
    this.origin = origin;
    this.close = close;
    this.states = `${origin}/${this.#nonce}`;
    this.#context = context;
  }

  /** Registers an interaction. @returns the mark of its copy */
  admit(interaction: Interaction): string {
    const mark = `${this.#nonce}.${this.#visits.size + 1}`;
    this.#visits.set(mark, { interaction, setUps: 0, requests: 0, values: {} });
    return mark;
  }

  /** The result of an interaction so far. */
  visit(mark: string): Visit {
    const found = this.#visits.get(mark);
    if (found === undefined) throw new Error('Pact asked for what no copy holds');
    return found;
  }

  /** Answers a request of the core. */
  async answer(request: IncomingMessage, body: Buffer): Promise<LocalAnswer> {
    try {
      return await (request.url === `/${this.#nonce}`
        ? this.#setUp(body)
        : this.#pass(request, body));
    } catch (error) {
      this.defect ??= error;
      return jsonAnswer(422, {});
    }
  }

  async #setUp(body: Buffer): Promise<LocalAnswer> {
    const { provider, placeholders, setUp, onVisit } = this.#context;
    const change: unknown = JSON.parse(body.toString());
    const visit = this.visit(String(field(change, 'state')));
    if (field(change, 'action') !== 'setup') {
      // A failure status here would replace the verdict of Pact's core.
      visit.teardownFailure = await provider.stateHandler?.tearDown();
      return jsonAnswer(200, {});
    }
    visit.setUps += 1;
    onVisit(visit.interaction);
    const values = await this.#during(visit, async () => {
      const given = await setUp(visit.interaction, provider);
      checkComplete(visit.interaction, given);
      checkDataTypes(visit.interaction, given);
      return given;
    });
    if (values === undefined) {
      await provider.stateHandler?.tearDown();
      // After any other failure status the core would retry for two minutes.
      return jsonAnswer(422, {});
    }
    visit.values = withPlaceholders(values, placeholders);
    return jsonAnswer(200, visit.values);
  }

  async #pass(request: IncomingMessage, body: Buffer): Promise<LocalAnswer> {
    const visit = this.#visits.get(String(request.headers[markHeader]));
    // Another process on this machine that finds the port gets no data.
    if (visit === undefined) return jsonAnswer(404, {});
    visit.requests += 1;
    const reply = await this.#during(visit, () => exchange(visit, request, body, this.#context));
    return reply ?? jsonAnswer(500, {});
  }

  /** Runs the work of a visit. If it throws, stores the error in the visit and returns undefined. */
  async #during<Result>(visit: Visit, work: () => Promise<Result>): Promise<Result | undefined> {
    let reason = this.unjudged;
    try {
      if (reason === undefined) {
        const outcome = await work().catch(interactionEnd);
        await this.#context.provider.checkClock();
        if (!(outcome instanceof InteractionEnd)) return outcome;
        visit.ended = outcome;
        return undefined;
      }
    } catch (error) {
      reason = whyUnjudged(error);
      if (reason === undefined) throw error;
      if (await this.#isAboutOne(error))
        this.unanswered ??= visit.interaction.pending ? undefined : reason;
      else this.unjudged = reason;
    }
    visit.ended = InteractionEnd.unverified(reason);
    return undefined;
  }

  /**
   * Whether an error prevents only its interaction: one request may crash a provider that answers all others, and a
   * clock that the provider ignores is needed by few.
   */
  async #isAboutOne(error: unknown): Promise<boolean> {
    if (error instanceof ClockIgnored) return true;
    return error instanceof Unreachable && (await this.#context.provider.answers());
  }
}

function interactionEnd(error: unknown): InteractionEnd {
  if (error instanceof InteractionEnd) return error;
  throw error;
}

/** The values of the states as the core gets them: a secret such as `accessToken` becomes a unique placeholder. */
const withPlaceholders = (
  values: Values,
  placeholders: SecretPlaceholders,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Secret ? placeholders.placeholderFor(constantCase(name), value) : value,
    ]),
  );

/** `accessToken` becomes `ACCESS_TOKEN`, as in documented placeholders. */
const constantCase = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase();
