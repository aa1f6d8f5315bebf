import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, type Service } from '../contract/http/client.ts';
import { type CallOptions, type Endpoint, endpointName } from '../contract/http/request.ts';
import { ProbeContract } from '../contract/judge/probe-contract.ts';
import type { Probe } from '../contract/probe.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import type { Account, Token } from '../contract/secrets/secret.ts';

/** A request, and what is special about it: a finding names that. */
export interface OwnRequest extends CallOptions {
  readonly reason?: string;
}

/**
 * Judges answers as probes do. It asks again before an unexpected answer becomes a finding, and never stops at the
 * first one. What it finds fails the test at its end.
 */
export interface OwnContract {
  /** The endpoint admits a request with this token: any answer but 401 is right. @throws Unreachable */
  admits(endpoint: Endpoint, token: Token, request?: OwnRequest): Promise<Answer>;
  /**
   * The endpoint refuses a request with 401 and its envelope. The control, the same request with a valid token, is sent
   * before it. @param clause what is violated if the request is admitted
   * @throws Unreachable, NoToken
   */
  refuses(endpoint: Endpoint, request?: OwnRequest, clause?: MustId): Promise<void>;
  /** The endpoint refuses each of these requests, as `refuses` says. */
  refusesEach(endpoint: Endpoint, requests: readonly OwnRequest[], clause?: MustId): Promise<void>;
}

/** What the contract of one test needs. */
interface OwnRun {
  readonly title: string;
  readonly service: Service;
  readonly account: Account;
  readonly scrub: (text: string) => string;
  /** Whether there is a test clock, so that ages of tokens are meaningful. */
  readonly simulated: boolean;
}

/** The contract of one test of a team. */
export class TestContract implements OwnContract {
  readonly #run: OwnRun;
  readonly #contracts = new Map<Endpoint, ProbeContract>();

  constructor(run: OwnRun) {
    this.#run = run;
  }

  admits(endpoint: Endpoint, token: Token, { reason, ...request }: OwnRequest = {}) {
    return this.#on(endpoint).admits({ ...request, ...bearer(token) }, 'BEARER-1', reason);
  }

  refuses(endpoint: Endpoint, request: OwnRequest = {}, clause: MustId = 'BEARER-2') {
    return this.refusesEach(endpoint, [request], clause);
  }

  async refusesEach(
    endpoint: Endpoint,
    requests: readonly OwnRequest[],
    clause: MustId = 'BEARER-2',
  ): Promise<void> {
    const token = await this.#run.service.issue(this.#run.account);
    for (const { reason = 'it has no valid token', ...request } of requests) {
      const control = await this.admits(endpoint, token, request);
      if (control.status === 401) continue;
      await this.#on(endpoint).refuses(request, clause, { control, reason });
    }
  }

  /** The results with a finding, one for each endpoint. */
  failed(): ProbeResult[] {
    const probe: Probe = {
      name: this.#run.title,
      clauses: [],
      scope: 'service',
      stage: 'present',
      run: async () => {},
    };
    return [...this.#contracts].flatMap(([endpoint, { record }]) =>
      record.findings.length === 0
        ? []
        : {
            ...record,
            probe,
            endpoint: endpointName(endpoint),
            outcome: 'failed' as const,
            durationSeconds: 0,
          },
    );
  }

  /** Why the test proves nothing; undefined if it does. */
  unproven(): string | undefined {
    return [...this.#contracts.values()].find(({ record }) => record.unproven)?.record.unproven;
  }

  #on(endpoint: Endpoint): ProbeContract {
    const { title, service, scrub, simulated } = this.#run;
    const contract =
      this.#contracts.get(endpoint) ??
      new ProbeContract({
        probe: title,
        endpointName: endpointName(endpoint),
        endpoint,
        service,
        scrub,
        simulated,
      });
    this.#contracts.set(endpoint, contract);
    return contract;
  }
}
