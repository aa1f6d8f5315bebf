import { type ApiClient, bearer, NoToken } from '../../contract/http/client.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { days, minutes, seconds } from '../../contract/time/clock.ts';
import { doubtedUntil } from '../schedule/maintenance.ts';
import type { Time } from '../schedule/time.ts';
import { onceAt } from '../schedule/timing.ts';
import type { StateStore } from '../state/state.ts';
import type { ContractStatus } from '../target/contract-status.ts';
import { type CanarySlot, canarySlot, type Pace, type WatchedTarget } from '../target/plan.ts';
import type { Run, TracedClient } from '../target/run.ts';
import type { TokenClient } from '../target/token-client.ts';
import { ageAt, type Exchange, read } from './age.ts';
import {
  type Canary,
  checked,
  countsOf,
  issued,
  type Lifetime,
  lifetimeOf,
  lost,
  maybeOlder,
  nextCheckIn,
  silenced,
  type TokenStatus,
  touched,
} from './canary.ts';
import { createCanaryStore } from './canary-store.ts';
import { createCheckLog } from './check-log.ts';
import { type CheckTimes, earlyMs } from './check-times.ts';
import { outcomeOf, seenIn, unlessAccident } from './checking.ts';
import { clears } from './clearing.ts';
import type { FirstSights } from './first-sights.ts';
import { providerClock } from './provider-clock.ts';
import { unopenedNote } from './unopened.ts';
import type { CanaryPhase, CanaryVerdict } from './verdict.ts';

/** What a keeper needs of the target's monitor. */
export interface CanaryContext {
  readonly way: (secrets?: readonly Secret[]) => TracedClient;
  readonly tokenClient: Pick<TokenClient, 'token'>;
  readonly sights: Pick<FirstSights, 'anchorOf' | 'areGivenAgain' | 'mayBeOlder'>;
  readonly standing: Pick<ContractStatus, 'verdicts'>;
  readonly state: StateStore;
  readonly time: Time;
  readonly metrics: CanaryMetrics;
  readonly log: { note(line: string): void };
  readonly plan: (slot: CanarySlot) => void;
}

/** What metrics take of canaries. */
export interface CanaryMetrics {
  canaryChecked(target: string, phase: CanaryPhase, verdict: CanaryVerdict): void;
  canaries(target: string, counts: TokenStatus['canaries']): void;
  lifetime(target: string, bounds: Lifetime): void;
}

/** Why a canary is refused too soon, when it is no breach of its own. */
type OtherReason = 'everybody is' | 'a newer token is' | 'it may have been older';

/** What becomes of such a canary. */
const sparedBy: Readonly<Record<OtherReason, (canary: Canary) => Canary>> = {
  'everybody is': (canary) => canary,
  'a newer token is': lost,
  'it may have been older': maybeOlder,
};

/** Keeps the canaries of one target. */
export interface CanaryMonitor {
  /** When canaries are started, and when those that outlived a restart are checked. */
  slots(pace: Pace): CanarySlot[];
  /** Starts a canary or checks one. It never throws. @returns what that has decided */
  run(slot: CanarySlot): Promise<Run[]>;
  status(): TokenStatus;
  /** The tokens of all canaries. */
  held(): Secret[];
}

/** A check that got no answer, or none that tells of the token's age, is tried again so much later. */
const againMs = seconds(60);

/** A canary that could not be started is made up for so much later: its turn comes again in hours. */
const makeUpMs = minutes(5);

/** However often canaries are started. */
const mostCanaries = 200;

/** A canary that is over is still counted for so long, tells how long tokens live, and what a violation was. */
const rememberedMs = days(8);

const oneEndsAnother = 'a new token ends the one before it (EXPIRY-4), so none can be kept';

/** Some tokens are kept on purpose, to see when they end. */
export function createCanaryMonitor(target: WatchedTarget, context: CanaryContext): CanaryMonitor {
  const { way, tokenClient, sights, standing, state, time, metrics, log, plan } = context;
  const { name, account, toleranceMs = seconds(5), maintenance = [], canaries: asked } = target;
  const tolerance = { toleranceMs };
  const isFailed = ({ state: is }: Canary): boolean => is === 'failed';
  const checkTimes = (): CheckTimes => ({ ...tolerance, closer: canaries.all().some(isFailed) });
  // A canary that is shown shall change nothing there, where that can be had.
  const endpoint = target.endpoints.find(({ method }) => method === 'GET') ?? target.endpoints[0];
  const canaries = createCanaryStore(target, state, read(time));
  const checks = createCheckLog(name, state);
  if (canaries.unopened() > 0) log.note(unopenedNote(name, canaries.unopened()));
  const clock = providerClock(time);
  /** The last canary could not be started, and whether there is a plan to make up for that. */
  let [isOwed, isPlanned] = [false, false];

  const endsAnother = (): boolean =>
    standing
      .verdicts()
      .some(({ clause, verdict }) => clause.id === 'EXPIRY-4' && verdict === 'violated');

  const slotFor = (id: string, inMs: number): CanarySlot => ({
    key: `${name} canary ${id}`,
    target: name,
    canary: { check: id },
    timing: onceAt(time.monotonic() + inMs),
  });

  function counts(): TokenStatus['canaries'] {
    const known = countsOf(canaries.all());
    return { ...known, lost: known.lost + canaries.unopened() };
  }

  function report(): void {
    metrics.canaries(name, counts());
    metrics.lifetime(name, lifetimeOf(canaries.all()));
  }

  /** What was asked and answered, between the clocks before and after. @throws Unreachable @throws NoToken */
  async function timed<Result>(
    { dated }: TracedClient,
    ask: () => Promise<Result>,
  ): Promise<{ readonly result: Result } & Exchange> {
    const s = read(time, clock.now());
    const result = await ask();
    const r = read(time, dated());
    clock.observe({ s, r });
    return { result, s, r };
  }

  /** @throws Unreachable @throws NoToken @returns whether that is done */
  async function start(): Promise<boolean> {
    for (const { id, madeAt, admittedAt } of canaries.all())
      if (Math.max(madeAt, admittedAt) < time.wall() - rememberedMs) canaries.drop(id);
    if (endsAnother() || canaries.all().length >= mostCanaries) return true;
    const client = way();
    const { result: token, s, r } = await timed(client, () => client.client.issue(account));
    // Some providers give a valid token again instead of a new one.
    if (canaries.all().some(({ id }) => canaries.token(id)?.equals(token.secret) === true))
      return true;
    const show = () => client.client.call(endpoint, bearer(token));
    const first = await show();
    // What a proxy answers in between is not what the endpoint answers.
    const answer = first.status >= 200 && first.status < 300 ? first : await show();
    // The probes report a provider that refuses a new token.
    if (answer.status === 401) return false;
    const where = `${endpoint.method} ${endpoint.path}`;
    const firstSeen = sights.anchorOf(token.secret);
    const canary = issued({
      ...{ s, r, endpoint: where, controlStatus: answer.status },
      firstSeen,
    });
    canaries.put(canary, token.secret);
    settle(canary);
    return true;
  }

  /** Starts a canary, and plans to make up for it where that fails. The probes tell of the failure. */
  async function startOrOwe(): Promise<void> {
    isOwed = true;
    try {
      isOwed = !(await start());
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof NoToken)) throw error;
    }
    if (!isOwed || isPlanned) return;
    isPlanned = true;
    plan({
      key: `${name} canary made up for`,
      target: name,
      canary: 'make up',
      timing: onceAt(time.monotonic() + makeUpMs),
    });
  }

  /** Writes a canary down, and plans its next check. */
  function settle(canary: Canary, soonestMs = 0): void {
    canaries.put(canary);
    const inMs = nextCheckIn(canary, read(time), checkTimes());
    if (inMs !== undefined) plan(slotFor(canary.id, Math.max(inMs, soonestMs)));
  }

  /** Why a canary may be refused too soon, other than by its age; asked only when it is. */
  async function otherReason(client: ApiClient): Promise<OtherReason | undefined> {
    try {
      const young = bearer(await tokenClient.token());
      if ((await client.call(endpoint, young)).status === 401) return 'everybody is';
      await client.issue(account);
      // Of one second many providers have but one token: that tells nothing of how they give the others.
      await new Promise<void>((resolve) => void time.after(seconds(2), resolve));
      await client.issue(account);
      if (sights.mayBeOlder()) return 'it may have been older';
      const { status } = await client.call(endpoint, young);
      return status === 401 ? 'a newer token is' : undefined;
    } catch {
      return 'everybody is';
    }
  }

  /** @throws Unreachable */
  async function check(known: Canary, token: Secret): Promise<Run[]> {
    if (endsAnother()) {
      settle(lost(known));
      return [];
    }
    // Its turn may have come so late that the next rung is better.
    if ((nextCheckIn(known, read(time), checkTimes()) ?? 0) > earlyMs) {
      settle(known);
      return [];
    }
    const passage = way([token]);
    const { client, seen } = passage;
    const shown = bearer({ secret: token, madeAt: known.madeAt });
    const look = async () => {
      const { result: answer, s, r } = await timed(passage, () => client.call(endpoint, shown));
      const exchange = { s, r: clock.widened(r) };
      const doubt = doubtedUntil(maintenance, known.admittedAt, time.wall());
      const aged = sights.areGivenAgain() ? maybeOlder(known) : known;
      const before = doubt === undefined ? aged : silenced(aged, doubt);
      const admitted = seenIn(answer, before, ageAt(before.anchor, exchange), tolerance);
      return { before, exchange, answer, ...checked(before, { ...exchange, admitted }, tolerance) };
    };
    const { before, exchange, answer, canary, check: message } = await unlessAccident(look);
    const reason = message.verdict === 'early_reject' ? await otherReason(client) : undefined;
    if (reason !== undefined) {
      // That a new token ends the one before it is a finding of its own (EXPIRY-4), which a probe makes.
      const spared = touched(before, read(time));
      settle(sparedBy[reason](spared), againMs);
      return [];
    }
    settle(canary);
    checks.add(message);
    metrics.canaryChecked(name, message.phase, message.verdict);
    const durationSeconds = (exchange.r.monotonic - exchange.s.monotonic) / 1000;
    const outcome = outcomeOf(before, message, answer, { scrub: client.scrub, durationSeconds });
    if (outcome === undefined) return [];
    const { probe, ending } = outcome;
    if (ending === 'kept' && !clears(probe, message, canaries.all())) return [];
    const why = ending === 'broken' ? { reason: 'contract' as const } : {};
    return [{ target: name, startedAt: message.at, outcome, ...why, ...seen() }];
  }

  return {
    slots(pace) {
      report();
      const start = canarySlot(target, pace);
      const now = read(time);
      const due = canaries.all().flatMap((canary) => {
        const inMs = nextCheckIn(canary, now, checkTimes());
        return inMs === undefined ? [] : [slotFor(canary.id, inMs)];
      });
      return asked === 'off' ? [] : [...(start === undefined ? [] : [start]), ...due];
    },
    async run({ canary: what }) {
      if (what === 'make up') isPlanned = false;
      const known = typeof what === 'string' ? undefined : canaries.get(what.check);
      const token = typeof what === 'string' ? undefined : canaries.token(what.check);
      try {
        if (what === 'start' || (what === 'make up' && isOwed)) await startOrOwe();
        else if (known !== undefined && token !== undefined) return await check(known, token);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        // The probes tell of that.
        if (known !== undefined) settle(known, againMs);
      } finally {
        canaries.touch(read(time));
        report();
      }
      return [];
    },
    held: () => canaries.all().flatMap(({ id }) => canaries.token(id) ?? []),
    status: () => ({
      ...(asked === 'off' ? { off: 'no canaries are asked for' } : {}),
      ...(endsAnother() ? { off: oneEndsAnother } : {}),
      canaries: counts(),
      toleranceSeconds: toleranceMs / 1000,
      ...lifetimeOf(canaries.all()),
      checks: checks.checks(),
    }),
  };
}
