import type { Finding } from './finding.ts';
import type { Answer } from './http/answer.ts';
import { repeatOf } from './http/resending.ts';

/** When an unexpected answer becomes a finding. */
export interface Thresholds {
  /** How often the unexpected answer must be seen before it becomes a finding. */
  readonly needed: number;
  /** How often the right answer must be seen before the unexpected one counts as an accident. */
  readonly pardoned: number;
  /** How often its control is requested again, because the control may be the accident. */
  readonly controls: number;
  /**
   * Whether suspicions with the same cause are confirmed one after the other: the result of the first applies to the
   * others.
   */
  readonly inTurn: boolean;
}

const forARound: Thresholds = { needed: 4, pardoned: 4, controls: 0, inTurn: false };

/**
 * For a monitor. If one request in a hundred has an accident, a monitor meets a hundred thousand accidents a month.
 * It mistakes an accident for a fault once in 40 million times. It finds a fault that shows in half of the requests
 * in three of five runs.
 */
export const forAMonitor: Thresholds = { needed: 6, pardoned: 6, controls: 3, inTurn: true };

/** Accidents of one kind become findings when they reach this number and this share of the requests. */
const leastAccidents = 6;
const leastShare = 0.08;

interface Tally {
  judged: number;
  accidents: number;
  /** The first of the accidents, in case they turn out to be faults. */
  first?: Finding;
}

/** An answer that may be an accident, and the finding that it would become. */
export interface Suspicion {
  readonly answer: Answer;
  readonly finding: Finding;
  /** Whether an answer to the same request deserves the same finding. */
  readonly isUnexpected: (again: Answer) => boolean;
  /** The answer that this one was compared with. `explains` returns whether the finding stays with another control. */
  readonly control?: { readonly answer: Answer; readonly explains: (again: Answer) => boolean };
}

/**
 * Separates the provider's faults from accidents on the way: a proxy, a firewall or a restart answers instead of the
 * provider, usually for about one request in a hundred. If an answer is unexpected, the request is repeated at once,
 * while simulated time is stopped. This ends when the unexpected answer or the right one has been seen often enough:
 * four times in a round of the gate. With one accident in a hundred requests, an accident is mistaken for a fault
 * once in 50,000 times. A fault that shows in half of the requests is found in two of three tries, and there are many
 * tries.
 */
export class Confirmations {
  readonly #confirmed = new Set<string>();
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #tallies = new Map<string, Tally>();
  readonly #onConfirmed: ((unexpected?: number) => Promise<void>) | undefined;
  readonly #thresholds: Thresholds;

  /**
   * @param onConfirmed checks the provider as a whole, and throws when it has stopped answering; with the status of the
   * answer, if its control had another
   */
  constructor(onConfirmed?: (unexpected?: number) => Promise<void>, thresholds = forARound) {
    this.#onConfirmed = onConfirmed;
    this.#thresholds = thresholds;
  }

  /** How many unexpected answers the provider did not repeat. */
  get accidents(): number {
    return [...this.#tallies.values()].reduce((sum, { accidents }) => sum + accidents, 0);
  }

  /** Counts a request that was judged by a clause. */
  count({ clause, endpoint }: Pick<Finding, 'clause' | 'endpoint'>): void {
    this.#tally(`${clause} ${endpoint}`).judged += 1;
  }

  /** Records accidents, and the finding that they would have become. */
  excuse(finding: Finding, count = 1): void {
    const tally = this.#tally(`${finding.clause} ${finding.endpoint}`);
    tally.accidents += count;
    tally.first ??= finding;
  }

  /** @returns the finding, with how often it was seen if not always; undefined for an accident */
  async confirm(suspicion: Suspicion): Promise<Finding | undefined> {
    const { answer, finding } = suspicion;
    const { probe, clause, endpoint } = finding;
    const key = `${probe} ${clause} ${endpoint} ${answer.status}`;
    const again = repeatOf(answer);
    if (again === undefined) return finding;
    if (!this.#thresholds.inTurn) return this.#confirmOne(key, suspicion, again);
    const own = (this.#underWay.get(key) ?? Promise.resolve()).then(() =>
      this.#confirmOne(key, suspicion, again),
    );
    // If one confirmation fails, those queued behind it fail too.
    this.#underWay.set(key, own);
    return own;
  }

  async #confirmOne(
    key: string,
    { answer, finding, isUnexpected, control }: Suspicion,
    again: () => Promise<Answer>,
  ): Promise<Finding | undefined> {
    if (this.#confirmed.has(key)) return finding;
    const { needed, pardoned } = this.#thresholds;
    let seen = 1;
    let right = 0;
    while (seen < needed && right < pardoned) {
      if (isUnexpected(await again())) seen += 1;
      else right += 1;
    }
    if (seen < needed || !(await this.#isExplained(control))) {
      this.excuse(finding);
      return undefined;
    }
    const isNew = control !== undefined && control.answer.status !== answer.status;
    await this.#onConfirmed?.(isNew ? answer.status : undefined);
    if (right === 0 && !(await this.#persists(isUnexpected, again))) {
      this.excuse(finding);
      return undefined;
    }
    this.#confirmed.add(key);
    return right === 0 ? finding : { ...finding, seen: `${seen} of ${seen + right} requests` };
  }

  /** Whether the answer is still unexpected: an outage may have ended just before the provider was checked. */
  async #persists(
    isUnexpected: Suspicion['isUnexpected'],
    again: () => Promise<Answer>,
  ): Promise<boolean> {
    // A monitor runs the probe again.
    if (this.#onConfirmed === undefined || this.#thresholds.inTurn) return true;
    for (let right = 0; right < this.#thresholds.pardoned; right++)
      if (isUnexpected(await again())) return true;
    return false;
  }

  /** Whether the control is right too, and not an accident. */
  async #isExplained(control: Suspicion['control']): Promise<boolean> {
    const again = control === undefined ? undefined : repeatOf(control.answer);
    if (control === undefined || again === undefined) return true;
    for (let count = 0; count < this.#thresholds.controls; count++)
      if (!control.explains(await again())) return false;
    return true;
  }

  /** Supposed accidents that happen too often to be accidents. Call this at the end of a round. */
  tooOften(): Finding[] {
    return [...this.#tallies.values()].flatMap(({ judged, accidents, first }) =>
      first !== undefined && accidents >= leastAccidents && accidents >= leastShare * judged
        ? [{ ...first, seen: `${accidents} of ${judged} requests` }]
        : [],
    );
  }

  #tally(key: string): Tally {
    const tally = this.#tallies.get(key) ?? { judged: 0, accidents: 0 };
    this.#tallies.set(key, tally);
    return tally;
  }
}
