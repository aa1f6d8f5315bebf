import type { Connection } from '../../contract/http/connections.ts';
import { exchange } from '../../contract/http/exchange.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { isObject } from '../../contract/json-value.ts';
import { exactOrUndefined, leavesIn } from '../exact.ts';
import type { GivenState } from '../states.ts';
import { InteractionEnd } from '../verification.ts';

export type StateHandler = ReturnType<typeof stateHandler>;

/**
 * The provider team's own state handler. It has the HTTP interface that all Pact verifiers use.
 * @param onValue called with each text or number of the values, before it can be shown
 */
export function stateHandler(
  origin: URL,
  { timeoutMs, ca, proxies, ...provider }: Connection,
  onValue: (text: string) => void = () => {},
) {
  // A gateway before the provider is before its state handler too, and no other host may see its keys.
  const headers = origin.origin === provider.origin.origin ? provider.headers : undefined;
  const connection = { origin, timeoutMs, ca, proxies, headers, maxBodyBytes: 2 ** 20 };
  const due: GivenState[] = [];
  return {
    /** @returns the values of a state @throws InteractionEnd (unverified) */
    async setUp(state: GivenState): Promise<Record<string, unknown>> {
      const answer = exactOrUndefined(await send(connection, state, 'setup'));
      // Some frameworks answer with `OK`, `null` or a page.
      const values = isObject(answer) ? answer : {};
      due.push(state);
      for (const { text } of leavesIn(values)) onValue(text);
      return values;
    },
    /** Tears down the states set up since the last call. @returns a line about each that failed */
    async tearDown(): Promise<string[]> {
      const failures: string[] = [];
      for (const state of due.splice(0))
        await send(connection, state, 'teardown').catch((error: unknown) => {
          if (!(error instanceof InteractionEnd)) throw error;
          failures.push(error.message);
        });
      return failures;
    },
  };
}

/** @returns the body of the answer @throws InteractionEnd, which does not quote it: it may hold secrets */
async function send(connection: Connection, state: GivenState, action: string): Promise<string> {
  const { pathname, search } = connection.origin;
  const request = {
    method: 'POST',
    path: pathname + search,
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: JSON.stringify({ state: state.name, params: state.parameters, action }),
  } as const;
  const where = `the state handler (PACT_STATES_URL), ${action} of ${JSON.stringify(state.name)}`;
  try {
    const { status, body } = await exchange(connection, request, where);
    if (status >= 200 && status < 300) return body.toString();
    throw InteractionEnd.unverified(`${where}: it answers ${status}`);
  } catch (error) {
    throw error instanceof UnreachableError ? InteractionEnd.unverified(error.message) : error;
  }
}
