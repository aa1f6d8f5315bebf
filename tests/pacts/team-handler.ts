import http from 'node:http';
import { originOf } from '../client/stage.ts';

/** A verifier's request to a state handler. */
export interface StateChange {
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly action: 'setup' | 'teardown';
}

interface HandlerAnswer {
  readonly status?: number;
  readonly body?: unknown;
  /** By default JSON. */
  readonly type?: string;
}

/** A provider team's own state handler. */
export interface TeamHandler extends AsyncDisposable {
  readonly url: URL;
  /** `setup a widget`, in their order. */
  readonly changes: string[];
}

/** @param answer a text is sent as it is, anything else as JSON; for undefined there is no answer */
export async function teamHandler(
  answer: (change: StateChange) => HandlerAnswer | undefined,
): Promise<TeamHandler> {
  const changes: string[] = [];
  const server = http.createServer(async (request, response) => {
    const change: StateChange = JSON.parse((await request.toArray()).join(''));
    changes.push(`${change.action} ${change.state} ${JSON.stringify(change.params)}`);
    const given = answer(change);
    if (given === undefined) return;
    const { status = 200, body, type = 'application/json' } = given;
    response.writeHead(status, { 'Content-Type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL('/_pact/states?key=1', originOf(server)),
    changes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
