import { type MustId, mustHold } from '../../contract/clauses.ts';
import type { Finding, Observation } from '../../contract/finding.ts';
import { isPhases } from '../../contract/http/answer.ts';
import { reasons } from '../../contract/http/unreachable.ts';
import { field, isObject, numberIn, textIn } from '../../contract/json-value.ts';
import type { Probe } from '../../contract/probe.ts';
import { outcomeFrom, publishedOutcome } from '../../contract/round/outcome.ts';
import { headline, type TargetState } from '../target/contract-status.ts';
import type { KnownFact } from '../target/known-facts.ts';
import { failureReasons, type Run } from '../round/run.ts';

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
  const endpoint = textIn(result, 'endpoint');
  const startedAt = numberIn(value, 'startedAt');
  const requests = numberIn(value, 'requests');
  const phases = field(value, 'phases');
  if (probe === undefined || outcome === undefined || endpoint === undefined) return undefined;
  if (startedAt === undefined || requests === undefined) return undefined;
  return {
    target,
    startedAt,
    requests,
    reason: failureReasons.find((one) => one === field(value, 'reason')),
    phases: isPhases(phases) ? phases : undefined,
    result: {
      probe,
      endpoint,
      outcome,
      findings: listOf(field(result, 'findings'), isFinding),
      observations: listOf(field(result, 'observations'), isObservation),
      durationSeconds: numberIn(result, 'durationSeconds') ?? 0,
      // Set for a probe with findings whose later requests got no answer: it shows that the probe did not finish.
      reason: reasons.find((one) => one === field(result, 'reason')),
      detail: textIn(result, 'detail'),
      unproven: textIn(result, 'unproven'),
    },
  };
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
  numberIn(value, 'since') !== undefined &&
  ['string', 'undefined'].includes(typeof field(value, 'before'));

export const isState = (value: unknown): value is TargetState =>
  typeof value === 'string' && Object.hasOwn(headline, value);
