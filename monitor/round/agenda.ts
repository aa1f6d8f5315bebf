import type { Part } from '../../contract/judge/findings.ts';
import { isIntrusive } from '../../contract/probe.ts';
import { Allowance } from './allowance.ts';
import { isControl, type Place } from './plan.ts';
import { classifyProof, type Run } from './run.ts';

/** The longest time until places that failed run again. */
const maxRetryDelayMs = 15_000;

/** Answers of 401 in a tick. A minute may have two ticks, so a firewall that bans after fifty never sees enough. */
const maxRefusals = 22;

/** Requests of one part of a long list, besides its controls. */
const maxPartRequests = 6;
const controlsPerPart = 3;

/** After this number of ticks without a part of any list, a list comes first. */
const maxTicksWithoutPart = 4;

/** What the runs of a place that count have shown. */
export interface KnownPlace {
  /** How long ago the last one was (milliseconds). */
  readonly agoMs: number;
  /** The row of its list with which the next run begins. */
  readonly nextRow?: number;
  /** Whether it could not be judged, or was not a success. */
  readonly failure?: 'unjudged' | 'failed';
}

/** A place that is due, and the part of its lists to send. */
export interface DueRun {
  readonly place: Place;
  readonly part?: Part;
}

interface AgendaOptions {
  readonly places: readonly Place[];
  readonly tickSeconds: number;
  /** What is known now, by the place's key. */
  readonly readPlace: (key: string) => KnownPlace | undefined;
  readonly now: () => number;
}

/** Decides which places run: a period after their last run, or earlier after a failure, within the allowance. */
export class Agenda {
  readonly allowance: Allowance;
  readonly #options: AgendaOptions;
  /** The tick of the last run of each place; negative if it ran before the monitor started. */
  readonly #lastTicks = new Map<Place, number>();
  /** How many ticks apart its last two runs were. */
  readonly #intervals = new Map<Place, number>();
  readonly #costs = new Map<Place, number>();
  #toRepeat = new Set<Place>();
  #tick = 0;
  #isRegularTick = true;
  #lastListTick = 0;

  constructor(options: AgendaOptions) {
    const { places, tickSeconds, now } = options;
    this.#options = options;
    const endpoints = new Set(places.map(({ endpoint }) => endpoint)).size;
    this.allowance = new Allowance({ endpoints, tickSeconds, now });
    for (const place of places) this.#restore(place);
  }

  /** The due places, in the order of a round. @param tick absent between two ticks, when only failed places run */
  due(tick?: number): readonly DueRun[] {
    const toRepeat = this.#toRepeat;
    this.#toRepeat = new Set();
    this.#isRegularTick = tick !== undefined;
    if (tick === undefined)
      return [...toRepeat].map((place) => this.#planRun(place, maxPartRequests));
    this.#tick = tick;
    const { places } = this.#options;
    const sorted = places
      .map((place) => ({ place, urgency: this.#computeUrgency(place) }))
      .filter(({ urgency }) => urgency > 0)
      .toSorted((a, b) => b.urgency - a.urgency);
    const chosen = this.#affordable(sorted.map(({ place }) => place));
    return places.flatMap((place) => chosen.get(place) ?? []);
  }

  /** The time until failed places run again, if that is before the next tick. */
  retryDelayMs(): number | undefined {
    if (this.#toRepeat.size === 0) return undefined;
    return Math.min((this.#options.tickSeconds * 1000) / 4, maxRetryDelayMs);
  }

  /** The period of the control in seconds, if it is longer than configured. */
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

  /** Records a run that counts. Call it before the status changes: it compares the run with `readPlace`. */
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
    const mayRepeat =
      this.#isRegularTick && !isIntrusive(place.probe) && run.reason !== 'credentials';
    if (failure !== undefined && failure !== before && mayRepeat) this.#toRepeat.add(place);
    // After an outage, a place whose turn is once a day must not stay unjudged for a day.
    if (failure === undefined && before !== undefined)
      for (const candidate of this.#options.places)
        if (this.#findFailure(candidate) === 'unjudged' && candidate !== place)
          this.#lastTicks.delete(candidate);
  }

  /** The most urgent places that the allowance and the limit of refusals permit. */
  #affordable(sorted: readonly Place[]): Map<Place, DueRun> {
    // The token of the round is a request too.
    let requests = this.allowance.beginTick() - 1;
    let refusals = maxRefusals;
    const chosen = new Map<Place, DueRun>();
    for (const place of sorted) {
      const due = this.#planRun(place, Math.floor(requests) - controlsPerPart);
      const { most = 1 } = due.part ?? {};
      const cost = due.part === undefined ? this.#estimateCost(place) : most + controlsPerPart;
      const newRefusals = countRefusals(place, cost);
      if (cost > requests || newRefusals > refusals || most < 1) continue;
      requests -= cost;
      refusals -= newRefusals;
      chosen.set(place, due);
    }
    return chosen;
  }

  #planRun(place: Place, room: number): DueRun {
    if (!sendsLists(place)) return { place };
    const most = Math.min(maxPartRequests, room);
    return { place, part: { from: this.#options.readPlace(place.key)?.nextRow ?? 0, most } };
  }

  #estimateCost(place: Place): number {
    const core = isControl(place) ? 2 : 4;
    const usual = place.probe.scope === 'core' ? core : maxPartRequests + controlsPerPart;
    return Math.min(this.#costs.get(place) ?? usual, maxPartRequests + controlsPerPart);
  }

  /** How urgent a place is: 0 if it is not due. Lists are less urgent than all others, unless they waited long. */
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
   * Lists that got no answer in an outage that has ended come first. Lists that get none although others do come last.
   * At every second tick a list that found a violation comes before the other lists, so that an alert ends soon.
   */
  #rankList(place: Place): number {
    if (this.#isSilent(place)) return 0;
    const isDue = this.#options.readPlace(place.key)?.nextRow !== undefined || this.#isDue(place);
    const failure = this.#findFailure(place);
    if (failure === 'unjudged' && !this.#lastTicks.has(place)) return 0.9;
    if (failure === 'failed') return this.#tick % 2 === 0 ? 0.85 : 0.7;
    if (!isDue) return 0;
    return failure === 'unjudged' ? 0.6 : 0.8;
  }

  /** The failure for which a place must run again early. Wrong credentials are never sent early. */
  #findFailure({ key, probe }: Place): KnownPlace['failure'] {
    return isIntrusive(probe) ? undefined : this.#options.readPlace(key)?.failure;
  }

  #isDue(place: Place): boolean {
    const last = this.#lastTicks.get(place);
    return last === undefined || this.#tick - last >= this.#ticksBetweenRuns(place);
  }

  /** Whether the control of its endpoint proves nothing: then no other request would either. */
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
    const earlier = this.#options.readPlace(place.key);
    if (earlier === undefined || this.#findFailure(place) === 'unjudged') return;
    const ticks = Math.round(earlier.agoMs / 1000 / this.#options.tickSeconds);
    this.#lastTicks.set(place, -Math.max(1, ticks));
  }
}

/** How many answers of 401 a run expects: all but its control. The first probes of the service expect one. */
const countRefusals = ({ probe }: Place, cost: number): number =>
  probe.scope === 'service' && probe.stage === 'first' ? 1 : cost - 1;

/** Whether its probe may send long lists of requests. */
const sendsLists = ({ probe }: Place): boolean => probe.scope !== 'core' && probe.stage !== 'first';

function failureIn(run: Run): KnownPlace['failure'] {
  const kind = classifyProof(run);
  if (kind === 'no answer' || kind === 'no proof') return 'unjudged';
  return run.result.outcome === 'passed' ? undefined : 'failed';
}
