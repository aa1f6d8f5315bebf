import path from 'node:path';
import { PactV4 } from '@pact-foundation/pact';
import { test as base, expect } from '@playwright/test';
import { type ApiClient, openClient } from '../../../contract/http/client.ts';
import { Pace } from '../../../contract/http/pace.ts';
import { type Account, Secret } from '../../../contract/secrets/secret.ts';
import { placeholders } from '../../../pacts/states.ts';

/** The monitor's own client, connected to the mock server of a pact. */
interface Client {
  readonly client: ApiClient;
  readonly account: Account;
}

/** Pact reports its usage unless this is set. */
process.env.PACT_DO_NOT_TRACK = 'true';

/** Tests get the `pact` of the monitor. It is written below the folder that Playwright empties at its start. */
export const test = base.extend<{ pact: PactV4 }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  pact: async ({}, use, { project }) => {
    await use(
      new PactV4({
        consumer: 'public-api-monitor',
        provider: 'public-api',
        dir: path.join(project.outputDir, 'pacts'),
        logLevel: 'error',
      }),
    );
  },
});

/** The client of a mock server. All values that it knows are placeholders. */
export function clientOf({ url }: { readonly url: string }): Client {
  const account = {
    apiKey: new Secret(placeholders.apiKey),
    secretKey: new Secret(placeholders.secretKey),
  };
  const connection = { origin: new URL(url), timeoutMs: 5000, maxBodyBytes: 1_000_000 };
  const pace = new Pace({ maxRetryAfterMs: 0 });
  return { client: openClient({ connection, account, pace, now: () => 0 }), account };
}

export { expect };
