import { breach, isSuccess } from '../../contract/admission.ts';
import { seconds } from '../../contract/durations.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { type ApiClient, bearer } from '../../contract/http/client.ts';
import { type Endpoint, endpointName } from '../../contract/http/request.ts';
import { StoppedError } from '../../contract/http/unreachable.ts';
import { checkAlive } from '../../contract/round/preflight.ts';
import type { Secret, Token } from '../../contract/secrets/secret.ts';
import type { Time } from '../loop/time.ts';
import type { TracedClient } from '../round/traced-client.ts';
import { maintenanceIn, type WatchedTarget } from '../round/watched-target.ts';
import { ageAt, type Exchange, readClocks } from './age.ts';
import { applyCheck, type Canary, createCanary, forgetMaxAge, markLost } from './canary.ts';
import { isOdd, readAdmission, restoreControl, type SeenAnswer } from './evidence.ts';
import type { SeenTokens } from './seen-tokens.ts';
import type { Tolerance } from './verdict.ts';

export interface ClientContext {
  readonly openClient: (secrets?: readonly Secret[]) => Pick<TracedClient, 'client' | 'latestDate'>;
  readonly tokens: Pick<SeenTokens, 'findAnchor' | 'areReissued'>;
  readonly time: Time;
}

interface CheckedCanary extends SeenAnswer {
  readonly canary: Canary;
  readonly client: ApiClient;
}

/** How often a request is sent while its answer would count against the provider. */
const maxLooks = 4;

/** Sends the requests of canaries, and reads the clocks before and after each: the provider's by the `Date` of answers. */
export class CanaryClient {
  readonly #target: WatchedTarget;
  readonly #context: ClientContext;
  readonly #endpoint: Endpoint;

  constructor(target: WatchedTarget, context: ClientContext) {
    this.#target = target;
    this.#context = context;
    // If possible, the request of a check changes nothing at the provider.
    this.#endpoint = target.endpoints.find(({ method }) => method === 'GET') ?? target.endpoints[0];
  }

  /** Requests a token, and uses it once. @returns without `canary` when it is refused @throws UnreachableError, NoTokenError */
  async issue(): Promise<{ readonly token?: Secret; readonly canary?: Canary }> {
    const { openClient, tokens } = this.#context;
    const { client, latestDate } = openClient();
    const issue = () => client.issue(this.#target.account);
    const { result, ...exchange } = await this.#timed(latestDate, issue);
    const token = result.secret;
    const first = await client.call(this.#endpoint, bearer(result));
    // An answer of a proxy is not the endpoint's answer.
    const isUsual = isSuccess(first.status);
    const { status } = isUsual ? first : await client.call(this.#endpoint, bearer(result));
    if (status === 401) return { token };
    return { token, canary: createCanary(exchange, status, tokens.findAnchor(token)) };
  }

  /** Checks a canary, and again while the answer is unusual: it may come from a proxy. @throws UnreachableError */
  async check(canary: Canary, secret: Secret, tolerance: Tolerance): Promise<CheckedCanary> {
    const { tokens, time, openClient } = this.#context;
    const { maintenance } = this.#target;
    const { client, latestDate } = openClient([secret]);
    const use = () => client.call(this.#endpoint, bearer({ secret, madeAt: canary.madeAt }));
    const quoted = { endpointName: endpointName(this.#endpoint), scrub: client.scrub };
    const look = async (): Promise<CheckedCanary> => {
      const { result: answer, ...exchange } = await this.#timed(latestDate, use);
      const before = tokens.areReissued() ? forgetMaxAge(canary) : canary;
      const admitted = readAdmission(answer, before, ageAt(before.anchor, exchange), tolerance);
      const isDoubtful = maintenanceIn(maintenance, canary.admittedAt, time.wall()) !== undefined;
      const after = applyCheck(before, { ...exchange, admitted, isDoubtful }, tolerance);
      return { client, before, answer, ...after, ...quoted };
    };
    let latest = await look();
    for (let looks = 1; looks < maxLooks && isOdd(latest); looks += 1) latest = await look();
    return latest;
  }

  /**
   * Checks whether an answer has another cause than the canary's age: every request gets it (an outage, a maintenance
   * page, a proxy, a firewall), a new token ends the one before it, or the token may be older than it seems.
   * @returns the corrected canary if there is such a cause; undefined if the answer counts
   */
  async explainOtherwise(checkedCanary: CheckedCanary): Promise<Canary | undefined> {
    const { before, answer, check, client } = checkedCanary;
    const { verdict, admitted, phase } = check;
    const isViolation = verdict === 'early_reject' || verdict === 'late_accept';
    const isOddResult = isOdd(checkedCanary) && (admitted || phase === 'after');
    if (!isViolation && !isOddResult) return undefined;
    const isAlike = (control: Answer): boolean =>
      answer.status === 401 ? control.status === 401 : breach(answer, control) === 'nothing proven';
    try {
      if (!admitted) {
        const newToken = await client.issue(this.#target.account);
        const control = await client.call(this.#endpoint, bearer(newToken));
        // The control from a day ago does not show that the endpoint has changed, or refuses everybody now.
        if (isAlike(control) || isAlike(restoreControl(before, answer))) return before;
        if (verdict === 'early_reject') return await this.#checkReissue(checkedCanary, newToken);
      }
      if (answer.status !== 401) await checkAlive(client, this.#target.account, this.#endpoint);
      return undefined;
    } catch (error) {
      // If an expired token gets data, that counts also while the token endpoint cannot be judged.
      const isData = admitted && !isOddResult;
      return isData && !(error instanceof StoppedError) ? undefined : before;
    }
  }

  /** Whether newer tokens end a canary, or are repeated. @returns it corrected, if so @throws UnreachableError, NoTokenError */
  async #checkReissue(
    { before, client }: CheckedCanary,
    newToken: Token,
  ): Promise<Canary | undefined> {
    const { time, tokens } = this.#context;
    // Many providers have only one token per second: that does not show how they issue the others.
    await new Promise<void>((resolve) => void time.after(seconds(2), resolve));
    const { secret } = await client.issue(this.#target.account);
    if (secret.equals(newToken.secret) || tokens.areReissued()) return forgetMaxAge(before);
    // If a new token ends the one before it, a probe reports that as a finding of its own (EXPIRY-4).
    const { status } = await client.call(this.#endpoint, bearer(newToken));
    return status === 401 ? markLost(before) : undefined;
  }

  /** Sends a request, and reads the clocks before and after it. @param latestDate the `Date` of the latest answer */
  async #timed<Result>(
    latestDate: () => number | undefined,
    send: () => Promise<Result>,
  ): Promise<{ readonly result: Result } & Exchange> {
    const { time } = this.#context;
    const s = readClocks(time);
    const result = await send();
    return { result, s, r: readClocks(time, latestDate()) };
  }
}
