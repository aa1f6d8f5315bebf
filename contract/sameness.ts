import { type Answer, isObject, jsonOf } from './answer.ts';

/** Where two refusals differ, and the second of them. */
export interface Difference {
  readonly answer: Answer;
  readonly told: string;
}

/**
 * Compares two kinds of refusal: status and each member of the body. Identifiers and times differ from answer to answer,
 * so what differs is asked for once more: only what is steady within each kind, and differs between them, counts.
 * @param values whether values of further members count, or only that they are there: a body may well name its path
 */
export async function difference(
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
  values: 'values' | 'names',
): Promise<Difference | undefined> {
  const first = [await one(), await other()] as const;
  const unlike = unlikeMembers(first[0], first[1], values);
  if (unlike.length === 0) return undefined;
  const second = [await one(), await other()] as const;
  const steady = (name: string): boolean =>
    memberOf(first[0], name, values) === memberOf(second[0], name, values) &&
    memberOf(first[1], name, values) === memberOf(second[1], name, values);
  const told = unlike
    .filter(steady)
    .map((name) => (name === '' ? `status ${first[1].status}` : `${name} differs`));
  return told.length === 0 ? undefined : { answer: first[1], told: told.join(', ') };
}

/** Names of members that differ; the empty name is the status. A body that is no object has none: that is ERROR-2's affair. */
function unlikeMembers(one: Answer, other: Answer, values: 'values' | 'names'): string[] {
  const names = new Set(['', ...membersOf(one), ...membersOf(other)]);
  return [...names].filter((name) => memberOf(one, name, values) !== memberOf(other, name, values));
}

function membersOf(answer: Answer): string[] {
  const json = jsonOf(answer);
  return json.is === 'json' && isObject(json.value)
    ? Object.keys(json.value).filter((name) => name !== '')
    : [];
}

function memberOf(answer: Answer, name: string, values: 'values' | 'names'): string {
  if (name === '') return String(answer.status);
  const json = jsonOf(answer);
  if (json.is !== 'json' || !isObject(json.value) || !Object.hasOwn(json.value, name))
    return 'absent';
  return values === 'values' || name === 'message' ? JSON.stringify(json.value[name]) : 'there';
}
