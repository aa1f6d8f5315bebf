import { type Clause, type MustId, mustHold } from '../../contract/clauses.ts';
import { changedFacts, type KnownFact } from './facts.ts';
import { headline, type Status, whyNotJudged } from './status.ts';

/** Something that a round has changed: a line of the log, with its fields. */
export interface Change {
  /** `debug` lines are not written: a repeated verification of a clause is not news. */
  readonly level: 'debug' | 'info' | 'warn';
  readonly text: string;
  readonly event: 'state' | 'verdict' | 'observation';
  readonly [field: string]: unknown;
}

/** The difference of two statuses of one target: what the log reports. */
export const changesBetween = (before: Status, after: Status): Change[] => [
  ...(before.state === after.state ? [] : [stateChange(before, after)]),
  ...mustHold
    .filter(({ id }) => before.clauses[id].verdict !== after.clauses[id].verdict)
    .map((clause) => verdictChange(clause, before, after)),
  ...changedFacts(before, after).map(factChange),
];

function stateChange({ state: before }: Status, after: Status): Change {
  const { state } = after;
  const why = whyNotJudged(after);
  return {
    level: ['violated', 'unreachable', 'partly'].includes(state) ? 'warn' : 'info',
    text: why === undefined ? headline[state] : `${headline[state]}: ${why}`,
    event: 'state',
    state,
    before,
  };
}

function verdictChange({ id, text }: Clause<MustId>, earlier: Status, after: Status): Change {
  const { verdict, reason, findings } = after.clauses[id];
  const before = earlier.clauses[id].verdict;
  return {
    level: verdict === 'violated' ? 'warn' : before === 'violated' ? 'info' : 'debug',
    text: `${id} ${verdict}: ${text}`,
    event: 'verdict',
    clause: id,
    verdict,
    before,
    reason,
    finding: findings[0],
  };
}

const factChange = ({ id, fact, value, before = '' }: KnownFact): Change => ({
  level: 'info',
  text: `${id} has changed: ${fact}: ${value} (before: ${before})`,
  event: 'observation',
  id,
  fact,
  value,
  before,
});
