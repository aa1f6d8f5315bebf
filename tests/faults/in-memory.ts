import http, { type IncomingHttpHeaders } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Received } from '../../contract/http/answer.ts';
import { decode } from '../../contract/http/answer.ts';
import type { exchange } from '../../contract/http/exchange.ts';
import { encodeBody, encodeRequest, type HttpRequest } from '../../contract/http/http-request.ts';
import type { Target } from '../../contract/round/target.ts';
import { targetAt } from '../../gate/under-test.ts';
import { type Behaviour, type Call, right, type ServiceState } from '../../sandbox/behaviour.ts';
import { newState, serve, simulatedClock, type Written } from '../../sandbox/provider.ts';

const origin = new URL('http://sandbox');

/**
 * A sandbox without a socket: a round costs a fifth of a round over the network. Faults of connections, or of the
 * bytes on them, do not show here.
 */
export function sandboxInMemory(
  behaviour: Behaviour = right,
  startAt?: number,
  account?: ServiceState['account'],
): Target {
  const state = newState(account);
  const clock = simulatedClock(startAt);
  const answer: typeof exchange = async ({ maxBodyBytes }, sent, where) => {
    const request = callOf(sent, clock.now());
    // Lets other requests and answers come in between, as over a network.
    await setImmediate();
    const refusal = refusedByServer(request);
    if (refusal !== undefined) return receivedOf({ status: refusal, headers: {}, body: '' }, sent);
    const heldMs = behaviour.arrived(request, state);
    if (heldMs > 0) await setTimeout(heldMs);
    const received = receivedOf(serve(request, state, behaviour), sent);
    await setImmediate();
    const coding = received.headers.find(([name]) => name === 'Content-Encoding')?.[1];
    return { ...received, body: await decode(received.body, coding, maxBodyBytes, where) };
  };
  return {
    ...targetAt(origin, state.account),
    exchange: answer,
    clock: {
      name: "the sandbox's clock",
      read: async () => clock.now(),
      set: async (instant) => clock.stopAt(instant),
      release: async () => clock.release(),
    },
  };
}

/** A request as the service sees it. */
export function callOf(request: HttpRequest, now: number): Call {
  const { method, path: url, headers: sent } = encodeRequest(origin, request);
  // White space around a value is not a part of it (RFC 9112 5.1).
  const headers = sent.map(
    ([name, value]) => [name, value.replace(/^[ \t]+|[ \t]+$/g, '')] as const,
  );
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  return {
    method,
    url,
    path,
    query: new URLSearchParams(query),
    headers: joined(headers),
    rawHeaders: headers.flat(),
    body: `${encodeBody(request) ?? ''}`,
    httpVersion: request.version ?? '1.1',
    connection: request.agent ?? {},
    now,
  };
}

/** Node's server uses only the first of these. */
const single =
  /^(authorization|content-length|content-type|from|host|proxy-authorization|referer|user-agent)$/;

function joined(headers: readonly (readonly [string, string])[]): IncomingHttpHeaders {
  const found: Record<string, string> = {};
  for (const [spelt, value] of headers) {
    const name = spelt.toLowerCase();
    const before = found[name];
    if (before === undefined) found[name] = value;
    else if (!single.test(name))
      found[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return found;
}

function receivedOf({ status, headers, body }: Written, { method }: HttpRequest): Received {
  const bodiless = method === 'HEAD' || status === 204 || status === 304;
  return {
    status,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      [value].flat().map((item) => [name, String(item)]),
    ),
    body: bodiless ? Buffer.alloc(0) : Buffer.from(body),
    phases: { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 },
  };
}

/** The status with which Node's server refuses a request before the service sees it. */
function refusedByServer(call: Call): number | undefined {
  const { method, headers, rawHeaders, httpVersion } = call;
  if (!http.METHODS.includes(method)) return 400;
  if (httpVersion === '1.1' && headers.host === undefined) return 400;
  return rawHeaders.join('').length > http.maxHeaderSize ? 431 : undefined;
}
