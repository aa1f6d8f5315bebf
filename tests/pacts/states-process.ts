import { sandboxEndpoints } from '../../sandbox/provider.ts';
import { test as base } from '../gate/process.ts';
import { type Environment, ours, startNode } from '../process.ts';

/** `npm run pact:states` in its own process. */
export type States = ReturnType<typeof startNode>;

/** The endpoints of the sandbox as a setting. */
export const allEndpoints = {
  PUBLIC_API_ENDPOINTS: sandboxEndpoints.map((one) => `${one.method} ${one.path}`).join(),
};

/** Tests of the command call it in a folder of their own. */
export const test = base.extend<{
  states: (env: Environment, args?: readonly string[]) => States;
}>({
  states: async ({ folder }, use) => {
    const main = ours('pacts/state-server.ts');
    await use((env, args = ['--port', '0']) => startNode(folder, [main, ...args], env));
  },
});

/** The address at which it serves. */
export const addressOf = async (states: States): Promise<string> =>
  (await states.line(/^states +(\S+)/m)) ?? '';
