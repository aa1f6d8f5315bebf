import { type Clause, type MustId, mustHold } from '../../contract/clauses.ts';
import type { KnownFact } from './facts.ts';
import type { KnownVerdict, Status, TargetState } from './status.ts';

/** Something that a round has changed. */
export type Change =
  | {
      readonly type: 'state';
      readonly from: TargetState;
      readonly to: TargetState;
      /** For `unreachable` and `partly`: the reason, in one line. */
      readonly why?: string;
    }
  | {
      readonly type: 'verdict';
      readonly clause: Clause<MustId>;
      readonly now: KnownVerdict;
      readonly before: KnownVerdict['verdict'];
    }
  | { readonly type: 'fact'; readonly now: KnownFact };

/** The difference of two statuses of one target: what the log reports. */
export function changesBetween(before: Status, after: Status): Change[] {
  const changes: Change[] = [];
  if (before.state !== after.state)
    changes.push({ type: 'state', from: before.state, to: after.state, why: whyNotJudged(after) });
  for (const clause of mustHold) {
    const now = after.clauses[clause.id];
    const { verdict } = before.clauses[clause.id];
    if (now.verdict !== verdict) changes.push({ type: 'verdict', clause, now, before: verdict });
  }
  for (const now of after.facts)
    if (now.before !== undefined && !before.facts.includes(now))
      changes.push({ type: 'fact', now });
  return changes;
}

/** Why a target is not judged everywhere, for a state that says so. */
export const whyNotJudged = ({ state, silence, unproven }: Status): string | undefined =>
  state === 'unreachable' || state === 'partly' ? (silence?.detail ?? unproven) : undefined;
