/** `npm run pact:states`: the provider states of this project, for any Pact verifier. */
import { print, runCommand } from '../../contract/command.ts';
import { endedEarly, Interruption } from '../../contract/round/interruption.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { UserError } from '../../contract/user-error.ts';
import { providerUnderTest } from '../../gate/under-test.ts';
import { readCommandLine, readPort } from '../../settings/command-line.ts';
import { loadPactSettings, loadSettings } from '../../settings.ts';
import type { LocalServer } from '../verify/local-server.ts';
import { Provider, reasonOfFailure } from '../verify/provider.ts';
import { stateHandler } from '../verify/state-handler.ts';
import { openStateServer } from './server.ts';

const help = `npm run pact:states

Serves the provider states of this project on 127.0.0.1, for Pact's verifiers of other languages, until Ctrl-C.
Give its address to the verifier as the state change URL, and the provider's address as usual. The answers are real
credentials and tokens of the account in the settings.

  npm run pact:states -- --port 9495     on that port (9494 by default); 0 selects any free port

Settings are read from the environment and from .env:
  PUBLIC_API_BASE_URL     the provider, and the other settings of the gate
  PUBLIC_API_CLOCK_URL    its test clock, or PUBLIC_API_CLOCK_FILE, for tokens of a given age
  PACT_STATES_URL         the provider's own state handler: states that this project does not know go there

Exit codes: 0 after Ctrl-C · 2 when it cannot be started · 3 a defect of this suite
`;

async function main(args: readonly string[]): Promise<number> {
  const { values } = readCommandLine('npm run pact:states', {
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      port: { type: 'string', default: '9494' },
    },
  });
  if (values.help) return print(help);
  await serve(readPort(values.port));
  return 0;
}

async function serve(port: number): Promise<void> {
  const settings = loadSettings();
  if (settings.provider === undefined)
    throw new UserError(
      'no provider is set, and a verifier cannot reach the sandbox of this process: set PUBLIC_API_BASE_URL, or run npm run sandbox -- --env .env first',
    );
  const { target, name } = await providerUnderTest(settings);
  const { statesUrl } = loadPactSettings();
  const signal = endedEarly();
  const handler = statesUrl && stateHandler(statesUrl, target.connection);
  const provider = new Provider(target, signal, handler);
  const server = await start(provider, port).catch((error: unknown) => {
    if (!(signal.reason instanceof Interruption)) throw error;
  });
  if (server === undefined) return;
  printLines(`states    ${server.origin}/\nprovider  ${name}\nCtrl-C ends it.`);
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve);
  });
  server.close();
  // Releases the provider's clock if it was set.
  await provider.time?.release();
  if (!(signal.reason instanceof Interruption)) throw signal.reason;
}

/** Why a port cannot be opened, by the error's code. */
const portErrors: Readonly<Record<string, string>> = {
  EACCES: 'needs a privilege that this user lacks',
  EADDRINUSE: 'is in use',
};

/** Checks the provider, and opens the server. The signal ends this too. */
async function start(provider: Provider, port: number): Promise<LocalServer> {
  const reason = await reasonOfFailure(provider.check());
  if (reason !== undefined) throw new UserError(reason);
  return openStateServer(provider, { port, onChange: printLines }).catch(
    (error: NodeJS.ErrnoException) => {
      const why = portErrors[error.code ?? ''];
      if (why === undefined) throw error;
      throw new UserError(`127.0.0.1:${port} ${why}: --port selects another port, 0 any`);
    },
  );
}

const printLines = (text: string): void => {
  for (const line of text.split('\n')) print(`${printable(line)}\n`);
};

await runCommand(main);
