import { test as base, expect } from '@playwright/test';
import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, type Service } from '../contract/http/client.ts';
import type { CallOptions, Endpoint } from '../contract/http/request.ts';
import { Contract } from '../contract/judge/contract.ts';
import type { Account, Token } from '../contract/secrets/secret.ts';
import type { Clock } from '../contract/time/clock.ts';
import { describeFailure, test as roundTest } from './probe-tests.ts';

export { expect };

/** What a team's own tests can do with the provider. Secrets are a type that prints nothing. */
export interface Api {
  /** A token, new or repeated. */
  token(): Promise<Token>;
  /** Calls an endpoint with a token, or without one. */
  call(endpoint: Endpoint, token?: Token, options?: CallOptions): Promise<Answer>;
}

/** A request, and what is special about it: a finding names that. */
export interface OwnRequest extends CallOptions {
  readonly reason?: string;
}

interface Fixtures {
  api: Api;
  account: Account;
  endpoints: readonly [Endpoint, ...Endpoint[]];
  /** Simulated time. Without a test clock the test is skipped. */
  clock: Clock;
  contract: ReturnType<typeof ownContract>;
  /** Our client. If the provider cannot be judged the test is skipped. */
  service: Service;
}

/** Playwright's `test` with the provider that this run judges. */
export const test = roundTest.extend<Fixtures>({
  service: async ({ round }, use) => {
    const service = await round.service();
    base.skip(service === undefined, round.facts.unjudged);
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
  contract: async ({ api, round, service }, use, { title }) => {
    const { scrub } = round.client;
    const { endpoints, clock } = round.target;
    const context = { probe: title, endpointName: '', scrub, simulated: clock !== undefined };
    const contract = new Contract({ ...context, endpoint: endpoints[0], service });
    await use(ownContract(contract, api));
    const { findings, unproven } = contract.record;
    if (findings.length > 0) throw await describeFailure(findings);
    base.skip(unproven !== undefined, unproven);
  },
});

/**
 * Judges the answers in a team's own test as those in a probe. It asks again before an unexpected answer becomes a
 * finding, and never stops at the first one. What it finds fails the test at its end. Each method throws `UnreachableError`.
 */
function ownContract(contract: Contract, api: Api) {
  const own = {
    /** The endpoint admits a request with this token: any answer but 401 is right. */
    admits: (to: Endpoint, token: Token, { reason, ...request }: OwnRequest = {}) =>
      contract.admits({ to, ...request, ...bearer(token) }, 'BEARER-1', reason),
    /** The endpoint refuses a request, as `refusesEach` says. */
    refuses: (to: Endpoint, request: OwnRequest = {}, clause?: MustId) =>
      own.refusesEach(to, [request], clause),
    /**
     * The endpoint refuses each request with 401 and its envelope. Before it the control is sent: the same request with
     * a valid token. @param clause what is violated if a request is admitted @throws NoTokenError
     */
    async refusesEach(
      to: Endpoint,
      requests: readonly OwnRequest[],
      clause: MustId = 'BEARER-2',
    ): Promise<void> {
      const token = await api.token();
      for (const { reason = 'it has no valid token', ...request } of requests) {
        const control = await own.admits(to, token, request);
        if (control.status !== 401)
          await contract.refuses({ to, ...request }, clause, { control, reason });
      }
    },
  };
  return own;
}
