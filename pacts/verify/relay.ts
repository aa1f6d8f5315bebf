import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { field } from '../../contract/http/answer.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Interaction } from '../pact.ts';
import { ask, type RelayedAnswer } from './ask.ts';
import { markHeader } from './copy.ts';
import { type Give, StateSetupError, type Values } from './given.ts';
import { messageOfError, type Provider } from './provider.ts';
import type { SecretPlaceholders } from './secret-placeholders.ts';

/** An import would evaluate all of its exports, and with WebSocket load undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/** What the relay saw of one interaction, and why it could not be left to Pact's core to judge it. */
export interface Visit {
  readonly interaction: Interaction;
  setUps: number;
  requests: number;
  asked?: string;
  ended?: { readonly ending: 'failed' | 'unverified'; readonly reason: string };
}

/**
 * What stands between Pact's core and the provider: it makes the states, fills secrets in where the core sends
 * placeholders, and covers them in what the provider answers.
 */
export interface Relay {
  readonly origin: string;
  /** Where the core asks for states. */
  readonly states: string;
  /** Lets an interaction in. @returns the mark of its copy */
  admit(interaction: Interaction): string;
  /** What came of an interaction so far. */
  visit(mark: string): Visit;
  /** Why the provider cannot be judged any further. */
  over(): string | undefined;
  /** What went wrong inside of it. */
  defect(): unknown;
  close(): void;
}

/** What a relay is given. */
interface RelayContext {
  readonly provider: Provider;
  readonly placeholders: SecretPlaceholders;
  readonly give: Give;
  /** Is told of each interaction as it begins. */
  readonly onVisit: (interaction: Interaction) => void;
}

/** Opens a relay on a free port of this machine. @param onVisit is told of each interaction as it begins */
export async function openRelay(
  provider: Provider,
  placeholders: SecretPlaceholders,
  give: Give,
  onVisit: (interaction: Interaction) => void,
): Promise<Relay> {
  const visits = new Visits({ provider, placeholders, give, onVisit });
  const server = http.createServer((request, response) => {
    void visits.answer(request).then((reply) => write(response, reply));
  });
  const origin = await listen(server);
  return {
    origin,
    states: `${origin}/${visits.nonce}`,
    admit: (interaction) => visits.admit(interaction),
    visit: (mark) => visits.of(mark),
    over: () => visits.over(),
    defect: () => visits.defect(),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The visits of all interactions, and the answers to what Pact's core sends during them. */
class Visits {
  /** No other process on this machine knows it. */
  readonly nonce = randomUUID();
  readonly #context: RelayContext;
  readonly #visits = new Map<string, Visit>();
  #over: string | undefined;
  #defect: unknown;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  admit(interaction: Interaction): string {
    const mark = `${this.nonce}.${this.#visits.size + 1}`;
    this.#visits.set(mark, { interaction, setUps: 0, requests: 0 });
    return mark;
  }

  of(mark: string): Visit {
    const found = this.#visits.get(mark);
    if (found === undefined) throw new Error('Pact asked for what no copy holds');
    return found;
  }

  over(): string | undefined {
    return this.#over;
  }

  defect(): unknown {
    return this.#defect;
  }

  async answer(request: IncomingMessage): Promise<RelayedAnswer> {
    try {
      const body = await bodyOf(request);
      return await (request.url === `/${this.nonce}`
        ? this.#setUp(body)
        : this.#pass(request, body));
    } catch (error) {
      this.#defect ??= error;
      return json(422, {});
    }
  }

  async #setUp(body: Buffer): Promise<RelayedAnswer> {
    const { provider, placeholders, give, onVisit } = this.#context;
    const change: unknown = JSON.parse(body.toString());
    if (field(change, 'action') !== 'setup') return json(200, {});
    const visit = this.of(String(field(change, 'state')));
    visit.setUps += 1;
    onVisit(visit.interaction);
    const values = await this.#during(visit, () => give(visit.interaction, provider));
    // Any other status of a failure would be asked again for two minutes.
    return values === undefined ? json(422, {}) : json(200, covered(values, placeholders));
  }

  async #pass(request: IncomingMessage, body: Buffer): Promise<RelayedAnswer> {
    const { provider, placeholders } = this.#context;
    const visit = this.#visits.get(String(request.headers[markHeader]));
    // Another process on this machine that has found the port gets nothing out of it.
    if (visit === undefined) return json(404, {});
    visit.requests += 1;
    const reply = await this.#during(visit, () =>
      ask(visit, request, body, { provider, placeholders }),
    );
    return reply ?? json(500, {});
  }

  /** Does the work of a visit, and keeps what came of it instead of an answer. */
  async #during<Result>(visit: Visit, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      if (this.#over === undefined) return await work();
    } catch (error) {
      if (error instanceof StateSetupError) {
        visit.ended = { ending: 'failed', reason: error.message };
        return undefined;
      }
      this.#over = messageOfError(error);
      if (this.#over === undefined) throw error;
    }
    visit.ended = { ending: 'unverified', reason: this.#over };
    return undefined;
  }
}

function listen(server: ReturnType<typeof http.createServer>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null)
        resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/** The values of the states as the core may know them: `accessToken` becomes a placeholder of its own. */
const covered = (values: Values, placeholders: SecretPlaceholders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Secret ? placeholders.hide(constantCase(name), value) : value,
    ]),
  );

/** `accessToken` as documents write placeholders: `ACCESS_TOKEN`. */
const constantCase = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase();

const bodyOf = async (request: IncomingMessage): Promise<Buffer> =>
  Buffer.concat(await request.toArray());

const json = (status: number, value: object): RelayedAnswer => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(JSON.stringify(value)),
});

/** Node's own headers, which a pact may expect of the provider. A body ends where the connection does. */
const added = ['connection', 'content-length', 'date', 'transfer-encoding'];

function write(response: ServerResponse, { status, headers, body }: RelayedAnswer): void {
  if (response.destroyed) return;
  for (const name of added) response.removeHeader(name);
  response.writeHead(status, headers.flat());
  response.end(body);
}
