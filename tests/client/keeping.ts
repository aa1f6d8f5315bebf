import { test as base, expect } from '@playwright/test';
import type { ApiClient } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { type Rejection, TokenClient } from '../../monitor/target/token-client.ts';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import type { Sandbox } from '../../sandbox/provider.ts';
import { sandboxAccount, sandboxEndpoints, startSandbox } from '../../sandbox/provider.ts';
import { clientOf } from './stage.ts';

/** The sandbox, the requests to its token endpoint, and a caller that keeps one of its tokens. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly exchanges: Call[];
  readonly tokenClient: TokenClient;
  readonly unexpected: Rejection[];
  readonly open: (secrets?: readonly Secret[]) => ApiClient;
}

export const account = {
  apiKey: new Secret(sandboxAccount.apiKey),
  secretKey: new Secret(sandboxAccount.secretKey),
};
export const endpoints: readonly Endpoint[] = sandboxEndpoints;
export const first: Endpoint = endpoints[0] ?? { method: 'GET', path: '/' };

/** Tests of kept tokens get `start`, which starts the sandbox. It is closed when the test ends. */
export const test = base.extend<{ start: (behaviour?: Behaviour) => Promise<Stage> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  start: async ({}, use) => {
    const sandboxes: Sandbox[] = [];
    await use(async (behaviour = right) => {
      const exchanges: Call[] = [];
      const sandbox = await startSandbox({
        behaviour: {
          ...behaviour,
          arrived(call, state) {
            if (call.body.includes('secretKey')) exchanges.push(call);
            return behaviour.arrived(call, state);
          },
        },
      });
      sandboxes.push(sandbox);
      const now = () => sandbox.clock.now();
      const open = (secrets: readonly Secret[] = []): ApiClient =>
        clientOf({ origin: sandbox.baseUrl }, { account, secrets, now });
      const unexpected: Rejection[] = [];
      const tokenClient = new TokenClient({
        service: open(),
        account,
        now,
        onUnexpected: (rejection) => unexpected.push(rejection),
      });
      return { sandbox, exchanges, tokenClient, unexpected, open };
    });
    for (const sandbox of sandboxes) await sandbox.close();
  },
});

export { expect };
