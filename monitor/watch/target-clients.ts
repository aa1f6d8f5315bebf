import type { Service } from '../../contract/http/client.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { FirstSights } from '../canary/first-sights.ts';
import { elapsedBy } from '../schedule/elapsed.ts';
import { type Runner, runnerFor } from '../target/run.ts';
import { TokenClient } from '../target/token-client.ts';
import { openTracedClient, type TracedClient } from '../target/traced-client.ts';
import type { WatchedTarget } from '../target/watched-target.ts';
import type { MonitorContext } from './monitor-context.ts';
import { RecentTokens } from './recent-tokens.ts';

interface TargetClientsContext extends MonitorContext {
  /** The tokens that canaries hold. */
  readonly heldByCanaries: () => readonly Secret[];
  /** A provider that could not be judged is checked again after this time. */
  readonly recheckMs: number;
}

/** The clients of one watched target, and what they record about its tokens. */
export class TargetClients {
  readonly openClient: (secrets?: readonly Secret[]) => TracedClient;
  readonly tokenClient: TokenClient;
  readonly sights: FirstSights;
  readonly run: Runner;
  readonly #target: WatchedTarget;
  readonly #context: TargetClientsContext;
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(target: WatchedTarget, context: TargetClientsContext) {
    const { state, time, exchange, recheckMs } = context;
    const { name, account } = target;
    this.#target = target;
    this.#context = context;
    const elapsed = elapsedBy(time);
    const { secretKey } = account;
    this.sights = new FirstSights(name, { secretKey, state, time });
    this.openClient = openTracedClient(target, {
      time,
      elapsed,
      exchange,
      onToken: (token, sentAt) => this.sights.note(token, sentAt),
      remembered: new RecentTokens(() => this.#inUse()),
      onPhases: ({ processing }) => context.metrics.processed(name, processing),
    });
    this.tokenClient = new TokenClient({
      service: oneClientEach(this.openClient),
      account,
      now: elapsed.now,
      ahead: elapsed.ahead,
      onUnexpected: () => this.#recordRejection(),
    });
    this.run = runnerFor(target, {
      recheckMs,
      time,
      elapsed,
      tokenClient: this.tokenClient,
      openClient: this.openClient,
      tokensMayEnd: () => this.sights.mayBeOlder(),
    });
  }

  #inUse(): readonly Secret[] {
    return [...this.tokenClient.held(), ...this.#context.heldByCanaries()];
  }

  /** Counts an early refusal of the kept token, with one log line per hour. A repeated token may have expired. */
  #recordRejection(): void {
    if (this.sights.areReissued()) return;
    const { metrics, log, time } = this.#context;
    metrics.unexpectedRejection(this.#target.name);
    if (time.monotonic() < this.#silentUntil) return;
    this.#silentUntil = time.monotonic() + 3_600_000;
    log.unexpected(this.#target.name);
  }
}

/** Opens a client per request: a client remembers each token that it sees, and the monitor runs for months. */
const oneClientEach = (open: () => TracedClient): Pick<Service, 'issue' | 'call'> => ({
  issue: (account) => open().client.issue(account),
  call: (endpoint, options) => open().client.call(endpoint, options),
});
