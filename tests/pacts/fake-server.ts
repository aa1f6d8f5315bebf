import { once } from 'node:events';
import http from 'node:http';

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** An answer of the server. A body that is not a text is sent as JSON; `hang` sends no answer. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly hang?: true;
}

/** A server with answers that a test sets, in place of a broker, a webhook's receiver or a state handler. */
export type Server = Awaited<ReturnType<typeof serve>>;

export async function serve(answer: (arrived: Arrived) => Answer | Promise<Answer>) {
  const arrived: Arrived[] = [];
  const server = http.createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body };
    arrived.push(one);
    const { status = 200, headers: own, body: text, hang } = await answer(one);
    if (hang) return;
    response
      .writeHead(status, { 'Content-Type': 'application/hal+json', ...own })
      .end(typeof text === 'string' ? text : JSON.stringify(text));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** The resource at the root of a broker. */
export const index = {
  body: { _links: { 'pb:publish-contracts': { href: 'contracts/publish' } } },
} satisfies Answer;

/** A server that answers `/` like a broker, and everything else as the test decides. */
export const serveBroker = (answer: (arrived: Arrived) => Answer): Promise<Server> =>
  serve((arrived) => (arrived.url === '/' ? index : answer(arrived)));

/** A verifier's request to a state handler. */
export interface StateChange {
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly action: 'setup' | 'teardown';
}

/** The answer to a request for a state. */
export type Answers = (change: StateChange) => Answer | Promise<Answer>;

/** A provider team's own state handler. */
export type TeamHandler = Awaited<ReturnType<typeof teamHandler>>;

export async function teamHandler(answer: Answers) {
  /** `setup a widget {}`, in their order. */
  const changes: string[] = [];
  const server = await serve(({ body }) => {
    const change: StateChange = JSON.parse(body);
    changes.push(`${change.action} ${change.state} ${JSON.stringify(change.params)}`);
    return answer(change);
  });
  return { ...server, url: new URL('/_pact/states?key=1', server.url), changes };
}
