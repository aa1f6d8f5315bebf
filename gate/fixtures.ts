import { test as base, expect } from '@playwright/test';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, type Service } from '../contract/http/client.ts';
import type { CallOptions, Endpoint } from '../contract/http/request.ts';
import type { Account, Token } from '../contract/secrets/secret.ts';
import type { Clock } from '../contract/time/clock.ts';
import { OwnContract } from './own-contract.ts';
import { failureOf, test as roundTest } from './probe-tests.ts';

export { expect };

/** What a team's own tests can do with the provider. Secrets are a type that prints nothing. */
export interface Api {
  /** A token, new or repeated. */
  token(): Promise<Token>;
  /** Calls an endpoint with a token, or without one. */
  call(endpoint: Endpoint, token?: Token, options?: CallOptions): Promise<Answer>;
}

interface Fixtures {
  api: Api;
  account: Account;
  endpoints: readonly [Endpoint, ...Endpoint[]];
  /** Simulated time. Without a test clock the test is skipped. */
  clock: Clock;
  contract: OwnContract;
  /** Our client. If the provider cannot be judged the test is skipped. */
  service: Service;
}

/** Playwright's `test` with the provider that this run judges. */
export const test = roundTest.extend<Fixtures>({
  service: async ({ round }, use) => {
    const service = await round.service();
    base.skip(service === undefined, round.unjudged());
    if (service !== undefined) await use(service);
  },
  api: ({ round, service }, use) =>
    use({
      token: () => service.issue(round.target.account),
      call: (endpoint, token, options) =>
        service.call(endpoint, { ...(token && bearer(token)), ...options }),
    }),
  account: ({ round }, use) => use(round.target.account),
  endpoints: ({ round }, use) => use(round.target.endpoints),
  clock: async ({ round }, use) => {
    await round.service();
    const simulated = round.time?.run([use]);
    base.skip(simulated === undefined, 'no test clock');
    await simulated;
  },
  contract: async ({ round, service }, use, { title }) => {
    const contract = new OwnContract(title, service, round);
    await use(contract);
    const { findings, unproven } = contract.result();
    if (findings.length > 0) throw await failureOf([contract.result()], false);
    base.skip(unproven !== undefined, unproven);
  },
});
