import { type MustId, mustHold } from '../../contract/clauses.ts';
import type { Finding, Observation } from '../../contract/finding.ts';
import { field, isNumber, isObject, phaseNames } from '../../contract/http/answer.ts';
import { reasons } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { outcomeFrom, publishedOutcome } from '../../contract/round/published-outcome.ts';
import { headline, type TargetState } from '../target/contract-status.ts';
import type { KnownFact } from '../target/known-facts.ts';
import { failureReasons, type Run } from '../target/run.ts';

/** A run as the state file stores it: the probe is stored by name. */
export function stored({ target: _, result, ...run }: Run): object {
  const { probe, outcome, ...rest } = result;
  return { ...run, outcome: { ...rest, probe: probe.name, ending: publishedOutcome(outcome) } };
}

/**
 * Reads a run back. The file may be older than this program, so every part that is shown later is checked first.
 * @returns undefined if it is not a run, or if its probe no longer runs
 */
export function runFrom(
  value: unknown,
  target: string,
  probes: ReadonlyMap<string, Probe>,
): Run | undefined {
  const result = field(value, 'outcome');
  const probe = probes.get(String(field(result, 'probe')));
  const outcome = outcomeFrom(field(result, 'ending'));
  const reason = failureReasons.find((one) => one === field(value, 'reason'));
  // Set for a probe with findings whose later requests got no answer: it shows that the probe did not finish.
  const cutShort = reasons.find((one) => one === field(result, 'reason'));
  const endpoint = field(result, 'endpoint');
  const [detail, unproven] = [field(result, 'detail'), field(result, 'unproven')];
  const numbers = [field(value, 'startedAt'), field(value, 'requests')].filter(isNumber);
  const [startedAt, requests] = numbers;
  if (probe === undefined || outcome === undefined || typeof endpoint !== 'string')
    return undefined;
  if (startedAt === undefined || requests === undefined) return undefined;
  return {
    target,
    startedAt,
    requests,
    reason,
    ...phasesFrom(field(value, 'phases')),
    result: {
      probe,
      endpoint,
      outcome,
      findings: listOf(field(result, 'findings'), isFinding),
      observations: listOf(field(result, 'observations'), isObservation),
      durationSeconds: [field(result, 'durationSeconds')].filter(isNumber)[0] ?? 0,
      reason: cutShort,
      ...(typeof detail === 'string' ? { detail } : {}),
      ...(typeof unproven === 'string' ? { unproven } : {}),
    },
  };
}

function phasesFrom(value: unknown): Pick<Run, 'phases'> {
  const [resolve, connect, tls, processing, transfer] = phaseNames.map((name) =>
    [field(value, name)].find(isNumber),
  );
  if (resolve === undefined || connect === undefined || tls === undefined) return {};
  if (processing === undefined || transfer === undefined) return {};
  return { phases: { resolve, connect, tls, processing, transfer } };
}

/** The valid items of a list. */
export const listOf = <Item>(value: unknown, is: (item: unknown) => item is Item): Item[] =>
  Array.isArray(value) ? value.filter(is) : [];

const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => typeof value[name] === 'string');

export const isClause = (id: unknown): id is MustId => mustHold.some((clause) => clause.id === id);

const isFinding = (value: unknown): value is Finding =>
  isClause(field(value, 'clause')) &&
  hasTexts(value, ['probe', 'endpoint', 'when', 'asked', 'expected', 'received']) &&
  ['seen', 'body', 'trace', 'curl'].every((name) =>
    ['string', 'undefined'].includes(typeof field(value, name)),
  );

const isObservation = (value: unknown): value is Observation =>
  hasTexts(value, ['id', 'fact', 'value']) && /^OPEN-\d+$/.test(String(field(value, 'id')));

export const isFact = (value: unknown): value is KnownFact =>
  isObservation(value) &&
  isNumber(field(value, 'since')) &&
  ['string', 'undefined'].includes(typeof field(value, 'before'));

export const isState = (value: unknown): value is TargetState =>
  typeof value === 'string' && Object.hasOwn(headline, value);
