import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxEndpoints } from '../../sandbox/provider.ts';
import { test as base } from '../gate/process.ts';
import { type Environment, fromRoot, startNode } from '../process.ts';

interface StandardOptions {
  readonly folder: string;
  readonly files: readonly string[];
  readonly provider: URL;
  readonly statesUrl: string;
  /** Sent with every request, in place of the pact's: teams supply tokens this way before version 3. */
  readonly header?: string;
}

const program = fileURLToPath(
  import.meta.resolve('@pact-foundation/pact-cli/bin/pact-verifier.js'),
);

/**
 * Runs `pact-verifier`, which teams with other languages use, on pact files against a provider.
 * @returns with its result for each interaction, in the order of the files
 */
export async function standardVerifier(options: StandardOptions) {
  const { folder, files, provider, statesUrl, header } = options;
  const report = path.join(folder, 'standard.json');
  const args = [
    ...files.flatMap((file) => ['--file', file]),
    ...['--hostname', provider.hostname, '--port', provider.port],
    ...['--provider-name', 'public-api', '--state-change-url', statesUrl],
    ...(header === undefined ? [] : ['--header', header]),
    ...['--state-change-teardown', '--json', report, '--no-colour'],
  ];
  const { exit, stdout, stderr } = await startNode(folder, [program, ...args], {
    PACT_DO_NOT_TRACK: 'true',
  }).ended;
  const { interactionResults } = JSON.parse(await readFile(report, 'utf8'));
  const results: { description: string; result: 'OK' | 'Error' }[] = interactionResults;
  return { exit, output: stdout + stderr, results };
}

/** `npm run pact:states` in its own process. */
export type States = ReturnType<typeof startNode>;

/** The endpoints of the sandbox as a setting. */
export const allEndpoints = {
  PUBLIC_API_ENDPOINTS: sandboxEndpoints
    .map((endpoint) => `${endpoint.method} ${endpoint.path}`)
    .join(),
};

/** Tests of the command call it in a folder of their own. */
export const test = base.extend<{
  states: (env: Environment, args?: readonly string[]) => States;
}>({
  states: async ({ folder }, use) => {
    const main = fromRoot('pacts/state-server.ts');
    await use((env, args = ['--port', '0']) => startNode(folder, [main, ...args], env));
  },
});

/** The address at which it serves. */
export const findAddress = async (states: States): Promise<string> =>
  (await states.line(/^states +(\S+)/m)) ?? '';
