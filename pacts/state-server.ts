/** `npm run pact:states`: the provider states of this project, for any Pact verifier. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { readCommandLine } from '../config/command-line.ts';
import { loadPactSettings, loadSettings } from '../config/settings.ts';
import { print, runCommand, UserError } from '../contract/command.ts';
import { providerUnderTest } from '../gate/under-test.ts';
import { exactOrUndefined } from './exact.ts';
import { endedEarly, interruptedBy } from './interruption.ts';
import { blank } from './pact.ts';
import { canonicalState } from './states.ts';
import { InteractionEnd } from './verification.ts';
import { jsonAnswer, openLocalServer } from './verify/local-server.ts';
import { Provider, reasonOfFailure } from './verify/provider.ts';
import { stateHandler } from './verify/state-handler.ts';
import { setUpStates } from './verify/state-setup.ts';

const help = `npm run pact:states -- --port 9494

Serves the provider states for PUBLIC_API_BASE_URL on 127.0.0.1, to verifiers of other languages, until Ctrl-C.
The answers are real credentials. States of your own are forwarded to PACT_STATES_URL.
`;
const signal = endedEarly();

async function main(args: readonly string[]): Promise<number> {
  const { values } = readCommandLine('npm run pact:states', {
    args: [...args],
    options: { port: { type: 'string', default: '9494' } },
  });
  const settings = loadSettings();
  if (settings.provider === undefined) throw new UserError('no PUBLIC_API_BASE_URL is set');
  const { statesUrl: url, headers } = loadPactSettings();
  const { target } = await providerUnderTest(settings, headers);
  const provider = new Provider(target, signal, url && stateHandler(url, target.connection));
  const reason = await reasonOfFailure(provider.check());
  if (reason !== undefined) throw new UserError(reason);
  // The provider has one clock and one set of data: one change at a time.
  let last: Promise<unknown> = Promise.resolve();
  const server = await openLocalServer((request, body) => {
    const answer = last.then(() => answerTo(request, body, provider));
    last = answer;
    return answer;
  }, Number(values.port)).catch(({ message }: Error) => {
    throw new UserError(`${message}: --port selects another port, 0 any`);
  });
  print(`states    ${server.origin}/\nCtrl-C ends it.\n`);
  if (!signal.aborted) await once(signal, 'abort');
  server.close();
  await provider.time?.release();
  throw signal.reason;
}

async function answerTo(request: IncomingMessage, body: Buffer, provider: Provider) {
  const { method, headers } = request;
  // The answers hold credentials: a web page can send neither this type without a preflight, nor this host.
  const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(headers.host ?? '');
  if (method !== 'POST' || !isLocal || !/\bjson\b/i.test(headers['content-type'] ?? ''))
    return jsonAnswer(403, {});
  const { state: name, params, action } = Object(exactOrUndefined(body.toString()));
  if (typeof name !== 'string') return jsonAnswer(400, {});
  const states = name === '' ? [] : [canonicalState({ name, parameters: Object(params) })];
  const asked = { ...blank, method: 'GET', states };
  try {
    if (action === 'setup') return jsonAnswer(200, await setUpStates(asked, provider));
    const [failure] = (await provider.stateHandler?.tearDown()) ?? [];
    if (failure !== undefined) throw InteractionEnd.unverified(failure);
    return jsonAnswer(200, {});
  } catch (error) {
    // Verifiers retry for minutes after a 5xx status.
    return jsonAnswer(422, { error: provider.client.scrub(String(Object(error).message)) });
  }
}

await runCommand(
  (args) => main(args).catch((error: unknown) => interruptedBy(error, signal)),
  help,
);
