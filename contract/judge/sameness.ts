import { type Answer, jsonOf } from '../http/answer.ts';
import { under } from '../http/client.ts';
import { isObject } from '../json-value.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import { madeUp } from '../token-form.ts';

/** Whether values of members other than `message` count, or only their presence: a body may quote its path. */
type Compared = 'values' | 'names';

type Send = () => Promise<Answer | undefined>;

/**
 * The order in which the two kinds are requested. No rotation over up to seven servers sends each kind to its own
 * servers. Servers that are chosen at random do so once in four million times.
 */
const order = 'ABAABBABBBAABAABABBABBAA';

/** One of two servers is missed once in half a million times. */
const mostLooks = 20;

/**
 * Compares the bodies of two kinds of 401, member by member. A member that differs in the first pair is sampled
 * further, until it is clear whether the kind of 401 explains the difference. Identifiers and times differ from
 * answer to answer, and the name of a server differs from server to server. A member counts when each kind has values
 * of its own, which recur and which the other kind never has. Another status belongs to ERROR-1, and a body that is
 * not an object to ERROR-2. Returns the difference, and the second refusal.
 * @param spread sends a request over a connection of its own, with a header that differs each time. A load balancer may
 * choose the server by the Authorization header or by the connection, which are the same in all requests of a kind. If
 * these answers vary and those of each kind do not, the servers explain the difference.
 */
export async function difference(
  first: Send,
  second: Send,
  compared: Compared,
  spread?: Send,
): Promise<{ readonly answer: Answer; readonly message: string } | undefined> {
  const bodies: Members[][] = [[], []];
  let answerOfSecond: Answer | undefined;
  let names: readonly string[] | undefined;
  for (const letter of order) {
    const kind = letter === 'A' ? 0 : 1;
    const send = kind === 0 ? first : second;
    let answer = await send();
    // A proxy answers one of so many requests itself: that must not end the comparison.
    if (answer?.status !== 401) answer = await send();
    const members = membersOf(answer, compared);
    if (answer === undefined || members === undefined) return undefined;
    bodies[kind]?.push(members);
    if (kind === 1) answerOfSecond ??= answer;
    if (answerOfSecond === undefined) continue;
    names ??= [...new Set(bodies.flat().flatMap((body) => [...body.keys()]))];
    names = names.filter((name) => mayDistinguish(bodies, name));
    if (names.length === 0) return undefined;
  }
  const different = (names ?? []).filter((name) => bodies.every((kind) => recur(kind, name)));
  const looks: Members[] = [];
  for (let look = 0; spread && different.length > 0 && look < mostLooks; look++) {
    const members = membersOf(await spread(), compared);
    if (members !== undefined) looks.push(members);
  }
  const explained = different.filter(
    (name) => !vary(looks, name) || bodies.some((kind) => vary(kind, name)),
  );
  if (explained.length === 0 || answerOfSecond === undefined) return undefined;
  const message = explained.map((name) => `${name} differs`).join(', ');
  return { answer: answerOfSecond, message };
}

/**
 * The answer to each request of a kind equals that to a missing token (ERROR-4).
 * @param token a valid one @throws Unreachable
 */
export async function refusesAlike(
  { service, endpoint, contract }: World,
  token: Token,
  { control, reason }: { readonly control: Answer; readonly reason: string },
  refused: Send,
): Promise<void> {
  const missing = () => contract.missing({}, { control, reason: 'no token was sent' });
  // A guard need not look at a made-up token under another scheme to refuse it.
  const spread = () =>
    service.connection((own) => own.call(endpoint, under('Basic', madeUp(token))));
  const unequal = await difference(missing, refused, 'values', spread);
  if (unequal === undefined) return;
  const expected = 'the same answer as to a missing token';
  contract.violated('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
}

/** The members of a body by their names, and their values as JSON. */
type Members = ReadonlyMap<string, string>;

/** The members of a 401; undefined for another answer, and if its body is not an object. */
function membersOf(answer: Answer | undefined, compared: Compared): Members | undefined {
  const json = answer?.status === 401 ? jsonOf(answer) : undefined;
  if (json?.is !== 'json' || !isObject(json.value)) return undefined;
  return new Map(
    Object.entries(json.value).map(([name, value]) => [
      name,
      compared === 'values' || name === 'message' ? JSON.stringify(value) : 'present',
    ]),
  );
}

const valuesOf = (bodies: readonly Members[], name: string): string[] =>
  bodies.map((body) => body.get(name) ?? 'absent');

/** Whether no value was seen in both kinds, and neither kind has a new value in each of its first three answers. */
function mayDistinguish(bodies: readonly (readonly Members[])[], name: string): boolean {
  const [ones = [], others = []] = bodies.map((kind) => valuesOf(kind, name));
  if (ones.some((value) => others.includes(value))) return false;
  return ![ones, others].some((values) => new Set(values.slice(0, 3)).size === 3);
}

/** Whether every value was seen more than once. */
function recur(bodies: readonly Members[], name: string): boolean {
  const values = valuesOf(bodies, name);
  return values.every((value) => values.indexOf(value) !== values.lastIndexOf(value));
}

const vary = (bodies: readonly Members[], name: string): boolean =>
  new Set(valuesOf(bodies, name)).size > 1;
