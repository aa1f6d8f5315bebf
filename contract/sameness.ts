import { type Answer, isObject, jsonOf } from './answer.ts';

/** Where two refusals differ, and the second of them. */
export interface Difference {
  readonly answer: Answer;
  readonly told: string;
}

/**
 * Compares the bodies of two kinds of 401, member by member. Identifiers and times differ from answer to answer, so
 * what differs is asked for once more: only what is steady within each kind, and differs between them, counts.
 * Another status is ERROR-1's affair, and a body that is no object ERROR-2's.
 * @param values whether values of further members count, or only that they are there: a body may well name its path
 */
export async function difference(
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
  values: 'values' | 'names',
): Promise<Difference | undefined> {
  const first = [await one(), await other()] as const;
  if (first.some(({ status }) => status !== 401)) return undefined;
  const names = [...new Set(first.flatMap(membersOf))];
  const unlike = names.filter((name) => {
    const [member, otherMember] = first.map((answer) => memberOf(answer, name, values));
    return member !== otherMember;
  });
  if (unlike.length === 0) return undefined;
  const second = [await one(), await other()] as const;
  const steady = unlike.filter((name) =>
    first.every((answer, kind) => {
      const again = second[kind];
      return again && memberOf(answer, name, values) === memberOf(again, name, values);
    }),
  );
  const told = steady.map((name) => `${name} differs`).join(', ');
  return told === '' ? undefined : { answer: first[1], told };
}

function membersOf(answer: Answer): string[] {
  const json = jsonOf(answer);
  return json.is === 'json' && isObject(json.value) ? Object.keys(json.value) : [];
}

function memberOf(answer: Answer, name: string, values: 'values' | 'names'): string {
  const json = jsonOf(answer);
  if (json.is !== 'json' || !isObject(json.value) || !Object.hasOwn(json.value, name))
    return 'absent';
  return values === 'values' || name === 'message' ? JSON.stringify(json.value[name]) : 'there';
}
