import type { Part } from '../../contract/judge/findings.ts';
import { isIntrusive } from '../../contract/probe.ts';
import { Allowance } from './allowance.ts';
import { isControl, type Place } from './plan.ts';
import { classifyProof, type Run } from './run.ts';

/** The longest time until places that failed run again. */
const maxRetryDelayMs = 15_000;

/** The most answers of 401 at a tick. A minute may see two: a firewall that bans after fifty never sees enough. */
const maxRefusals = 22;

/** The most requests of one part of a long list, besides its controls, and how many those are. */
const maxPartRequests = 6;
const controlsPerPart = 3;

/** After so many ticks without a part of any list, one goes before all else. */
const maxTicksWithoutPart = 4;

/** What is known of a place by its runs that count. */
export interface KnownPlace {
  /** How long ago the last one was (milliseconds). */
  readonly agoMs: number;
  /** With which row of a list the next run goes on. */
  readonly nextRow?: number;
  /** Whether it could not be judged, or was not a success. */
  readonly failure?: 'unjudged' | 'failed';
}

/** A place that is due, and which part of its lists. */
export interface Due {
  readonly place: Place;
  readonly part?: Part;
}

interface AgendaOptions {
  readonly places: readonly Place[];
  readonly tickSeconds: number;
  /** What is known now, by the place's key. */
  readonly known: (key: string) => KnownPlace | undefined;
  readonly now: () => number;
}

/** Which places are due: a period after their last run, early after a failure, and as far as the allowance reaches. */
export class Agenda {
  readonly allowance: Allowance;
  readonly #options: AgendaOptions;
  /** The tick of the last run of each place; negative before this start. */
  readonly #lastTicks = new Map<Place, number>();
  /** How many ticks apart its last two runs were. */
  readonly #intervals = new Map<Place, number>();
  readonly #costs = new Map<Place, number>();
  #toRepeat = new Set<Place>();
  #tick = 0;
  #isTick = true;
  #lastListTick = 0;

  constructor(options: AgendaOptions) {
    const { places, tickSeconds, now } = options;
    this.#options = options;
    const endpoints = new Set(places.map(({ endpoint }) => endpoint)).size;
    this.allowance = new Allowance({ endpoints, tickSeconds, now });
    for (const place of places) this.#restore(place);
  }

  /** What is due, in the order of a round. @param tick absent between two ticks: then it is what runs again */
  due(tick?: number): readonly Due[] {
    const again = this.#toRepeat;
    this.#toRepeat = new Set();
    this.#isTick = tick !== undefined;
    if (tick === undefined) return [...again].map((place) => this.#planRun(place, maxPartRequests));
    this.#tick = tick;
    const { places } = this.#options;
    const sorted = places
      .map((place) => ({ place, urgency: this.#computeUrgency(place) }))
      .filter(({ urgency }) => urgency > 0)
      .toSorted((a, b) => b.urgency - a.urgency);
    const chosen = this.#affordable(sorted.map(({ place }) => place));
    return places.flatMap((place) => chosen.get(place) ?? []);
  }

  /** In how many milliseconds something runs again, if that is before the next tick. */
  retryDelayMs(): number | undefined {
    if (this.#toRepeat.size === 0) return undefined;
    return Math.min((this.#options.tickSeconds * 1000) / 4, maxRetryDelayMs);
  }

  /** How often the control runs, if that is less often than it should: seconds. */
  stretchedToSeconds(): number | undefined {
    const { tickSeconds } = this.#options;
    const stretched = [...this.#intervals]
      .filter(([place, ticks]) => isControl(place) && ticks > this.#ticksBetweenRuns(place))
      .map(([, ticks]) => ticks * tickSeconds);
    return stretched.length === 0 ? undefined : Math.max(...stretched);
  }

  /** A run does not count: the machine was suspended during it, or the provider answered 429. */
  discard(place: Place): void {
    this.#lastTicks.delete(place);
  }

  /** Takes a run that counts, before anything else knows of it. */
  record(place: Place, run: Run): void {
    const last = this.#lastTicks.get(place);
    if (last !== undefined && last >= 0 && last < this.#tick)
      this.#intervals.set(place, this.#tick - last);
    this.#lastTicks.set(place, this.#tick);
    if (sendsLists(place)) this.#lastListTick = this.#tick;
    this.#costs.set(place, run.requests);
    const before = this.#findFailure(place);
    const failure = failureIn(run);
    // Refused credentials are not sent again early, because that might lock the account.
    const mayRepeat = this.#isTick && !isIntrusive(place.probe) && run.reason !== 'credentials';
    if (failure !== undefined && failure !== before && mayRepeat) this.#toRepeat.add(place);
    // After an outage, a place whose turn is once a day must not stay unjudged for a day.
    if (failure === undefined && before !== undefined)
      for (const candidate of this.#options.places)
        if (this.#findFailure(candidate) === 'unjudged' && candidate !== place)
          this.#lastTicks.delete(candidate);
  }

  /** The most urgent ones, as many as the allowance and the limit of refusals let. */
  #affordable(sorted: readonly Place[]): Map<Place, Due> {
    // The token of the round is a request too.
    let requests = this.allowance.beginTick() - 1;
    let refusals = maxRefusals;
    const chosen = new Map<Place, Due>();
    for (const place of sorted) {
      const due = this.#planRun(place, Math.floor(requests) - controlsPerPart);
      const { most = 1 } = due.part ?? {};
      const cost = due.part === undefined ? this.#estimateCost(place) : most + controlsPerPart;
      const refused = countRefusals(place, cost);
      if (cost > requests || refused > refusals || most < 1) continue;
      requests -= cost;
      refusals -= refused;
      chosen.set(place, due);
    }
    return chosen;
  }

  #planRun(place: Place, room: number): Due {
    if (!sendsLists(place)) return { place };
    const most = Math.min(maxPartRequests, room);
    return { place, part: { from: this.#options.known(place.key)?.nextRow ?? 0, most } };
  }

  #estimateCost(place: Place): number {
    const core = isControl(place) ? 2 : 4;
    const usual = place.probe.scope === 'core' ? core : maxPartRequests + controlsPerPart;
    return Math.min(this.#costs.get(place) ?? usual, maxPartRequests + controlsPerPart);
  }

  /** How urgent a place is: 0 if it is not due. Lists are less urgent than all others, unless they wait for long. */
  #computeUrgency(place: Place): number {
    if (sendsLists(place)) {
      const rank = this.#rankList(place);
      return rank > 0 && this.#tick - this.#lastListTick >= maxTicksWithoutPart
        ? 1000 + rank
        : rank;
    }
    const last = this.#lastTicks.get(place);
    // What failed before a restart runs again at once.
    if (last === undefined || (this.#tick === 0 && this.#findFailure(place) !== undefined))
      return Number.POSITIVE_INFINITY;
    return this.#isDue(place) ? (this.#tick - last) / this.#ticksBetweenRuns(place) : 0;
  }

  /**
   * First those that got no answer in an outage that is over, at the end those that get none although others do. What
   * has found something comes before those that are due at every second tick, so that an alert ends soon.
   */
  #rankList(place: Place): number {
    if (this.#isSilent(place)) return 0;
    const isDue = this.#options.known(place.key)?.nextRow !== undefined || this.#isDue(place);
    const failure = this.#findFailure(place);
    if (failure === 'unjudged')
      return this.#lastTicks.get(place) === undefined ? 0.9 : isDue ? 0.6 : 0;
    if (failure === 'failed') return this.#tick % 2 === 0 ? 0.85 : 0.7;
    return isDue ? 0.8 : 0;
  }

  /** Why a place must run again early. Wrong credentials are never sent early. */
  #findFailure({ key, probe }: Place): KnownPlace['failure'] {
    return isIntrusive(probe) ? undefined : this.#options.known(key)?.failure;
  }

  #isDue(place: Place): boolean {
    const last = this.#lastTicks.get(place);
    return last === undefined || this.#tick - last >= this.#ticksBetweenRuns(place);
  }

  /** Whether the control of its endpoint gets no answer that proves anything: then no other request would. */
  #isSilent({ endpoint }: Place): boolean {
    return this.#options.places.some(
      (place) =>
        place.endpoint === endpoint && isControl(place) && this.#findFailure(place) === 'unjudged',
    );
  }

  #ticksBetweenRuns({ everySeconds }: Place): number {
    return Math.max(1, Math.round(everySeconds / this.#options.tickSeconds));
  }

  /** A place whose last run could not be judged is due at once. */
  #restore(place: Place): void {
    const known = this.#options.known(place.key);
    if (known === undefined || this.#findFailure(place) === 'unjudged') return;
    const ticks = Math.round(known.agoMs / 1000 / this.#options.tickSeconds);
    this.#lastTicks.set(place, -Math.max(1, ticks));
  }
}

/** All but the controls, and of what every other probe depends on one. */
const countRefusals = ({ probe }: Place, cost: number): number =>
  probe.scope === 'service' && probe.stage === 'first' ? 1 : cost - 1;

/** Whether it may send long lists. */
const sendsLists = ({ probe }: Place): boolean => probe.scope !== 'core' && probe.stage !== 'first';

function failureIn(run: Run): KnownPlace['failure'] {
  const got = classifyProof(run);
  if (got === 'no answer' || got === 'no proof') return 'unjudged';
  return run.result.outcome === 'passed' ? undefined : 'failed';
}
