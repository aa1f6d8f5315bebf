import { type Answer, serve } from './fake-broker.ts';

/** A verifier's request to a state handler. */
export interface StateChange {
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly action: 'setup' | 'teardown';
}

/** The answer to a request for a state; for undefined there is no response. */
export type Answers = (change: StateChange) => Answer | undefined | Promise<Answer>;

/** A provider team's own state handler. */
export interface TeamHandler extends AsyncDisposable {
  readonly url: URL;
  /** `setup a widget {}`, in their order. */
  readonly changes: string[];
}

export async function teamHandler(answer: Answers): Promise<TeamHandler> {
  const changes: string[] = [];
  const server = await serve(async ({ body }) => {
    const change: StateChange = JSON.parse(body);
    changes.push(`${change.action} ${change.state} ${JSON.stringify(change.params)}`);
    return (await answer(change)) ?? { hang: true };
  });
  return {
    url: new URL('/_pact/states?key=1', server.url),
    changes,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
