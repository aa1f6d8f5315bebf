import { type Answer, header, type Phases } from '../../contract/http/answer.ts';
import { type ApiClient, openClient } from '../../contract/http/client.ts';
import { pacing } from '../../contract/http/pacing.ts';
import { type Endpoint, tokenPath } from '../../contract/http/request.ts';
import { exchange } from '../../contract/http/transport.ts';
import { reasons, Unreachable } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import type { Outcome } from '../../contract/round/attempt.ts';
import { checkJudgeable, Unjudgeable } from '../../contract/round/preflight.ts';
import type { EarlierSecrets } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { type Elapsed, elapsedBy } from '../schedule/elapsed.ts';
import { realTime, type Time } from '../schedule/time.ts';
import { isAboutTokens, looksThrough } from './looks.ts';
import { looking } from './lookup.ts';
import type { WatchedTarget } from './plan.ts';
import { type OnToken, reportingTokens, type TokenClient } from './token-client.ts';

/**
 * Why a run was no success: a closed list, used as a label. `contract`: a clause is broken. `payload`: no clause is,
 * but the answer is not as the target's own schema says. `credentials` and `address`: the provider cannot be judged as
 * it is set. `defect`: ours. The others: no answer that could be judged.
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
  /** The same of its last request with a token alone; absent when that got no answer. */
  readonly authorised?: { readonly http: HttpFacts; readonly phases?: Phases };
  readonly requests: number;
}

/** What is told of an answer beside its phases. */
export interface HttpFacts {
  /** 0 when only a handshake took place. */
  readonly status: number;
  /** `1.1`, as in the status line after `HTTP/`. */
  readonly httpVersion: string;
  /** Bytes, when the answer said so. */
  readonly contentLength?: number;
  readonly tls?: {
    /** As Node says it: `TLSv1.3`. */
    readonly version: string;
    /** When the first certificate of the chain ends: milliseconds since 1970. */
    readonly earliestExpiry: number;
  };
  /** How far the provider's clock is ahead of ours, as its `Date` has it: right to about a second. */
  readonly clockOffsetSeconds?: number;
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
  /** The token that is kept, for probes to which any will do. */
  readonly tokenClient?: TokenClient;
  readonly time?: Pick<Time, 'monotonic' | 'uptime' | 'wall'>;
  /** By which a token may have ended. */
  readonly elapsed?: Elapsed;
  /** Another network than the real one. */
  readonly exchange?: typeof exchange;
  /** The connection to the target, if other runs share it. */
  readonly way?: ReturnType<typeof openTracedClient>;
  /** Whether a token that is given may have been valid for hours already, so that it may end during a run. */
  readonly tokensMayEnd?: () => boolean;
}

/** A target that cannot be judged, and until when it is not asked again. */
interface Refusal {
  readonly why: Unjudgeable;
  readonly until: number;
}

/** A door for one run, and what was seen through it: whatever it learns of tokens ends with it. */
export interface TracedClient {
  readonly client: ApiClient;
  seen(): Pick<Run, 'phases' | 'http' | 'authorised' | 'requests'>;
  /** The `Date` of the latest answer: milliseconds since 1970. */
  dated(): number | undefined;
}

/** The way to a target: one pace for all that goes there. @returns opens a door */
export function openTracedClient(
  { connection, account, requestsPerSecond }: WatchedTarget,
  {
    exchange: send = exchange,
    time = realTime,
    elapsed,
    onPhases,
    onToken = () => {},
    earlier,
  }: Pick<RunnerOptions, 'exchange' | 'time' | 'elapsed'> & {
    /** Called with the phases of each answer. */
    readonly onPhases?: (phases: Phases) => void;
    readonly onToken?: OnToken;
    /** Tokens of earlier runs, which answers may quote. */
    readonly earlier?: EarlierSecrets;
  } = {},
): (secrets?: readonly Secret[]) => TracedClient {
  // In a monitor an answer 429 is an outcome, so it is not waited out.
  const pace = pacing({
    maxRetryAfterMs: 0,
    requestsPerSecond,
  });
  return (secrets = []) => {
    const phases: Phases[] = [];
    let http: HttpFacts | undefined;
    let authorised: Run['authorised'];
    let dated: number | undefined;
    const opened = openClient({
      connection: { ...looking, ...connection },
      pace,
      account,
      secrets,
      earlier,
      now: time.wall,
      exchange: (...asked) =>
        send(...asked).catch((error: unknown) => {
          authorised = undefined;
          // Others lose sight of a certificate just when it has expired.
          if (error instanceof Unreachable && error.tls !== undefined) {
            http = { status: 0, httpVersion: '0', tls: error.tls };
            authorised = { http };
          }
          throw error;
        }),
      onAnswer(answer) {
        phases.push(answer.phases);
        onPhases?.(answer.phases);
        dated = dateOf(answer);
        if (dated !== undefined) elapsed?.observe(dated);
        http = factsOf(answer, dated, time.wall());
        if (answer.request.token !== undefined) authorised = { http, phases: answer.phases };
      },
    });
    const client = { ...opened, ...reportingTokens(opened, onToken, time.wall) };
    return {
      client,
      dated: () => dated,
      seen: () => ({
        requests: client.requests(),
        http,
        authorised,
        ...(phases.length === 0 ? {} : { phases: phases.reduce(sum) }),
      }),
    };
  };
}

/** A runner for one target. It remembers nothing of a run but whether the provider can be judged at all. */
export function runnerFor(target: WatchedTarget, options: RunnerOptions): Runner {
  const { recheckMs, tokenClient, time = realTime, elapsed = elapsedBy(time) } = options;
  const { account } = target;
  const open = options.way ?? openTracedClient(target, { ...options, elapsed });
  let refusal: Refusal | undefined;
  /** Whether the credentials got a token the last time: then one odd answer does not make them wrong. */
  let haveWorked = false;

  /** @throws Unjudgeable @throws Unreachable */
  async function check(client: ApiClient): Promise<void> {
    const looks = haveWorked ? 2 : 1;
    haveWorked = false;
    try {
      for (let look = 1; look <= looks; look++)
        try {
          await checkJudgeable(client, account, target.settingNames);
          break;
        } catch (error) {
          if (!(error instanceof Unjudgeable) || look === looks) throw error;
        }
      refusal = undefined;
    } catch (error) {
      if (error instanceof Unjudgeable)
        refusal = { why: error, until: time.monotonic() + recheckMs };
      throw error;
    }
  }

  return async (probe, endpoint, circumstances = {}) => {
    const { client, seen } = open(tokenClient?.held());
    const startedAt = time.wall();
    const begun = time.monotonic();

    const looks = looksThrough(client, {
      ...{ probe, endpoint, target, circumstances, elapsed },
      tokenClient,
      tokensMayEnd: options.tokensMayEnd ?? (() => false),
    });

    async function judged(): Promise<Outcome> {
      if (refusal !== undefined && time.monotonic() < refusal.until) throw refusal.why;
      if (refusal !== undefined) await check(client);
      const outcome = await looks.unlessEnded(await looks.first());
      if (!isAboutTokens(outcome)) return outcome;
      // A missing token breaks a clause, unless the credentials or the address are wrong, which is not a breach.
      await check(client);
      return looks.withNew({ credentials: true });
    }

    const settled = await judged().then(
      (outcome) => ({ outcome, ...reasonOf(outcome) }),
      (error: unknown) =>
        unjudged(error, probe, endpoint, (time.monotonic() - begun) / 1000, client.scrub),
    );
    if (client.given.size > 0) haveWorked = true;
    return { ...settled, target: target.name, startedAt, ...seen() };
  };
}

function dateOf(answer: Answer): number | undefined {
  const date = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

function factsOf(answer: Answer, date: number | undefined, wall: number): HttpFacts {
  const { status, httpVersion, tls } = answer;
  const length = header(answer, 'content-length') ?? '';
  return {
    status,
    httpVersion,
    ...(/^\d{1,15}$/.test(length) ? { contentLength: Number(length) } : {}),
    tls,
    // The header has whole seconds: on average the provider's clock is half a second further.
    ...(date === undefined ? {} : { clockOffsetSeconds: (date + 500 - wall) / 1000 }),
  };
}

function reasonOf({ ending, reason, findings }: Outcome): Pick<Run, 'reason'> {
  if (ending === 'broken') return { reason: findings.length > 0 ? 'contract' : 'payload' };
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
