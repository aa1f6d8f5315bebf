import http from 'node:http';
import { right } from '../../sandbox/behaviour.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';
import { listening } from '../client/stage.ts';

/** What a parrot repeats: the request, and the newest token. */
type Echo = (received: string) => Partial<Reply>;

interface Reply {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const message = (text: string): Partial<Reply> => ({
  body: JSON.stringify({ success: false, message: text }),
});
const refusal = 'Invalid or expired access token.';

/** The characters that a header can hold. */
const line = (text: string): string => text.replace(/[^ -~]/g, '');

/** Every place and form in which providers, and proxies in front of them, repeat a request. */
export const echoes: readonly Echo[] = [
  (received) => message(received),
  (received) => message(received.toUpperCase()),
  (received) => message(Buffer.from(received).toString('base64')),
  (received) => message(Buffer.from(`x${received}`).toString('base64url')),
  (received) => message(encodeURIComponent(received)),
  (received) => message(Buffer.from(received).toString('hex')),
  (received) => message(JSON.stringify(JSON.stringify(received))),
  (received) => message(received.slice(0, received.length / 2)),
  (received) => ({ body: received }),
  (received) => ({
    body: JSON.stringify({ success: false, message: refusal, [received]: received }),
  }),
  (received) => ({
    status: 302,
    headers: { Location: `/login?said=${encodeURIComponent(received)}` },
  }),
  (received) => ({ status: 403, reason: line(received), body: received }),
  (received) => ({ headers: { 'WWW-Authenticate': `Bearer error="${line(received)}"` } }),
  (received) => ({ headers: { 'Content-Type': `application/${line(received)}+json` } }),
  (received) => ({
    headers: {
      'X-RateLimit-Limit': line(received),
      'Cache-Control': line(received),
      'Api-Version': line(received),
      [`X-${line(received).replace(/[^\w-]/g, '')}`]: 'yes',
    },
  }),
];

/** A provider that repeats the request in its refusals, and in the message of every new token. */
export interface Parrot extends Sandbox {
  /** All of its answers. */
  readonly replies: string[];
}

/** @param spoils whether a refusal has a wrong message if the echo has no body, so that it breaks every pact */
export async function startParrot(
  account: Sandbox['state']['account'],
  spoils = false,
): Promise<Parrot> {
  const query = 'token';
  const sandbox = await startSandbox({
    account,
    behaviour: {
      ...right,
      presented: (call, state) => {
        const token = call.query.get(query);
        return token === null ? right.presented(call, state) : { token };
      },
      granted: ({ text }, { body }) => ({
        status: 200,
        json: { success: true, message: `${body} ${text}`, [text]: 1, data: { accessToken: text } },
      }),
    },
  });
  const spoken: string[] = [];
  const echoTo = inTurn();
  const server = http.createServer(async (request, response) => {
    const received = Buffer.concat(await request.toArray());
    const reply = await forward(sandbox.baseUrl, request, received);
    const { authorization = '', cookie = '' } = request.headers;
    const newest = reply.status === 401 ? [...sandbox.state.tokens.keys()].at(-1) : '';
    const secrets = [authorization, request.url, cookie, received, newest].join(' ');
    // A repeated request has another trace id.
    const { traceparent: _, ...headersSent } = request.headers;
    const wholeRequest = [request.method, request.url, JSON.stringify(headersSent), received].join(
      ' ',
    );
    const spoilt = spoils ? message(secrets) : {};
    const echo = reply.status < 400 ? {} : { ...spoilt, ...echoTo(wholeRequest)?.(secrets) };
    const answer = { ...reply, ...echo };
    const headers = { 'Content-Type': 'application/json', ...answer.headers };
    spoken.push([answer.reason, ...Object.entries(headers), answer.body].join(' '));
    response.writeHead(answer.status, answer.reason, headers).end(answer.body);
  });
  return {
    ...sandbox,
    baseUrl: await listening(server),
    replies: spoken,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await sandbox.close();
    },
  };
}

/** Returns the next echo for each new request, and the same echo for a repeated one. */
function inTurn(): (request: string) => Echo | undefined {
  const turns = new Map<string, number>();
  return (request) => {
    const turn = turns.get(request) ?? turns.size;
    turns.set(request, turn);
    return echoes[turn % echoes.length];
  };
}

/** Forwards the request to the provider behind the parrot. */
function forward(origin: URL, request: http.IncomingMessage, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method, headers, url: path } = request;
    const passed = { ...headers, 'content-length': body.length };
    const { 'transfer-encoding': _, ...rest } = passed;
    http
      .request(origin, { method, path, headers: rest, agent: false }, async (response) => {
        const { statusCode: status = 500, statusMessage: reason = '' } = response;
        const answered = Buffer.concat(await response.toArray()).toString();
        resolve({ status, reason, headers: {}, body: answered });
      })
      .on('error', reject)
      .end(body);
  });
}
