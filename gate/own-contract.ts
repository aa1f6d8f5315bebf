import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, type Service } from '../contract/http/client.ts';
import { type CallOptions, type Endpoint, endpointName } from '../contract/http/request.ts';
import { Contract } from '../contract/judge/contract.ts';
import type { Probe } from '../contract/probe.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import type { Account, Token } from '../contract/secrets/secret.ts';

/** A request, and what is special about it: a finding names that. */
export interface OwnRequest extends CallOptions {
  readonly reason?: string;
}

/** What the contract of a test needs. */
interface OwnRun {
  /** The test's title. */
  readonly title: string;
  readonly service: Service;
  readonly account: Account;
  readonly scrub: (text: string) => string;
  /** Whether there is a test clock, so that ages of tokens are meaningful. */
  readonly simulated: boolean;
}

/**
 * Judges the answers in a team's own test as those in a probe. It asks again before an unexpected answer becomes a
 * finding, and never stops at the first one. What it finds fails the test at its end. Each method that sends throws
 * `Unreachable`.
 */
export class OwnContract {
  readonly #run: OwnRun;
  readonly #contracts = new Map<Endpoint, Contract>();

  constructor(run: OwnRun) {
    this.#run = run;
  }

  /** The endpoint admits a request with this token: any answer but 401 is right. */
  admits(
    endpoint: Endpoint,
    token: Token,
    { reason, ...request }: OwnRequest = {},
  ): Promise<Answer> {
    return this.#on(endpoint).admits({ ...request, ...bearer(token) }, 'BEARER-1', reason);
  }

  /** The endpoint refuses a request, as `refusesEach` says. */
  refuses(endpoint: Endpoint, request: OwnRequest = {}, clause?: MustId): Promise<void> {
    return this.refusesEach(endpoint, [request], clause);
  }

  /**
   * The endpoint refuses each request with 401 and its envelope. Before it the control is sent: the same request with
   * a valid token.
   * @param clause what is violated if a request is admitted
   * @throws NoToken
   */
  async refusesEach(
    endpoint: Endpoint,
    requests: readonly OwnRequest[],
    clause: MustId = 'BEARER-2',
  ): Promise<void> {
    const token = await this.#run.service.issue(this.#run.account);
    for (const { reason = 'it has no valid token', ...request } of requests) {
      const control = await this.admits(endpoint, token, request);
      if (control.status !== 401)
        await this.#on(endpoint).refuses(request, clause, { control, reason });
    }
  }

  /** What it found, for each endpoint with a finding. */
  failed(): ProbeResult[] {
    const { title: name } = this.#run;
    const probe: Probe = {
      name,
      clauses: [],
      scope: 'service',
      stage: 'present',
      run: async () => {},
    };
    return [...this.#contracts]
      .filter(([, { record }]) => record.findings.length > 0)
      .map(([endpoint, { record }]) => ({
        ...record,
        probe,
        endpoint: endpointName(endpoint),
        outcome: 'failed',
        durationSeconds: 0,
      }));
  }

  /** Why the test proves nothing; undefined if it does. */
  unproven(): string | undefined {
    return [...this.#contracts.values()].flatMap(({ record }) => record.unproven ?? [])[0];
  }

  #on(endpoint: Endpoint): Contract {
    const { title: probe, account: _, ...run } = this.#run;
    const known = this.#contracts.get(endpoint);
    const contract =
      known ?? new Contract({ ...run, probe, endpoint, endpointName: endpointName(endpoint) });
    this.#contracts.set(endpoint, contract);
    return contract;
  }
}
