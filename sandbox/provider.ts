import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Behaviour,
  type Call,
  type Reply,
  type Resource,
  right,
  type ServiceState,
} from './behaviour.ts';
import { SimulatedClock } from './clock.ts';

/** An import would evaluate all of its exports. One of them, WebSocket, loads undici: 35 ms of each start. */
const http = process.getBuiltinModule('node:http');

/** Credentials of the sandbox; they are valid nowhere else. */
export const sandboxAccount = {
  apiKey: 'Zebra-Key-41',
  secretKey: 'Quartz Violin "Harbour" #93$=',
};

const tokenPath = '/public-api/v1/auth/token';

const resources: readonly Resource[] = [
  {
    method: 'GET',
    path: '/public-api/v1/widgets',
    reply: { status: 200, json: { widgets: [{ id: 1, name: 'first' }] } },
  },
  {
    method: 'POST',
    path: '/public-api/v1/reports',
    reply: { status: 202, json: { report: 'queued' } },
  },
];

/** The sandbox's endpoints besides the token endpoint, as `METHOD /path`. */
export const sandboxEndpoints = resources.map(({ method, path }) => ({ method, path }));

export interface SandboxOptions {
  readonly behaviour?: Behaviour;
  readonly account?: ServiceState['account'];
  /** A prefix of all paths. */
  readonly prefix?: string;
  /** The sandbox's time at the beginning, milliseconds since 1970; by default now. */
  readonly startAt?: number;
  /** Its clock, milliseconds since 1970; by default real time. */
  readonly time?: () => number;
  readonly port?: number;
  readonly host?: string;
  /** A socket file to listen on instead: no handshake, and a thousand connections use up no ports. */
  readonly socketPath?: string;
}

/** A running sandbox. Its test clock is at `clockUrl`, for `PUBLIC_API_CLOCK_URL`: GET, PUT and DELETE. */
export interface Sandbox extends AsyncDisposable {
  readonly baseUrl: URL;
  readonly clockUrl: URL;
  readonly clock: SimulatedClock;
  readonly state: ServiceState;
  close(): Promise<void>;
}

export const newState = (account: ServiceState['account'] = sandboxAccount): ServiceState => ({
  account,
  resources,
  tokens: new Map(),
  memo: new Map(),
});

/** An answer as it is sent. */
export interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[]>>;
  readonly body: string | Buffer;
}

/** The answer to a call, at once and without a network: the delay of `arrived` is ignored. */
export const serve = (call: Call, state: ServiceState, behaviour: Behaviour): Written =>
  written(behaviour.finish(answer(call, state, behaviour), call, state));

/** The status with which Node's server refuses a request before the service sees it. */
export function refusedByServer(call: Call): number | undefined {
  const { method, headers, rawHeaders, httpVersion } = call;
  if (!http.METHODS.includes(method)) return 400;
  if (httpVersion === '1.1' && headers.host === undefined) return 400;
  return rawHeaders.join('').length > http.maxHeaderSize ? 431 : undefined;
}

/** Starts the service, in memory, on a port of its own. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { behaviour = right, prefix = '' } = options;
  const clock = new SimulatedClock(options.startAt, options.time);
  const state = newState(options.account);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => response.destroy());
    request.on('end', () => {
      const call = callOf(request, chunks, { prefix, now: clock.now() });
      const reply = (): void => write(response, serve(call, state, behaviour));
      if (isForClock(request)) return write(response, written(serveClock(call, clock)));
      const holdMs = behaviour.arrived(call, state);
      if (holdMs > 0) setTimeout(reply, holdMs);
      else reply();
    });
  });
  // The only client of a socket file is this process, and its machine may pause for seconds.
  if (options.socketPath !== undefined) server.keepAliveTimeout = 0;
  await listen(server, options);
  const origin = originOf(server.address());
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    baseUrl: new URL(origin + prefix),
    clockUrl: new URL(clockPath, origin),
    clock,
    state,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const clockPath = '/test-clock';

const isForClock = ({ url }: IncomingMessage): boolean => url?.split('?')[0] === clockPath;

/** @param prefix of all paths, except the clock's */
function callOf(
  request: IncomingMessage,
  chunks: readonly Buffer[],
  { prefix, now }: { readonly prefix: string; readonly now: number },
): Call {
  const { method = 'GET', url = '/', headers, rawHeaders, httpVersion, socket } = request;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const bytes = Buffer.concat(chunks);
  return {
    method,
    path: path.startsWith(prefix) ? path.slice(prefix.length) : '',
    query: new URLSearchParams(query),
    url,
    headers,
    rawHeaders,
    body: bytes.toString(),
    bytes,
    httpVersion,
    connection: socket,
    now,
  };
}

function listen(
  server: Server,
  { host = '127.0.0.1', port = 0, socketPath }: SandboxOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    if (socketPath === undefined) server.listen(port, host, resolve);
    else server.listen(socketPath, resolve);
  });
}

function originOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return 'http://sandbox';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
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
  return cause === undefined
    ? behaviour.authorised(resource, call, state)
    : behaviour.unauthorised(cause, call, state);
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

function written(reply: Reply): Written {
  const json = reply.json === undefined ? undefined : JSON.stringify(reply.json);
  const body = reply.body ?? json ?? '';
  const type: Record<string, string> =
    json === undefined ? {} : { 'Content-Type': 'application/json' };
  const length: Record<string, number> =
    reply.headers?.['Transfer-Encoding'] === undefined
      ? { 'Content-Length': Buffer.byteLength(body) }
      : {};
  return { status: reply.status, headers: { ...type, ...length, ...reply.headers }, body };
}

function write(response: ServerResponse, { status, headers, body }: Written): void {
  response.writeHead(status, headers as OutgoingHttpHeaders);
  response.end(body);
}
