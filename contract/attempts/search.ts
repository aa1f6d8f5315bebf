import type { Answer } from '../http/answer.ts';

/** How a list of deviating requests is sent, and what their answers mean. */
export interface Question<Attempt> {
  /** One request with all of these; undefined if it gets no answer. @throws Unreachable if the provider is down */
  send(group: readonly Attempt[]): Promise<Answer | undefined>;
  /** Whether an answer is the refusal that it must be. Then no part of the request needs a closer look. */
  isRefusal(answer: Answer, group: readonly Attempt[]): boolean;
  /** Whether any other answer shows that the request was let in. */
  isFault(answer: Answer, group: readonly Attempt[]): Promise<boolean>;
  /**
   * Whether such requests reach the guard at all. If a server turns them away because of their kind, halving them shows
   * nothing.
   */
  reachesGuard?(group: readonly Attempt[]): Promise<boolean>;
  /** Records a fault: by one attempt, or by several that only work together. */
  report(group: readonly Attempt[], answer: Answer): Promise<void>;
  /** Called if requests were turned away and not looked at closely. */
  unproven?(group: readonly Attempt[]): void;
}

/** So many faults are reported; the others are not examined. */
const mostFound = 3;
/** The most requests for halving. */
const mostHalves = 60;

/**
 * Sends groups of attempts, each in one request. A request that is not refused is halved, until the smallest group is
 * known that is not refused: whether it was let in or turned away, because a server that turns a request away has not
 * let the guard check its other parts.
 */
export async function search<Attempt>(
  groups: readonly (readonly Attempt[])[],
  question: Question<Attempt>,
): Promise<void> {
  const answers = await Promise.all(groups.map((group) => question.send(group)));
  const halving = new Halving(question);
  for (const [index, group] of groups.entries()) await halving.judge(group, answers[index]);
}

class Halving<Attempt> {
  readonly #question: Question<Attempt>;
  #found = 0;
  #left = mostHalves;

  constructor(question: Question<Attempt>) {
    this.#question = question;
  }

  /** @param isHalf whether the group is a part of a larger one @returns whether it has a fault */
  async judge(
    group: readonly Attempt[],
    answer: Answer | undefined,
    isHalf = false,
  ): Promise<boolean> {
    const question = this.#question;
    if (this.#found >= mostFound) return false;
    if (answer !== undefined && question.isRefusal(answer, group)) return false;
    const isFault = answer !== undefined && (await question.isFault(answer, group));
    if (group.length > 1 && (isFault || isHalf || (await this.#reachesGuard(group)))) {
      if (this.#left >= 2 && (await this.#judgeHalves(group))) return true;
      if (this.#left < 2 && !isFault) question.unproven?.(group);
    }
    if (!isFault || this.#found >= mostFound) return false;
    this.#found += 1;
    await question.report(group, answer);
    return true;
  }

  async #reachesGuard(group: readonly Attempt[]): Promise<boolean> {
    return (await this.#question.reachesGuard?.(group)) ?? true;
  }

  async #judgeHalves(group: readonly Attempt[]): Promise<boolean> {
    this.#left -= 2;
    const middle = Math.ceil(group.length / 2);
    let isFound = false;
    for (const half of [group.slice(0, middle), group.slice(middle)])
      isFound = (await this.judge(half, await this.#question.send(half), true)) || isFound;
    return isFound;
  }
}
