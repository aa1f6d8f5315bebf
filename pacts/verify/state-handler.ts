import { header } from '../../contract/http/answer.ts';
import type { Connection } from '../../contract/http/connections.ts';
import { exchange } from '../../contract/http/exchange.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { isObject } from '../../contract/json-value.ts';
import { parsedExactly } from '../exact.ts';
import type { GivenState } from '../states.ts';
import { InteractionEnd } from './visit.ts';

/** The values that a state handler returns for a state. */
interface HandlerValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** Every text in the values at any depth, with the nearest name. Numbers are in it as text. */
  readonly texts: readonly (readonly [name: string, text: string])[];
}

/** The provider team's own state handler. It has the HTTP interface that all Pact verifiers use. */
export interface StateHandler {
  /** Sets a state up. @returns its values @throws InteractionEnd (unverified) */
  setUp(state: GivenState): Promise<HandlerValues>;
  /** Tears down the states set up since the last call. @returns the reason if a teardown failed */
  tearDown(): Promise<string | undefined>;
}

/**
 * The state handler at an address.
 * @param onValue called with each value before it can be shown, because it may be a secret
 */
export function stateHandler(
  origin: URL,
  { timeoutMs, ca, proxies }: Pick<Connection, 'timeoutMs' | 'ca' | 'proxies'>,
  onValue: (text: string) => void = () => {},
): StateHandler {
  const connection = { origin, timeoutMs, ca, proxies, maxBodyBytes: 2 ** 20 };
  const due: GivenState[] = [];
  return {
    async setUp(state) {
      const values = await send(connection, state, 'setup');
      due.push(state);
      const texts = textsIn(values);
      for (const [, text] of texts) onValue(text);
      return { values, texts };
    },
    async tearDown() {
      let failure: string | undefined;
      for (const state of due.splice(0))
        await send(connection, state, 'teardown').catch((error: unknown) => {
          if (!(error instanceof InteractionEnd)) throw error;
          failure ??= error.message;
        });
      return failure;
    },
  };
}

async function send(
  connection: Connection,
  { name, parameters }: GivenState,
  action: 'setup' | 'teardown',
): Promise<Record<string, unknown>> {
  const fail = (what: string): InteractionEnd =>
    InteractionEnd.unverified(
      `the state handler ${what} (${action} of ${JSON.stringify(name)}, PACT_STATES_URL)`,
    );
  const body = JSON.stringify({ state: name, params: parameters, action });
  const { pathname, search } = connection.origin;
  const headers = [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json'],
  ] as const;
  const request = { method: 'POST', path: pathname + search, headers, body };
  const answer = await exchange(connection, request, 'state handler').catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
    throw fail(`failed: ${error.message.replace(/^state handler: /, '')}`);
  });
  if (answer.status < 200 || answer.status > 299) throw fail(`answers ${answer.status}`);
  // Errors do not quote the body: it may contain secret values.
  const text = answer.body.toString().trim();
  if (action === 'teardown' || holdsNothing(text, header(answer, 'content-type'))) return {};
  const values = parsed(text);
  if (!isObject(values) || JSON.isRawJSON(values))
    throw fail('answers with something else than a JSON object');
  return values;
}

/** Some frameworks answer with `OK` as plain text, or with `null`, where a handler returns nothing. */
const holdsNothing = (text: string, type = ''): boolean =>
  text === '' || text === 'null' || (/^text\/plain\b/i.test(type) && /^[^<{[]/.test(text));

/**
 * The value of a JSON text, whose numbers keep their spelling: they may be 64-bit integers. Undefined for invalid JSON,
 * and for JSON that is nested too deeply for this process.
 */
function parsed(json: string): unknown {
  try {
    const value = parsedExactly(json);
    textsIn(value);
    return value;
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): [string, string][] {
  const texts: [string, string][] = [];
  let nearest = '';
  JSON.stringify(value, (name, inner: unknown) => {
    if (!/^\d*$/.test(name)) nearest = name;
    if (typeof inner === 'string') texts.push([nearest, inner]);
    if (typeof inner === 'number' || JSON.isRawJSON(inner))
      texts.push([nearest, JSON.stringify(inner)]);
    return inner;
  });
  return texts;
}
