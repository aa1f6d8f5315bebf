import type { Finding } from '../../contract/finding.ts';
import type { ApiClient } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { reasons, Unreachable } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { type ProbeResult, reportedEndpoint } from '../../contract/round/attempt.ts';
import { type PublishedOutcome, publishedOutcome } from '../../contract/round/outcome.ts';
import { checkJudgeable, Unjudgeable } from '../../contract/round/preflight.ts';
import { printableLines } from '../../contract/secrets/printable.ts';
import { type Elapsed, elapsedBy } from '../schedule/elapsed.ts';
import { realTime, type Time } from '../schedule/time.ts';
import { isAboutTokens, RunAttempts, type RunConditions } from './run-attempts.ts';
import type { TokenClient } from './token-client.ts';
import { type Observed, openTracedClient } from './traced-client.ts';
import type { WatchedTarget } from './watched-target.ts';

/**
 * Why a run was not a success: a closed list, used as a label. `contract`: a clause is violated. `payload`: no
 * clause is, but the answer does not match the target's schema. `credentials` and `address`: the provider cannot be
 * judged as configured. `defect`: a fault of ours. All others: there was no answer that could be judged.
 */
export const failureReasons = [
  'contract',
  'payload',
  ...reasons,
  'credentials',
  'address',
  'defect',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The result of one run of one probe, and its cost. All texts are free of secrets. */
export interface Run extends Observed {
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly result: ProbeResult;
  /** Present for every outcome except `passed`. */
  readonly reason?: FailureReason;
}

/** A run as it is stored, without the facts of its answers, which are only for the metrics. */
export const withoutFacts = ({ http: _, authorised: __, ...run }: Run): Run => run;

/** A run for pages and programs; dates are serialised as ISO 8601. */
export interface RunStatus {
  readonly probe: string;
  readonly endpoint: string;
  readonly startedAt: Date;
  readonly ending: PublishedOutcome;
  readonly reason?: FailureReason;
  readonly detail?: string;
  readonly unproven?: string;
  readonly durationSeconds: number;
  readonly phases?: Run['phases'];
  readonly requests: number;
  readonly findings: readonly Finding[];
}

export function runStatus({ startedAt, result, reason, phases, requests }: Run): RunStatus {
  const { probe, endpoint, outcome, detail, unproven, durationSeconds, findings } = result;
  return {
    probe: probe.name,
    endpoint,
    startedAt: new Date(startedAt),
    ending: publishedOutcome(outcome),
    reason,
    detail,
    unproven,
    durationSeconds,
    phases,
    requests,
    findings,
  };
}

/** Runs one probe on one endpoint. It never throws. */
export type Runner = (probe: Probe, endpoint: Endpoint, conditions?: RunConditions) => Promise<Run>;

export interface RunnerOptions {
  /** How long refused credentials are not sent again, because that might lock the account. */
  readonly recheckMs: number;
  /** The kept token, for probes that accept any token. */
  readonly tokenClient?: TokenClient;
  readonly time?: Pick<Time, 'monotonic' | 'uptime' | 'wall'>;
  /** The clock that decides whether a token may have expired. */
  readonly elapsed?: Elapsed;
  /** The connection to the target, if other runs share it. */
  readonly openClient?: ReturnType<typeof openTracedClient>;
  /** Whether an issued token may already have been valid for hours, so that it may expire during a run. */
  readonly tokensMayEnd?: () => boolean;
}

/** A runner for one target. Between runs it remembers only whether the provider can be judged at all. */
export function runnerFor(target: WatchedTarget, options: RunnerOptions): Runner {
  const { tokenClient, time = realTime, elapsed = elapsedBy(time) } = options;
  const open = options.openClient ?? openTracedClient(target, { ...options, elapsed });
  const provider = new ProviderCheck({ target, recheckMs: options.recheckMs, time });
  const tokensMayEnd = options.tokensMayEnd ?? (() => false);

  return async (probe, endpoint, conditions = {}) => {
    const { client, seen } = open(tokenClient?.held());
    const startedAt = time.wall();
    const begun = time.monotonic();
    const attempts = new RunAttempts(client, {
      probe,
      endpoint,
      target,
      conditions,
      elapsed,
      tokenClient,
      tokensMayEnd,
    });
    const settled = await judged(client, attempts, provider).then(
      (result) => ({ result, ...reasonOf(result) }),
      (error: unknown) =>
        unjudged(error, probe, endpoint, (time.monotonic() - begun) / 1000, client.scrub),
    );
    if (client.issued.size > 0) provider.haveWorked();
    return { ...settled, target: target.name, startedAt, ...seen() };
  };
}

/** @throws Unjudgeable @throws Unreachable */
async function judged(
  client: ApiClient,
  attempts: RunAttempts,
  provider: ProviderCheck,
): Promise<ProbeResult> {
  await provider.checkAgain(client);
  const result = await attempts.unlessEnded(await attempts.first());
  if (!isAboutTokens(result)) return result;
  // Getting no token violates a clause, unless the credentials or the address are wrong.
  await provider.check(client);
  return attempts.withNew(true);
}

/** Why a target cannot be judged, and until when no request is sent to it. */
interface Refusal {
  readonly why: Unjudgeable;
  readonly until: number;
}

interface ProviderCheckContext extends Pick<RunnerOptions, 'recheckMs'> {
  readonly target: WatchedTarget;
  readonly time: Pick<Time, 'monotonic'>;
}

/** Checks whether a provider can be judged at all, with the configured address and credentials. */
class ProviderCheck {
  readonly #context: ProviderCheckContext;
  #refusal: Refusal | undefined;
  /** Whether the credentials got a token the last time. If they did, one unusual answer does not prove them wrong. */
  #haveWorked = false;

  constructor(context: ProviderCheckContext) {
    this.#context = context;
  }

  haveWorked(): void {
    this.#haveWorked = true;
  }

  /**
   * Checks a provider that could not be judged, once requests are allowed again.
   * @throws Unjudgeable
   * @throws Unreachable
   */
  async checkAgain(client: ApiClient): Promise<void> {
    if (this.#refusal === undefined) return;
    if (this.#context.time.monotonic() < this.#refusal.until) throw this.#refusal.why;
    await this.check(client);
  }

  /** @throws Unjudgeable @throws Unreachable */
  async check(client: ApiClient): Promise<void> {
    const { time, recheckMs } = this.#context;
    const attempts = this.#haveWorked ? 2 : 1;
    this.#haveWorked = false;
    try {
      await this.#look(client, attempts);
      this.#refusal = undefined;
    } catch (error) {
      if (error instanceof Unjudgeable)
        this.#refusal = { why: error, until: time.monotonic() + recheckMs };
      throw error;
    }
  }

  async #look(client: ApiClient, attempts: number): Promise<void> {
    const { account, settingNames } = this.#context.target;
    try {
      await checkJudgeable(client, account, settingNames);
    } catch (error) {
      if (!(error instanceof Unjudgeable) || attempts === 1) throw error;
      await this.#look(client, attempts - 1);
    }
  }
}

function reasonOf({ outcome, reason, findings }: ProbeResult): Pick<Run, 'reason'> {
  if (outcome === 'failed') return { reason: findings.length > 0 ? 'contract' : 'payload' };
  if (outcome === 'defect') return { reason: 'defect' };
  return reason === undefined ? {} : { reason };
}

/** A run that ended before the probe had a result. */
function unjudged(
  error: unknown,
  probe: Probe,
  endpoint: Endpoint,
  durationSeconds: number,
  scrub: (text: string) => string,
): Pick<Run, 'result' | 'reason'> {
  const known = error instanceof Unjudgeable || error instanceof Unreachable;
  const text = error instanceof Error ? error.stack : String(error);
  return {
    reason: known ? error.reason : 'defect',
    result: {
      probe,
      endpoint: reportedEndpoint(probe, endpoint),
      outcome: known ? 'unreachable' : 'defect',
      detail: known ? error.message : printableLines(scrub(text ?? '')),
      findings: [],
      observations: [],
      durationSeconds,
    },
  };
}
