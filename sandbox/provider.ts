import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Behaviour, Call, Reply, Resource, ServiceState } from './behaviour.ts';
import { right } from './behaviour.ts';

/** An import would evaluate all of its exports. One of them, WebSocket, loads undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/** Credentials of the sandbox; they are valid nowhere else. */
export const sandboxAccount = {
  apiKey: 'Zebra-Key-41',
  secretKey: 'Quartz Violin "Harbour" #93$=',
};

const tokenPath = '/public-api/v1/auth/token';

/** The sandbox's endpoints besides the token endpoint. */
export const sandboxEndpoints = [
  { method: 'GET', path: '/public-api/v1/widgets' },
  { method: 'POST', path: '/public-api/v1/reports' },
] as const;

const [widgets, reports] = sandboxEndpoints;
const resources: readonly Resource[] = [
  { ...widgets, reply: { status: 200, json: { widgets: [{ id: 1, name: 'first' }] } } },
  { ...reports, reply: { status: 202, json: { report: 'queued' } } },
];

export interface SandboxOptions {
  readonly behaviour?: Behaviour;
  readonly account?: ServiceState['account'];
  /** A prefix of all paths. */
  readonly prefix?: string;
  /** The sandbox's time at the beginning, milliseconds since 1970; by default now. */
  readonly startAt?: number;
  readonly port?: number;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

type SimulatedClock = ReturnType<typeof simulatedClock>;

/** The sandbox's time: it runs like real time until it is stopped at an instant. Milliseconds since 1970. */
export function simulatedClock(startAt = Date.now()) {
  const aheadMs = startAt - Date.now();
  let stoppedAt: number | undefined;
  return {
    now: () => stoppedAt ?? Date.now() + aheadMs,
    stopAt(instant: number): void {
      stoppedAt = instant;
    },
    release(): void {
      stoppedAt = undefined;
    },
  };
}

export const newState = (account: ServiceState['account'] = sandboxAccount): ServiceState => ({
  account,
  resources,
  tokens: new Map(),
  memo: new Map(),
});

/** An answer as it is sent. */
export type Written = ReturnType<typeof written>;

/** The answer to a call, at once and without a network: the delay of `arrived` is ignored. */
export const serve = (call: Call, state: ServiceState, behaviour: Behaviour): Written =>
  written(behaviour.finish(answer(call, state, behaviour), call, state));

/**
 * Starts the service, in memory, on a port of its own.
 * @returns with the address of its test clock, for `PUBLIC_API_CLOCK_URL`: GET, PUT and DELETE
 */
export async function startSandbox(options: SandboxOptions = {}) {
  const { behaviour = right, prefix = '', port = 0 } = options;
  const clock = simulatedClock(options.startAt);
  const state = newState(options.account);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => response.destroy());
    request.on('end', () => {
      const call = readCall(request, Buffer.concat(chunks), prefix, clock.now());
      if (call.url.split('?')[0] === clockPath)
        return write(response, written(serveClock(call, clock)));
      const reply = (): void => write(response, serve(call, state, behaviour));
      const holdMs = behaviour.arrived(call, state);
      if (holdMs > 0) setTimeout(reply, holdMs);
      else reply();
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = server[Symbol.asyncDispose]();
    server.closeAllConnections();
    await closed;
  };
  return {
    baseUrl: new URL(origin + prefix),
    clockUrl: new URL(clockPath, origin),
    clock,
    state,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Where its test clock is. */
export const clockPath = '/test-clock';

/** @param prefix of all paths, except the clock's */
function readCall(request: IncomingMessage, bytes: Buffer, prefix: string, now: number): Call {
  const { method = 'GET', url = '/', headers, rawHeaders, httpVersion, socket } = request;
  const [whole = '', parameters = ''] = url.split(/\?(.*)/s);
  const path = whole.startsWith(prefix) ? whole.slice(prefix.length) : '';
  const sent = { method, path, query: new URLSearchParams(parameters), url, headers, rawHeaders };
  return { ...sent, httpVersion, body: `${bytes}`, bytes, connection: socket, now };
}

function answer(call: Call, state: ServiceState, behaviour: Behaviour): Reply {
  if (call.path === tokenPath && call.method === 'POST') {
    const sent = behaviour.credentials(call);
    if (sent === undefined) return behaviour.denied('malformed', call, state);
    if (!behaviour.valid(sent, state)) return behaviour.denied('wrong', call, state);
    const token = { text: behaviour.mint(state, call.now), madeAt: call.now, memo: new Map() };
    behaviour.keep(token, state);
    return behaviour.granted(token, call, state);
  }
  const resource = behaviour.route(call, state);
  if (resource === undefined)
    return { status: 404, json: { success: false, message: 'Not found.' } };
  const cause = behaviour.guard(call, state, behaviour);
  if (cause !== undefined) return behaviour.unauthorised(cause, call, state);
  return behaviour.authorised(resource, call, state);
}

function serveClock({ method, body }: Call, clock: SimulatedClock): Reply {
  if (method === 'DELETE') clock.release();
  if (method === 'PUT') {
    const instant = Date.parse(/"now"\s*:\s*"([^"]*)"/.exec(body)?.[1] ?? '');
    if (Number.isNaN(instant)) return { status: 400, json: { message: 'now is no ISO 8601 date' } };
    clock.stopAt(instant);
  }
  return { status: 200, json: { now: new Date(clock.now()).toISOString() } };
}

function written({ status, headers, json, body = JSON.stringify(json) ?? '' }: Reply) {
  const usual: Record<string, string | number> = {};
  if (json !== undefined) usual['Content-Type'] = 'application/json';
  if (!headers?.['Transfer-Encoding']) usual['Content-Length'] = Buffer.byteLength(body);
  return { status, headers: { ...usual, ...headers }, body };
}

const write = (response: ServerResponse, { status, headers, body }: Written): void =>
  void response.writeHead(status, headers as OutgoingHttpHeaders).end(body);
