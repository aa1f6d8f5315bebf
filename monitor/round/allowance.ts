/** How many requests a target gets in a period: with one endpoint, for each further one, and more at first. */
const usual = { first: 12, further: 3, opening: 18 };

/** After a 429 the monitor sends this share of the requests that were granted in the minute before. */
const share = 0.8;
const minPerMinute = 6;

/** A provider that asks for a longer pause gets one request in this time. */
const maxPauseMs = 60_000;

/** After an hour without a 429 the allowance grows by half. */
const recoveryMs = 3_600_000;
const growth = 1.5;

/** Enough for a token and for the longest run that has no parts. */
const minRoundRequests = 10;

/** The requests of the quick probes in an hour besides the control, and those of all lists in a day. */
const slower = { service: 3 * 12, endpoint: 4 * 12, lists: 700 };

/** The most requests to a target if the provider sets no limit: in a period, in the first period, and in a day. */
export function computeMaxRequests(endpoints: number, periodSeconds: number) {
  const perPeriod = usual.first + usual.further * (endpoints - 1);
  const perHour = (1 + 2 * endpoints) * 60 + slower.service + slower.endpoint * endpoints;
  const perDay = perHour * 24 * (60 / periodSeconds) + slower.lists;
  return { perPeriod, opening: perPeriod + usual.opening, perDay: Number(perDay.toPrecision(2)) };
}

interface AllowanceOptions {
  readonly endpoints: number;
  readonly tickSeconds: number;
  readonly now: () => number;
}

/** How many requests may be sent to a target in a tick. Answers of 429 reduce it, and it grows again slowly. */
export class Allowance {
  readonly #options: AllowanceOptions;
  readonly #usual: number;
  #perTick: number;
  #balance: number;
  #sentAt: number[] = [];
  #hasBegun = false;
  #changedAt: number;
  /** When the last pause ends that the provider asked for. */
  #shutUntil = Number.NEGATIVE_INFINITY;

  constructor(options: AllowanceOptions) {
    this.#options = options;
    this.#usual = computeMaxRequests(options.endpoints, options.tickSeconds).perPeriod;
    this.#perTick = this.#usual;
    this.#balance = usual.opening;
    this.#changedAt = options.now();
  }

  /** Begins a tick. @returns how many requests may be sent at it: none during a pause */
  beginTick(): number {
    const now = this.#options.now();
    if (now < this.#shutUntil) return 0;
    if (this.#perTick < this.#usual && now - this.#changedAt >= recoveryMs) {
      this.#perTick = Math.min(this.#usual, this.#perTick * growth);
      this.#changedAt = now;
    }
    const opening = this.#hasBegun ? 0 : usual.opening;
    const max = Math.max(this.#perTick, minRoundRequests) + opening;
    this.#hasBegun = true;
    // Rounds that find violations send more. At most one tick pays for that, so that the control does not wait long.
    const balance = Math.max(this.#balance, -this.#perTick);
    this.#balance = Math.min(balance + this.#perTick, max);
    return this.#balance;
  }

  noteRequest(): void {
    this.#balance -= 1;
    const now = this.#options.now();
    this.#sentAt = [...this.#sentAt.filter((at) => now - at < 60_000), now];
  }

  /** The provider answered 429. @param pauseMs how long it asks to wait */
  noteLimit(pauseMs: number): void {
    const { now, tickSeconds } = this.#options;
    const at = now();
    this.#shutUntil = at + Math.min(pauseMs, maxPauseMs);
    const granted = this.#sentAt.filter((sentAt) => at - sentAt < 60_000).length - 1;
    const inMinute = Math.max(minPerMinute, Math.floor(granted * share));
    this.#perTick = Math.min(this.#perTick, (inMinute * tickSeconds) / 60);
    this.#balance = 0;
    this.#changedAt = at;
  }
}
