import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, type Service } from '../contract/http/client.ts';
import { type CallOptions, type Endpoint, endpointName } from '../contract/http/request.ts';
import { Contract } from '../contract/judge/contract.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import type { Token } from '../contract/secrets/secret.ts';
import type { WorkerRound } from './worker-round.ts';

/** A request, and what is special about it: a finding names that. */
export interface OwnRequest extends CallOptions {
  readonly reason?: string;
}

/**
 * Judges the answers in a team's own test as those in a probe. It asks again before an unexpected answer becomes a
 * finding, and never stops at the first one. What it finds fails the test at its end. Each method that sends throws
 * `Unreachable`.
 */
export class OwnContract {
  readonly #title: string;
  readonly #service: Service;
  readonly #round: WorkerRound;
  readonly #contracts = new Map<Endpoint, Contract>();

  constructor(title: string, service: Service, round: WorkerRound) {
    this.#title = title;
    this.#service = service;
    this.#round = round;
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
    const token = await this.#service.issue(this.#round.target.account);
    for (const { reason = 'it has no valid token', ...request } of requests) {
      const control = await this.admits(endpoint, token, request);
      if (control.status !== 401)
        await this.#on(endpoint).refuses(request, clause, { control, reason });
    }
  }

  /** The result of the test, as if it were a probe. */
  result(): ProbeResult {
    const records = [...this.#contracts.values()].map(({ record }) => record);
    const findings = records.flatMap((record) => record.findings);
    return {
      probe: {
        name: this.#title,
        clauses: [],
        scope: 'service',
        stage: 'present',
        run: async () => {},
      },
      endpoint: '',
      outcome: findings.length > 0 ? 'failed' : 'passed',
      findings,
      observations: [],
      unproven: records.find(({ unproven }) => unproven !== undefined)?.unproven,
      durationSeconds: 0,
    };
  }

  #on(endpoint: Endpoint): Contract {
    const { scrub, target } = this.#round;
    const contract =
      this.#contracts.get(endpoint) ??
      new Contract({
        probe: this.#title,
        endpoint,
        endpointName: endpointName(endpoint),
        service: this.#service,
        scrub,
        simulated: target.clock !== undefined,
      });
    this.#contracts.set(endpoint, contract);
    return contract;
  }
}
