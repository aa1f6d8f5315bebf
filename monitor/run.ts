import type { Phases } from '../contract/answer.ts';
import { attempt, type Outcome, present } from '../contract/attempt.ts';
import { pacing } from '../contract/pace.ts';
import { checkJudgeable, Unjudgeable } from '../contract/preflight.ts';
import type { Probe } from '../contract/probe.ts';
import { type Door, type Endpoint, openDoor, tokenPath } from '../contract/service.ts';
import { reasons, Unreachable } from '../contract/unreachable.ts';
import type { WatchedTarget } from './plan.ts';

/**
 * Why a run was no success: a closed list, used as a label. `contract`: a clause is broken. `credentials` and
 * `address`: the provider cannot be judged as it is set. `defect`: ours. The others: no answer that could be judged.
 */
export const failureReasons = ['contract', ...reasons, 'credentials', 'address', 'defect'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What one run of one probe came to, and what it took. All texts are free of secrets. */
export interface Run {
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly outcome: Outcome;
  /** For everything but `kept`. */
  readonly reason?: FailureReason;
  /** Seconds, summed over its requests; absent when none was answered. */
  readonly phases?: Phases;
  /** Of its last answer; absent when none came. */
  readonly http?: HttpFacts;
  readonly requests: number;
}

/** What is told of an answer beside its phases. */
export interface HttpFacts {
  /** 0 when only a handshake took place. */
  readonly status: number;
  /** `1.1`, as it stands in the status line behind `HTTP/`. */
  readonly httpVersion: string;
  /** Bytes, when the answer said so. */
  readonly contentLength?: number;
  readonly tls?: {
    /** As Node says it: `TLSv1.3`. */
    readonly version: string;
    /** When the first certificate of the chain ends: milliseconds since 1970. */
    readonly earliestExpiry: number;
  };
}

/** Runs one probe on one endpoint. It never throws. */
export type Runner = (
  probe: Probe,
  endpoint: Endpoint,
  circumstances?: { disturbed?: string },
) => Promise<Run>;

export interface RunnerOptions {
  /** After credentials were refused, they are not sent again for so long: they might lock the account. */
  readonly recheckMs: number;
  /** Monotonic, milliseconds. */
  readonly now?: () => number;
}

/** A target that cannot be judged, and until when it is not asked again. */
interface Refusal {
  readonly why: Unjudgeable;
  readonly until: number;
}

/** A runner for one target. It remembers nothing of a run but whether the provider can be judged at all. */
export function runnerFor(
  target: WatchedTarget,
  { recheckMs, now = () => performance.now() }: RunnerOptions,
): Runner {
  // In a monitor an answer 429 is an outcome, so it is not waited out.
  const { wire, account, endpoints, perSecond } = target;
  const pace = pacing({ patienceMs: 0, ...(perSecond === undefined ? {} : { perSecond }) });
  let refusal: Refusal | undefined;

  /** @throws Unjudgeable @throws Unreachable */
  async function check(door: Door): Promise<void> {
    try {
      await checkJudgeable(door, account);
      refusal = undefined;
    } catch (error) {
      if (error instanceof Unjudgeable) refusal = { why: error, until: now() + recheckMs };
      throw error;
    }
  }

  return async (probe, endpoint, circumstances = {}) => {
    const phases: Phases[] = [];
    // A door of its own for each run: whatever it learns of tokens ends with it.
    const door = openDoor({
      wire,
      pace,
      account,
      now: Date.now,
      onAnswer: (answer) => phases.push(answer.phases),
    });
    const startedAt = Date.now();
    const begun = now();

    async function judged(): Promise<Outcome> {
      if (refusal !== undefined && now() < refusal.until) throw refusal.why;
      if (refusal !== undefined) await check(door);
      const world = { service: door, account, endpoint, endpoints, clock: present };
      const outcome = await attempt(probe, world, {
        scrub: door.scrub,
        simulated: false,
        ...circumstances,
      });
      // Whoever gives no token breaks a clause, unless the credentials or the address are wrong, which is no breach.
      const about = [probe.withoutToken, 'TOKEN-1'];
      if (outcome.findings.some(({ clause }) => about.includes(clause))) await check(door);
      return outcome;
    }

    const settled = await judged().then(
      (outcome) => ({ outcome, ...reasonOf(outcome) }),
      (error: unknown) => unjudged(error, probe, endpoint, (now() - begun) / 1000, door.scrub),
    );
    return {
      ...settled,
      target: target.name,
      startedAt,
      requests: door.requests(),
      ...(phases.length === 0 ? {} : { phases: phases.reduce(sum) }),
    };
  };
}

function reasonOf({ ending, reason }: Outcome): Pick<Run, 'reason'> {
  if (ending === 'broken') return { reason: 'contract' };
  if (ending === 'defect') return { reason: 'defect' };
  return reason === undefined ? {} : { reason };
}

/** A run that ended before the probe could say anything. */
function unjudged(
  error: unknown,
  probe: Probe,
  { method, path }: Endpoint,
  durationSeconds: number,
  scrub: (text: string) => string,
): Pick<Run, 'outcome' | 'reason'> {
  const known = error instanceof Unjudgeable || error instanceof Unreachable;
  const text = error instanceof Error ? (known ? error.message : error.stack) : String(error);
  return {
    reason: known ? error.reason : 'defect',
    outcome: {
      probe,
      endpoint: probe.once === true ? `POST ${tokenPath}` : `${method} ${path}`,
      ending: known ? 'unreachable' : 'defect',
      detail: scrub(text ?? ''),
      findings: [],
      observations: [],
      durationSeconds,
    },
  };
}

const sum = (one: Phases, other: Phases): Phases => ({
  resolve: one.resolve + other.resolve,
  connect: one.connect + other.connect,
  tls: one.tls + other.tls,
  processing: one.processing + other.processing,
  transfer: one.transfer + other.transfer,
});
