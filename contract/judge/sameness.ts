import type { MustId } from '../clauses.ts';
import { type Answer, readJson } from '../http/answer.ts';
import { under } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { isObject } from '../json-value.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import { randomToken } from '../token-form.ts';
import type { Contrast } from './findings.ts';

/** Whether values of members other than `message` count, or only their presence: a body may quote its path. */
type Compared = 'values' | 'names';

type Send = () => Promise<Answer | undefined>;

/**
 * The order in which the two kinds are requested. No rotation over up to seven servers sends each kind to its own
 * servers. Servers that are chosen at random do so once in four million times.
 */
const order = 'ABAABBABBBAABAABABABBBAA';

/** One of two servers is missed once in half a million times. */
const maxLooks = 20;

/**
 * Compares the bodies of two kinds of 401, member by member. A member differs if all answers of a kind have one value
 * of it, and those of the other kind another one. Identifiers, times and the names of servers vary within a kind.
 * Another status belongs to ERROR-1, and a body that is not an object to ERROR-2.
 * @param spread sends a request over a connection of its own, with a header that differs each time: a load balancer may
 * choose the server by either. If a member varies in these answers, the servers explain the difference.
 * @returns the difference, and the second refusal
 */
export async function difference(
  first: Send,
  second: Send,
  compared: Compared,
  spread?: Send,
): Promise<{ readonly answer: Answer; readonly message: string } | undefined> {
  const ones: Members[] = [];
  const others: Members[] = [];
  let answerOfSecond: Answer | undefined;
  for (const letter of order) {
    const [send, bodies] = letter === 'A' ? ([first, ones] as const) : ([second, others] as const);
    // A proxy answers one of so many requests itself: that must not end the comparison.
    let answer = await send();
    if (answer?.status !== 401) answer = await send();
    const members = readMembers(answer, compared);
    if (members === undefined) return undefined;
    bodies.push(members);
    if (letter === 'B') answerOfSecond ??= answer;
    if (answerOfSecond && compareMembers(ones, others).length === 0) return undefined;
  }
  const looks: Members[] = [];
  for (let look = 0; spread && look < maxLooks; look++) {
    const members = readMembers(await spread(), compared);
    if (members !== undefined) looks.push(members);
  }
  const names = compareMembers(ones, others).filter((name) => distinct(looks, name).length <= 1);
  if (names.length === 0 || answerOfSecond === undefined) return undefined;
  return { answer: answerOfSecond, message: `${names.join(' differs, ')} differs` };
}

/**
 * A request is refused, and its answer equals that to a missing token (ERROR-4).
 * @param request the request, which may differ each time @param token a valid one
 */
export async function refusesAlike(
  { service, endpoint, contract }: World,
  token: Token,
  request: () => CallOptions,
  clause: MustId,
  contrast: Contrast,
): Promise<void> {
  const { control, reason } = contrast;
  const refused = () => contract.refuses(request(), clause, contrast);
  const missing = () => contract.missing({}, { control, reason: 'no token was sent' });
  // A guard need not look at a made-up token under another scheme to refuse it.
  const spread = () =>
    service.connection((connection) =>
      connection.call(endpoint, under('Basic', randomToken(token))),
    );
  const unequal = await difference(missing, refused, 'values', spread);
  if (unequal === undefined) return;
  const expected = 'the same answer as to a missing token';
  contract.violated('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
}

/** The members of a body by their names, and their values as JSON. */
type Members = ReadonlyMap<string, string>;

/** The members of a 401; undefined for another answer, and if its body is not an object. */
function readMembers(answer: Answer | undefined, compared: Compared): Members | undefined {
  const json = answer?.status === 401 ? readJson(answer).value : undefined;
  if (!isObject(json)) return undefined;
  return new Map(
    Object.entries(json).map(([name, value]) => [
      name,
      compared === 'values' || name === 'message' ? JSON.stringify(value) : 'present',
    ]),
  );
}

/** The different values of a member. */
const distinct = (bodies: readonly Members[], name: string): string[] => [
  ...new Set(bodies.map((body) => body.get(name) ?? 'absent')),
];

/** The members of which each kind has one value, and not that of the other kind. */
function compareMembers(ones: readonly Members[], others: readonly Members[]): string[] {
  const names = new Set([...ones, ...others].flatMap((body) => [...body.keys()]));
  return [...names].filter((name) => {
    const [[value, ...more], [other, ...further]] = [distinct(ones, name), distinct(others, name)];
    return value !== other && more.length === 0 && further.length === 0;
  });
}
