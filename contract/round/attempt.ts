import { tokenBreach } from '../admission.ts';
import { days } from '../durations.ts';
import type { Finding, Observation } from '../finding.ts';
import { outline, quoteAnswer } from '../http/answer.ts';
import { NoTokenError } from '../http/client.ts';
import { fittingToken } from '../http/http-request.ts';
import { type Endpoint, endpointName, tokenEndpointName } from '../http/request.ts';
import { type Reason, UnprovenError, UnreachableError } from '../http/unreachable.ts';
import { Contract } from '../judge/contract.ts';
import type { ContractRun, Findings as FindingsRecord } from '../judge/findings.ts';
import type { Probe, World } from '../probe.ts';
import { printable, printableLines } from '../secrets/printable.ts';
import { type Clock, ClockError } from '../time/clock.ts';

/** How a run of a probe ended. Only `failed` counts against the provider; `defect` is a fault of ours. */
export const outcomes = ['passed', 'failed', 'unreachable', 'defect'] as const;

export type Outcome = (typeof outcomes)[number];

/** The result of one run of one probe. All texts are free of secrets. */
export interface ProbeResult extends Readonly<Omit<FindingsRecord, 'findings' | 'observations'>> {
  readonly probe: Probe;
  readonly endpoint: string;
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  /** It did not run, as the settings say. */
  readonly isOff?: true;
  /** For `unreachable`. */
  readonly reason?: Reason;
  /** For `unreachable`, `defect` and `failed` without a finding: one line. */
  readonly detail?: string;
  readonly durationSeconds: number;
}

/** The payload does not match its owner's schema, which violates no clause. @param message without its values */
export class PayloadMismatchError extends Error {}

/** What an attempt needs besides the probe's world. */
export interface AttemptContext
  extends Omit<ContractRun, 'probe' | 'endpointName' | 'endpoint' | 'service'> {
  /** Why a missing token after valid credentials is no longer a violation; undefined while it is one. */
  readonly tokensStopped?: () => string | undefined;
}

/** Runs a probe once, and turns every result into one of the four outcomes. @throws ClockError */
export async function attempt(
  probe: Probe,
  world: Omit<World, 'contract'>,
  context: AttemptContext,
): Promise<ProbeResult> {
  const endpoint = reportedEndpoint(probe, world.endpoint);
  const run = { ...context, probe: probe.name, endpointName: endpoint, endpoint: world.endpoint };
  const startedAt = performance.now();
  const sharing = probe.opensConnection === true ? 'renewed' : 'shared';
  const { record, ...failure } = await world.service.connection(async (service) => {
    const contract = new Contract({ ...run, service });
    const probeWorld = { ...world, service, contract };
    const ending = await probe.run(probeWorld).then(
      (): Ending => ({}),
      (error: unknown) => classifyFailure(error, probe, probeWorld, context),
    );
    return { ...ending, record: contract.record };
  }, sharing);
  const judged = record.findings.length > 0 ? 'failed' : 'passed';
  // What was found before the provider was lost stays found.
  const { outcome = judged } =
    judged === 'failed' && failure.outcome === 'unreachable' ? {} : failure;
  const durationSeconds = (performance.now() - startedAt) / 1000;
  return { probe, endpoint, ...record, durationSeconds, ...failure, outcome };
}

/** The endpoint that an outcome names. */
export const reportedEndpoint = (probe: Probe, endpoint: Endpoint): string =>
  probe.scope === 'service' ? tokenEndpointName : endpointName(endpoint);

/** How a run ended that did not reach its end. */
type Ending = Partial<Pick<ProbeResult, 'outcome' | 'reason' | 'detail'>>;

/** The cause of a run's end; empty if the judge knows it, so that the run counts by its findings. */
async function classifyFailure(
  error: unknown,
  probe: Probe,
  world: World,
  { scrub, tokensStopped }: AttemptContext,
): Promise<Ending> {
  if (error instanceof ClockError) throw error;
  if (error instanceof NoTokenError)
    return judgeMissingToken(error, probe, world, tokensStopped?.());
  if (error instanceof UnprovenError) {
    world.contract.unproven(error.message);
    return {};
  }
  if (error instanceof PayloadMismatchError)
    return { outcome: 'failed', detail: printable(scrub(error.message)) };
  if (error instanceof UnreachableError)
    return { outcome: 'unreachable', reason: error.reason, detail: error.message };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { outcome: 'defect', detail: printableLines(scrub(stack)) };
}

/**
 * A missing token is a violation, unless the account may be locked or have ended, for which `stopped` is the reason. It
 * is neither if the server fails, or if there is a token again a simulated day later. @throws ClockError
 */
async function judgeMissingToken(
  { answer }: NoTokenError,
  { renews }: Probe,
  { contract, service, account, clock }: World,
  stopped: string | undefined,
): Promise<Ending> {
  const isSimulated = clock !== presentClock;
  const on = isSimulated ? ` on ${new Date(clock.now()).toISOString().slice(0, 10)}` : '';
  const isIssuedLater = async (): Promise<boolean> => {
    await clock.pass(days(1));
    const token = await service.issue(account).catch(() => undefined);
    return token !== undefined;
  };
  const isBroken =
    stopped === undefined || (isSimulated && (answer.status >= 500 || (await isIssuedLater())));
  const reason = `the credentials are valid${on}`;
  const breach = tokenBreach(answer) ?? { expected: fittingToken, received: outline(answer) };
  if (isBroken) contract.violated(renews ? 'EXPIRY-6' : 'TOKEN-1', answer, { reason, ...breach });
  const words = isSimulated ? answer.status : quoteAnswer(answer);
  contract.unproven(`${isBroken ? 'no token was issued' : stopped}: ${words}${on}`);
  return {};
}

const refuseClock = (): Promise<never> =>
  Promise.reject(new Error('this probe does not say that it needs a clock'));

/** The clock of a probe that runs in the present. */
export const presentClock: Clock = { now: Date.now, pass: refuseClock, until: refuseClock };
