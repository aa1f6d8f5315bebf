import type { Answer } from '../http/answer.ts';
import type { CallOptions } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { Exchanged } from '../judge/repetitions.ts';
import type { World } from '../probe.ts';

/** How groups of attempts are sent, and what their answers mean. */
export interface Question<Attempt> {
  /** A plain request with a valid token: it shows whether the provider is down when others get no answer. */
  readonly valid: CallOptions;
  /** One request with all of these. */
  request(group: readonly Attempt[]): CallOptions;
  /** Whether an answer is the refusal that it must be. Then no part of the request needs a closer look. */
  isRefusal(answer: Answer, group: readonly Attempt[]): boolean;
  /** Whether any other answer shows that the request was let in. */
  isFault(answer: Answer, group: readonly Attempt[]): Promise<boolean>;
  /** Whether such requests reach the guard. If a server turns their kind away, halving them shows nothing. */
  reachesGuard?(group: readonly Attempt[]): Promise<boolean>;
  /** Records a fault: by one attempt, or by several that only work together. */
  report(group: readonly Attempt[], exchanged: Exchanged): Promise<void>;
  /** Called if requests were turned away and not looked at closely. */
  unproven?(group: readonly Attempt[]): void;
}

/** The endpoint's answer to an unusual request; undefined if it gets none. */
export const answerTo = ({ service, endpoint }: World, options: CallOptions, to = endpoint) =>
  orNothing(service.call(to, options));

/**
 * Sends groups of attempts, each in one request. A request that is not refused is halved, until the smallest group is
 * known that is not refused: whether it was let in or turned away, because a server that turns a request away has not
 * let the guard check its other parts.
 * @param left how many faults are still reported, and how many requests for halves are still sent
 * @returns whether a fault was found @throws Unreachable if the provider is down
 */
export async function search<Attempt>(
  world: World,
  groups: readonly (readonly Attempt[])[],
  question: Question<Attempt>,
  left = { faults: 3, requests: 60 },
  areHalves = false,
): Promise<boolean> {
  const answers = await Promise.all(groups.map((one) => answerTo(world, question.request(one))));
  if (!areHalves && answers.includes(undefined))
    await world.service.call(world.endpoint, question.valid);
  let isFound = false;
  for (const [index, group] of groups.entries()) {
    const answer = answers[index];
    if (left.faults === 0 || (answer && question.isRefusal(answer, group))) {
      if (answer?.status === 401) world.contract.record.sawRefusal = true;
      continue;
    }
    const isFault = answer !== undefined && (await question.isFault(answer, group));
    const isHalved =
      group.length > 1 &&
      (isFault || areHalves || ((await question.reachesGuard?.(group)) ?? true));
    let isInHalf = false;
    if (isHalved && left.requests > 0) {
      left.requests -= 2;
      const middle = Math.ceil(group.length / 2);
      const halves = [group.slice(0, middle), group.slice(middle)];
      isInHalf = await search(world, halves, question, left, true);
    }
    if (isFault && !isInHalf && left.faults > 0) {
      left.faults -= 1;
      const again = () => world.service.call(world.endpoint, question.request(group));
      await question.report(group, { answer, again });
    } else if (isHalved && !isInHalf && left.requests === 0) question.unproven?.(group);
    isFound ||= isFault || isInHalf;
  }
  return isFound;
}
