import type { Received } from '../../contract/http/answer.ts';
import type { exchange } from '../../contract/http/exchange.ts';
import { encodeBody, type HttpRequest } from '../../contract/http/http-request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { account, targetAt } from './provider.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** A provider without a socket, on a test's own time. By default it keeps the contract. */
export interface InMemory {
  readonly exchange: typeof exchange;
  readonly target: WatchedTarget;
  /** Replaces answers, by the method and path; for undefined the correct service answers. */
  answer?: (requestLine: string, token: string | undefined) => Partial<Received> | undefined;
  /** How long tokens live (milliseconds). */
  lifetime: number;
  /** Whether it returns a token that is still valid, instead of issuing a new one. */
  givesAgain: boolean;
  /** Forgets every token. */
  wipe(): void;
  /** Every request: `POST /public-api/v1/auth/token`. */
  readonly requests: string[];
  /** Every token that it received, and the host of the request. */
  readonly shown: { readonly host: string; readonly token: string }[];
}

const text = (value: string | Secret | undefined): string =>
  value instanceof Secret ? open(value) : (value ?? '');

export function inMemory(time: SimulatedTime): InMemory {
  const tokens = new Map<string, number>();
  const requests: string[] = [];
  const shown: InMemory['shown'] = [];
  let made = 0;

  function right(
    where: string,
    token: string | undefined,
    request: HttpRequest,
  ): Partial<Received> {
    if (where === 'POST /public-api/v1/auth/token') {
      const given = JSON.parse(text(`${encodeBody(request) ?? ''}`) || '{}');
      if (given.apiKey !== account.apiKey || given.secretKey !== account.secretKey)
        return { status: 400, body: Buffer.from('{"success":false,"message":"no"}') };
      const latest = [...tokens].findLast(([, at]) => time.truth() < at + provider.lifetime);
      const [accessToken, madeAt] =
        provider.givesAgain && latest !== undefined
          ? latest
          : [`token-${made++}-of-the-service-in-memory`, time.truth()];
      tokens.set(accessToken, madeAt);
      return { body: json({ success: true, message: 'ok', data: { accessToken } }) };
    }
    const madeAt = tokens.get(token ?? '');
    if (madeAt !== undefined && time.truth() < madeAt + provider.lifetime)
      return { body: json({ widgets: [] }) };
    const message = 'Invalid or expired access token.';
    return { status: 401, body: json({ success: false, message }) };
  }

  const provider: InMemory = {
    lifetime: 86_400_000,
    givesAgain: false,
    requests,
    shown,
    target: targetAt(new URL('http://in-memory')),
    wipe: () => tokens.clear(),
    async exchange(connection, request) {
      const where = `${request.method} ${text(request.path)}`;
      const authorization = request.headers.filter(([name]) => name === 'Authorization');
      const token = /^Bearer (\S+)$/.exec(text(authorization[0]?.[1]))?.[1];
      requests.push(where);
      if (token !== undefined) shown.push({ host: connection.origin.host, token });
      const reply = provider.answer?.(where, token) ?? right(where, token, request);
      return {
        status: 200,
        headers: [
          ['Content-Type', 'application/json'],
          ['Date', new Date(time.wall()).toUTCString()],
        ],
        body: Buffer.alloc(0),
        phases: { resolve: 0, connect: 0.001, tls: 0, processing: 0.002, transfer: 0 },
        ...reply,
      };
    },
  };
  return provider;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Refuses every connection. */
export const down = (): never => {
  throw new UnreachableError('connect', 'GET /', 'ECONNREFUSED');
};
