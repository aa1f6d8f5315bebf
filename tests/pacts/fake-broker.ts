import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** An answer of the server. A body that is not a text is sent as JSON; `hang` and `reset` send no answer. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly hang?: true;
  readonly reset?: true;
}

/** A server with answers that a test sets, in place of a broker, a webhook's receiver or a state handler. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly arrived: readonly Arrived[];
}

export async function serve(
  answer: (arrived: Arrived) => Answer | Promise<Answer>,
): Promise<Server> {
  const arrived: Arrived[] = [];
  const server = http.createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body };
    arrived.push(one);
    const { status = 200, headers: own, body: text, hang, reset } = await answer(one);
    if (hang) return;
    if (reset) return void request.socket.destroy();
    response
      .writeHead(status, { 'Content-Type': 'application/hal+json', ...own })
      .end(typeof text === 'string' ? text : JSON.stringify(text));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
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
export const serveBroker = (answer: Answer | ((arrived: Arrived) => Answer)): Promise<Server> =>
  serve((arrived) => {
    if (arrived.url === '/') return index;
    return typeof answer === 'function' ? answer(arrived) : answer;
  });
