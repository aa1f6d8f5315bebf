import { once } from 'node:events';
import net from 'node:net';
import { Secret } from '../../contract/secrets/secret.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';
import { planted } from '../planted.ts';

/** Credentials that are easy to find wherever they leak. */
export const account = { apiKey: 'planted-KEY-7ae1c9', secretKey: 'planted-SECRET-"55&f0<b2' };

/** Every token begins like this. */
export const tokenMark = 'plantedTOKEN';

for (const text of [...Object.values(account), tokenMark]) planted.add(text);

/** A provider whose behaviour can change while it runs. */
export interface Provider extends Sandbox {
  /** From now on behaves correctly except for these decisions. */
  become(change: Partial<Behaviour>): void;
  readonly target: WatchedTarget;
  /** How many requests the token endpoint has answered. */
  issued(): number;
}

let minted = 0;

export async function startProvider(port = 0): Promise<Provider> {
  let issued = 0;
  const usual: Behaviour = {
    ...right,
    // All tokens have the same length: a change of it is an observation, which raises an alert.
    mint: (state, now) =>
      `${tokenMark}${minted++}x${right.mint(state, now).replaceAll('-', 'A')}`.slice(0, 50),
    valid(given, state) {
      issued += 1;
      return right.valid(given, state);
    },
  };
  const behaviour = { ...usual };
  const sandbox = await startSandbox({ behaviour, account, port });
  return {
    ...sandbox,
    become: (change) => void Object.assign(behaviour, usual, change),
    issued: () => issued,
    target: targetAt(sandbox.baseUrl),
  };
}

export function targetAt(origin: URL): WatchedTarget {
  return {
    name: 'under-test',
    connection: { origin, timeoutMs: 2_000, maxBodyBytes: 65_536 },
    account: { apiKey: new Secret(account.apiKey), secretKey: new Secret(account.secretKey) },
    endpoints: [
      { method: 'GET', path: '/public-api/v1/widgets' },
      { method: 'POST', path: '/public-api/v1/reports' },
    ],
  };
}

/** An address that accepts requests and never answers them. */
export async function startSilence() {
  const sockets = new Set<net.Socket>();
  const server = net.createServer();
  const asked = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      sockets.add(socket.on('error', () => {}).once('data', () => resolve()));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    origin: new URL(`http://127.0.0.1:${port}`),
    /** Resolves with the first request. */
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** An address without a listener, now and later. A port that was free a moment ago may be another test's now. */
export const closedPort = new URL('http://127.0.0.1:1');

/** The behaviour of the provider of a target that admits every request. */
export const lettingEverybodyIn: Partial<Behaviour> = { guard: () => undefined };

/** It admits requests without a token. To a wrong token it returns the last valid one, and the secret key. */
export const leaky: Partial<Behaviour> = {
  guard(call, state, self) {
    const cause = right.guard(call, state, self);
    return cause === 'missing' ? undefined : cause;
  },
  unauthorised: (_cause, _call, { tokens }) => ({
    status: 401,
    json: { success: false, message: `${[...tokens.keys()].at(-1)} ${account.secretKey}` },
  }),
};

/** A gateway that reports that its service is unavailable. */
export const unavailable: Partial<Behaviour> = { finish: () => ({ status: 503, body: 'down' }) };
