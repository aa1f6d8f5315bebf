import type { MustId } from '../../contract/clauses.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import type { Probe } from '../../contract/probe.ts';
import { disturbance } from '../../contract/round/disturbance.ts';
import type { ClauseVerdict } from '../../contract/round/verdict.ts';
import { type Answering, Answers, gotBy, type Outage } from './answering.ts';
import { judge, provesTheSame } from './judge.ts';
import { type KnownFact, KnownFacts, type RememberedFacts } from './known-facts.ts';
import { keyOf, placeOf, quickest, type RunPlace } from './plan.ts';
import type { Run } from './run.ts';

/** A verdict, and since when it has been the same (milliseconds since 1970). */
export interface KnownVerdict extends ClauseVerdict {
  readonly since: number;
}

/** A state, and since when it has been the same (milliseconds since 1970). */
interface KnownState {
  readonly is: TargetState;
  readonly since: number;
}

/**
 * The state of a target in one word, and in one sentence. `broken` comes first: an outage does not cancel a violation.
 * `waiting`: some probes have not run yet. `partly`: some get no answer that can be judged, or prove nothing.
 * `unverified`: all have run, but no clause is proven.
 */
export const headline = {
  waiting: 'The first round is running',
  holds: 'The contract holds',
  broken: 'The contract is broken',
  unreachable: 'The provider cannot be judged',
  partly: 'The contract is judged only in part',
  unverified: 'No clause could be verified',
} as const;
export type TargetState = keyof typeof headline;

/** Something that a run has changed. */
export type Change =
  | {
      readonly is: 'state';
      readonly from: TargetState;
      readonly to: TargetState;
      /** For `unreachable` and `partly`: the reason, in one line. */
      readonly why?: string;
    }
  | {
      readonly is: 'verdict';
      readonly now: KnownVerdict;
      readonly before: ClauseVerdict['verdict'];
    }
  | { readonly is: 'fact'; readonly now: KnownFact };

/** The state before the monitor was restarted. */
export interface Remembered extends RememberedFacts {
  readonly since: ReadonlyMap<MustId, { readonly verdict: string; readonly since: number }>;
  readonly state?: KnownState;
  /** The value of `Answers.saved`. */
  readonly answers?: unknown;
}

const nothing: Remembered = { runs: [], since: new Map(), facts: [] };

/** The state of a target, by the latest run of each of its places. */
export class ContractStatus {
  readonly #places: readonly RunPlace[];
  readonly #probes: readonly Probe[];
  readonly #latest: Map<string, Run>;
  readonly #answers: Answers;
  readonly #facts: KnownFacts;
  /** The number of places that must still run before the first status is complete. */
  #awaited: number;
  #verdicts: readonly KnownVerdict[];
  #state: KnownState;
  /** Since when no place gets an answer that can be judged (milliseconds since 1970). */
  #unansweredSince: number | undefined;

  /** @param probes all probes, including those that the monitor does not run */
  constructor(
    places: readonly RunPlace[],
    probes: readonly Probe[],
    startedAt: number,
    remembered: Remembered = nothing,
  ) {
    const { runs, since, state } = remembered;
    this.#places = places;
    this.#probes = probes;
    this.#latest = new Map(runs.map((run) => [placeOf(run), run]));
    const keys = new Set(places.map(keyOf));
    this.#answers = new Answers(quickest(places), remembered.answers, (place) => keys.has(place));
    this.#facts = new KnownFacts(remembered, keys);
    const hurried = places.filter(({ unhurried }) => unhurried === undefined).length;
    this.#awaited = hurried - runs.filter((run) => isHurried(run, places)).length;
    this.#verdicts = judge(places, probes, this.#latest).map((one) => {
      const known = since.get(one.clause.id);
      return { ...one, since: known?.verdict === one.verdict ? known.since : startedAt };
    });
    const is = this.#stateNow();
    this.#state = state?.is === is ? state : { is, since: startedAt };
    if (this.#answers.is() === 'nowhere')
      this.#unansweredSince = is === 'unreachable' ? this.#state.since : startedAt;
  }

  /** Applies a run. @returns the changes that it caused */
  take(run: Run): Change[] {
    const key = placeOf(run);
    const before = this.#latest.get(key);
    if (before === undefined && isHurried(run, this.#places)) this.#awaited -= 1;
    this.#latest.set(key, run);
    // Most runs equal the previous one. Then verdicts are not computed again, unless a clause is violated.
    const isBroken = this.#verdicts.some(({ verdict }) => verdict === 'violated');
    const quiet = !isBroken && before !== undefined && provesTheSame(before, run);
    const verdicts = quiet ? [] : this.#revise(run.startedAt);
    // A fact that is observed for the first time is not a change.
    const facts = this.#facts.take(run).filter((fact) => fact.before !== undefined);
    return [
      ...this.#restate(run, before === undefined),
      ...verdicts,
      ...facts.map((now): Change => ({ is: 'fact', now })),
    ];
  }

  /** Every clause that a provider must keep. */
  verdicts(): readonly KnownVerdict[] {
    return this.#verdicts;
  }

  facts(): readonly KnownFact[] {
    return this.#facts.all();
  }

  state(): KnownState {
    return this.#state;
  }

  /** The latest run of each slot. */
  latest(): readonly Run[] {
    return [...this.#latest.values()];
  }

  /** Whether the target is judged everywhere. */
  answering(): Answering {
    return this.#answers.is();
  }

  /** The latest of the runs that prevent a judgement of the provider; undefined when it is judged everywhere. */
  unanswered(): Run | undefined {
    return this.#latestWhere(
      (place, { result }) => this.#answers.isSilent(place) && result.outcome === 'unreachable',
    );
  }

  /** An endpoint whose answers prove nothing, and why, in one line: the latest such run. */
  unproven(): string | undefined {
    const run = this.#latestWhere((place) => this.#answers.isUnproven(place));
    return run?.result.unproven && `${run.result.endpoint}: ${run.result.unproven}`;
  }

  #latestWhere(isMeant: (place: string, run: Run) => boolean): Run | undefined {
    const meant = [...this.#latest].filter(([place, run]) => isMeant(place, run));
    return meant.map(([, run]) => run).reduce<Run | undefined>(later, undefined);
  }

  /** Undefined while any place gets an answer that can be judged. */
  outage(): Outage | undefined {
    const since = this.#unansweredSince;
    if (since === undefined) return undefined;
    return { since, detail: this.unanswered()?.result.detail ?? 'no answer that can be judged' };
  }

  /** What the state file holds besides runs and verdicts. */
  saved(): { readonly answers: object; readonly observed: object } {
    const facts = this.#facts;
    return {
      answers: this.#answers.saved(),
      // A getter, because most runs observe nothing.
      get observed() {
        return facts.saved();
      },
    };
  }

  /** Whether the latest run of a probe on each of its endpoints has passed. */
  passes({ name }: Probe): boolean {
    const own = this.latest().filter(({ result }) => result.probe.name === name);
    return own.every(({ result }) => result.outcome === 'passed');
  }

  /** Why this run may see a valid token refused, if that is known; undefined for probes that others depend on. */
  disturbed({ stage }: Probe, endpoint: Endpoint): string | undefined {
    if (stage === 'first') return undefined;
    const results = this.latest().map(({ result }) => result);
    return disturbance(results, endpoint);
  }

  #revise(since: number): Change[] {
    const changes: Change[] = [];
    this.#verdicts = judge(this.#places, this.#probes, this.#latest).map((now, index) => {
      const before = this.#verdicts[index];
      if (before?.verdict === now.verdict) return { ...now, since: before.since };
      const revised = { ...now, since };
      changes.push({ is: 'verdict', now: revised, before: before?.verdict ?? 'unverified' });
      return revised;
    });
    return changes;
  }

  #restate(run: Run, isFirst: boolean): Change[] {
    this.#answers.take(placeOf(run), gotBy(run), isFirst);
    if (this.#answers.is() !== 'nowhere') this.#unansweredSince = undefined;
    else this.#unansweredSince ??= run.startedAt;
    const from = this.#state.is;
    const is = this.#stateNow();
    if (is === from) return [];
    const isHidden = is === 'unreachable' || is === 'partly';
    const why = isHidden ? (this.unanswered()?.result.detail ?? this.unproven()) : undefined;
    this.#state = { is, since: run.startedAt };
    return [{ is: 'state', from, to: is, why }];
  }

  #stateNow(): TargetState {
    return stateOf(this.#verdicts, this.#answers.is(), this.#awaited <= 0);
  }
}

const isHurried = ({ result }: Run, places: readonly RunPlace[]): boolean =>
  places.find(({ probe }) => probe.name === result.probe.name)?.unhurried === undefined;

/** The later of two runs, for `reduce`. */
export const later = (found: Run | undefined, run: Run): Run =>
  found === undefined || run.startedAt >= found.startedAt ? run : found;

function stateOf(
  clauses: readonly ClauseVerdict[],
  answering: Answering,
  complete: boolean,
): TargetState {
  if (clauses.some(({ verdict }) => verdict === 'violated')) return 'broken';
  if (answering === 'nowhere') return 'unreachable';
  if (answering === 'partly') return 'partly';
  if (!complete) return 'waiting';
  if (!clauses.some(({ verdict }) => verdict === 'holds')) return 'unverified';
  return answering === 'unproven' ? 'partly' : 'holds';
}
