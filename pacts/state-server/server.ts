import type { IncomingMessage } from 'node:http';
import { isObject } from '../../contract/json-value.ts';
import { exactOrUndefined } from '../exact.ts';
import { canonicalState, type GivenState, stateOf } from '../states.ts';
import {
  jsonAnswer,
  type LocalAnswer,
  type LocalServer,
  openLocalServer,
} from '../verify/local-server.ts';
import { type Provider, whyUnjudged } from '../verify/provider.ts';
import { revealed } from '../verify/secret-placeholders.ts';
import { obstacleToState, stateValues } from '../verify/state-setup.ts';
import { InteractionEnd } from '../verify/visit.ts';

/** A state that a verifier sets up or tears down. */
interface StateChange extends GivenState {
  readonly action: 'setup' | 'teardown';
}

interface StateServerOptions {
  /** By default any free port. */
  readonly port?: number;
  /** Called with a line about each change. The line holds no values. */
  readonly onChange?: (line: string) => void;
}

/**
 * Serves this project's provider states to any Pact verifier on this machine. The team's own states are forwarded to
 * its state handler. A verifier POSTs `{state, params, action}`, and the response is a JSON object of the values.
 * The values include real credentials.
 */
export async function openStateServer(
  provider: Provider,
  { port, onChange = () => {} }: StateServerOptions = {},
): Promise<LocalServer> {
  // The provider has one clock and one set of data: one change at a time.
  let last: Promise<unknown> = Promise.resolve();
  return openLocalServer((request, body) => {
    const answer = last.then(() => answerOf(request, body, provider, onChange));
    last = answer;
    return answer;
  }, port);
}

async function answerOf(
  request: IncomingMessage,
  body: Buffer,
  provider: Provider,
  onChange: (line: string) => void,
): Promise<LocalAnswer> {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return jsonAnswer(403, { error: refusal });
  const change = changeOf(body);
  if (change === undefined) return jsonAnswer(400, { error: expected });
  const what = `${change.action} of ${JSON.stringify(change.name)}`;
  try {
    const values = await changed(change, provider);
    onChange(what);
    return jsonAnswer(200, revealed(values));
  } catch (error) {
    const known = error instanceof InteractionEnd ? error.reason : whyUnjudged(error);
    const reason = provider.client.scrub(known ?? `a defect of this suite: ${error}`);
    onChange(`${what} failed: ${reason}`);
    // Verifiers retry for minutes after a 5xx status.
    return jsonAnswer(422, { error: reason });
  }
}

const expected =
  'POST {"state": …, "params": {…}, "action": "setup" or "teardown"} as application/json';

/**
 * Refuses requests of web pages, because the responses hold credentials. A page cannot send this Content-Type without
 * a CORS preflight, and cannot change the Host header.
 */
function refusalOf({ method, headers }: IncomingMessage): string | undefined {
  if (method !== 'POST' || !/^application\/json\b/i.test(headers['content-type'] ?? ''))
    return expected;
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(headers.host ?? '')
    ? undefined
    : 'this server answers only to 127.0.0.1 and localhost';
}

/** The numbers of its parameters keep their spelling: a state handler gets them as the verifier spells them. */
function changeOf(body: Buffer): StateChange | undefined {
  const change = exactOrUndefined(body.toString());
  if (!isObject(change)) return undefined;
  const { state, params, action } = change;
  const parameters = params ?? {};
  if (typeof state !== 'string' || !isObject(parameters) || JSON.isRawJSON(parameters))
    return undefined;
  if (action !== 'setup' && action !== 'teardown') return undefined;
  return { ...canonicalState({ name: state, parameters }), action };
}

/** Some verifiers send an empty state for an interaction without one. */
async function changed(change: StateChange, provider: Provider) {
  const { name, parameters, action } = change;
  if (name === '') return {};
  if (action === 'teardown') {
    const failure =
      stateOf(name) === undefined ? await provider.stateHandler?.tearDown() : undefined;
    if (failure !== undefined) throw InteractionEnd.unverified(failure);
    return {};
  }
  // The request of the interaction is unknown here.
  const method = String(parameters.method ?? 'GET').toUpperCase();
  const obstacle = obstacleToState(change, provider, method);
  if (obstacle !== undefined) throw InteractionEnd.unverified(obstacle);
  const [first] = provider.endpoints;
  const endpoint = provider.endpoints.find((one) => one.method === method) ?? first;
  return stateValues(change, endpoint, provider);
}
