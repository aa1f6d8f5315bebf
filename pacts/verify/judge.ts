import { at, field, isObject, parsedJson } from '../../contract/json-value.ts';
import { masked } from '../../contract/secrets/masked.ts';
import { PactError } from '../pact.ts';
import type { Cleaning, InteractionResult, Mismatch } from './verification.ts';
import type { Visit } from './visit.ts';

/** The results of Pact's core for a copy are contradictory: a defect of this suite, never a verdict. */
class Incredible extends Error {
  override readonly name = 'Incredible';
}

/**
 * The result of each interaction that was sent. A success needs two sources. The core reports OK exactly once.
 * The relay has seen exactly one setup of its states and exactly one request.
 * @param results the results of the core, which name the marks of the interactions
 * @throws Incredible when the core and the relay do not agree
 * @throws PactError when the core cannot read the pact
 */
export function judged(
  visits: readonly (readonly [mark: string, visit: Visit])[],
  results: unknown,
  { foreign: clean, own }: Cleaning,
): InteractionResult[] {
  const byMark = resultsByMark(results);
  return visits.map(([mark, visit]) => {
    const { interaction, ended, teardownFailure } = visit;
    const sent = { interaction, asked: visit.request && own(visit.request) };
    if (ended !== undefined)
      return { ...sent, ending: ended.ending, reason: clean(ended.reason), mismatches: [] };
    const found = byMark.get(mark) ?? [];
    if (isUnsendable(visit, found))
      return { ...sent, ending: 'unverified', reason: unsendable, mismatches: [] };
    const mismatches = mismatchesOf(witnessed(visit, found), clean);
    if (mismatches.length > 0) return { ...sent, ending: 'failed', mismatches };
    const reason = teardownFailure && clean(teardownFailure);
    const ending = reason === undefined ? 'verified' : 'unverified';
    return { ...sent, ending, reason, mismatches };
  });
}

const unsendable = 'Pact cannot send the request: a state gave a value that no header can hold';

/** Whether the core refused to send a request because of a header. Its message quotes the value. */
const isUnsendable = ({ setUps, requests }: Visit, [result]: readonly unknown[]): boolean =>
  setUps === 1 &&
  requests === 0 &&
  String(at(result, 'mismatch', 'message')).startsWith('Invalid header value');

/** The core's only result for an interaction, which had one setup and one request. @throws Incredible */
function witnessed({ setUps, requests }: Visit, results: readonly unknown[]): unknown {
  if (results.length !== 1)
    throw new Incredible(`Pact's core gave ${results.length} results for one interaction`);
  if (setUps !== 1 || requests !== 1)
    throw new Incredible(`one interaction was set up ${setUps} times and asked ${requests} times`);
  return results[0];
}

function resultsByMark(results: unknown): Map<string, unknown[]> {
  const parsed = parsedJson(String(results));
  const list = field(parsed, 'interactionResults');
  if (!Array.isArray(list)) throw new Incredible(`Pact's core gave no results: ${results}`);
  const why = list.length === 0 ? whyUnread(parsed) : undefined;
  if (why !== undefined) throw new PactError(`Pact cannot read it: ${why}`);
  return Map.groupBy(list, (result: unknown) => {
    const states = field(result, 'providerStates');
    return Array.isArray(states) ? String(states[0]) : '';
  });
}

/** Why the core could not load the pact. The name of the copy's file is removed, because users do not know it. */
function whyUnread(results: unknown): string | undefined {
  const [error] = [field(results, 'errors')].flat();
  const message = at(error, 'mismatch', 'message');
  return field(error, 'interaction') === 'Failed to load pact' && typeof message === 'string'
    ? message.replace(/^Failed to load pact '.*?' - /, '')
    : undefined;
}

/** The most differences that a result holds. */
export const mismatchesAtMost = 50;

/** The differences; empty means OK. @throws Incredible when the verdict and the differences do not agree */
function mismatchesOf(result: unknown, clean: (text: string) => string): Mismatch[] {
  const list = at(result, 'mismatch', 'mismatches');
  const found = Array.isArray(list) ? list.filter(isObject) : [];
  const verdict = field(result, 'result');
  if (verdict === 'OK' && found.length === 0) return [];
  if (verdict === 'Error' && found.length > 0)
    return found
      .toSorted(statusFirst)
      .slice(0, mismatchesAtMost)
      .map((one) => mismatch(one, clean));
  throw new Incredible(`Pact's core gave no verdict: ${JSON.stringify(result)}`);
}

/** Puts a different status first, because it explains a different body. */
const statusFirst = (one: Record<string, unknown>, other: Record<string, unknown>): number =>
  Number(other.type === 'StatusMismatch') - Number(one.type === 'StatusMismatch');

function mismatch(found: Record<string, unknown>, clean: (text: string) => string): Mismatch {
  const { type, path, key, expected, actual, mismatch: sentence } = found;
  const where =
    type === 'StatusMismatch'
      ? 'the status'
      : type === 'HeaderMismatch'
        ? `the header ${key}`
        : `the body${path === undefined || path === '$' ? '' : ` at ${path}`}`;
  return {
    expected: clean(shown(expected)),
    received: clean(withoutCredentials(shown(actual))),
    what: clean(withoutCredentials(`${where}: ${shown(sentence)}`)),
  };
}

/** Texts are cut to this length here, and to a shorter one when they are shown. */
const longest = 4096;

/** A response may hold a credential that this suite does not know, such as a session. Results go to the broker. */
const withoutCredentials = (text: string): string => masked(text.slice(0, longest));

/** Pact's core gives an empty text for a header that is missing. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)) || 'nothing';
