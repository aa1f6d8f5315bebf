import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { account, tokenMark } from '../provider.ts';
import { longTokenEnd, redirectPath } from './answers.ts';
import { type Answer, message, type RequestKind, type Step } from './fault.ts';
import { faultCases } from './index.ts';

const longTokens = new RegExp(`${longTokenEnd}{100,}$`);

const json = (status: number, reason: string, value: unknown): Answer => ({
  status,
  reason,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(JSON.stringify(value)),
});

const unauthorised = json(401, 'Unauthorized', {
  success: false,
  message: 'Invalid or expired access token.',
});
const widgets = json(200, 'OK', { widgets: [{ id: 1, name: 'first' }] });

/** The provider of one target. Its tokens are not valid at other targets. */
class Provider {
  readonly #tokens = new Set<string>();

  /** The kind of a request, and the correct answer to it. The kind is undefined for requests that no fault is about. */
  answer(request: http.IncomingMessage, body: string): [RequestKind | undefined, Answer] {
    const isToken = request.url?.endsWith('/public-api/v1/auth/token') === true;
    if (isToken && request.method === 'POST') return ['token', this.#issue(body)];
    if (isToken) return [undefined, json(405, 'Method Not Allowed', { success: false })];
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    // After a fault of the token endpoint the monitor may hold a token that this provider did not generate.
    return this.#tokens.has(token.replace(longTokens, ''))
      ? ['admitted', widgets]
      : ['refused', unauthorised];
  }

  #issue(body: string): Answer {
    const { apiKey, secretKey } = JSON.parse(body);
    if (apiKey !== account.apiKey || secretKey !== account.secretKey)
      return json(400, 'Bad Request', { success: false, message: 'no' });
    const accessToken = `${tokenMark}${randomUUID()}`;
    this.#tokens.add(accessToken);
    return json(200, 'OK', { success: true, message: 'Token generated.', data: { accessToken } });
  }
}

/** A server for all targets: the first segment of the path is the name of the target. */
export async function startFaultServer() {
  const cases = new Map(faultCases.map((row) => [row.at, row]));
  const providers = new Map<string, Provider>();
  let redirected = 0;
  const server = http.createServer(
    { maxHeaderSize: 16 * 1024 * 1024 },
    async (request, response) => {
      const { socket } = request;
      const [, target = ''] = request.url?.split('/') ?? [];
      if (request.url?.startsWith(redirectPath)) redirected += 1;
      const provider = providers.get(target) ?? new Provider();
      providers.set(target, provider);
      const [kind, answer] = provider.answer(request, await readBody(request));
      const found = cases.get(target);
      const steps = found?.kind === kind ? found?.fault.steps(answer) : undefined;
      const keep = request.headers.connection !== 'close' && response.shouldKeepAlive;
      await play(steps ?? [message(answer)], socket, keep);
    },
  );
  // One listener per connection, because a kept connection serves many requests.
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.requestTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: new URL(`http://127.0.0.1:${port}`),
    /** How many requests arrived at the destination of a redirect. */
    redirected: () => redirected,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/** Writes the steps to the socket directly, without node:http, and waits for a client that reads slowly. */
async function play(steps: Iterable<Step>, socket: Socket, keep: boolean): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return;
    if (step === 'hang') return;
    if (step === 'close') return void socket.end();
    if (step === 'reset') return void socket.resetAndDestroy();
    if (typeof step === 'object' && 'pauseMs' in step) await sleep(step.pauseMs);
    else if (!socket.write(typeof step === 'string' ? Buffer.from(step, 'latin1') : step))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
  }
  if (!keep) socket.end();
}
