import { createHash } from 'node:crypto';
import { type Answer, jsonOf } from './http/answer.ts';
import type { Service } from './http/client.ts';
import type { Endpoint } from './http/request.ts';
import { isObject } from './json-value.ts';
import type { Token } from './secrets/secret.ts';
import { madeUpUnder } from './token-form.ts';

/** The difference between two refusals, and the second of them. */
export interface Difference {
  readonly answer: Answer;
  readonly message: string;
}

/**
 * Whether values of members other than `message` count, or only their presence: a body may quote its path. Where values
 * count, so does their presence: an identifier may come with one kind of 401 only.
 */
type Compared = 'values' | 'names';

/**
 * The order in which the two kinds are requested. No rotation over up to seven servers sends each kind to its own
 * servers. Servers that are chosen at random do so once in four million times.
 */
const order = 'ABAABBABBBAABAABABBABBAA';

/**
 * Compares the bodies of two kinds of 401, member by member. A member that differs in the first pair is sampled
 * further, until it is clear whether the kind of 401 explains the difference. Identifiers and times differ from
 * answer to answer, and the name of a server differs from server to server. A member counts when each kind has values
 * of its own, which recur and which the other kind never has. Another status belongs to ERROR-1, and a body that is
 * not an object to ERROR-2.
 * @param spread 401s to requests with different headers, over connections of their own. A load balancer may choose the
 * server by the Authorization header or by the connection, which are the same in all requests of a kind. If made-up
 * tokens get the values of both kinds, these do not tell the kinds apart. Nor do they if each kind has one value, and
 * made-up tokens get several under either scheme: under Bearer alone the values may depend on the token.
 */
export async function difference(
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
  compared: Compared,
  spread?: Spread,
): Promise<Difference | undefined> {
  const seen: readonly [Members[], Members[]] = [[], []];
  const [ones, others] = seen;
  let firstOther: Answer | undefined;
  let names: string[] | undefined;
  for (const kind of order) {
    const answer = await (kind === 'A' ? one : other)();
    const members = membersOf(answer);
    if (answer.status !== 401 || members.size === 0) return undefined;
    (kind === 'A' ? ones : others).push(members);
    if (kind === 'B') firstOther ??= answer;
    if (others.length === 0) continue;
    names ??= [...new Set([...ones, ...others].flatMap((each) => [...each.keys()]))];
    names = names.filter((name) => rowsOf(seen, name, compared).some(mayDistinguish));
    if (names.length === 0) return undefined;
  }
  const different = (names ?? []).filter((name) => rowsOf(seen, name, compared).some(isDifferent));
  if (different.length === 0 || firstOther === undefined) return undefined;
  const looked = spread ? [await lookAt(spread, 'Bearer'), await lookAt(spread, 'Basic')] : [];
  const message = different
    .filter((name) =>
      rowsOf([...seen, ...looked], name, compared).some((row) => isDifferent(row) && !isMixed(row)),
    )
    .map((name) => `${name} differs`)
    .join(', ');
  return message === '' ? undefined : { answer: firstOther, message };
}

/** Sends a request with a made-up token under a scheme. */
type Spread = (scheme: 'Bearer' | 'Basic') => Promise<Answer>;

/** A different token each time, over a connection of its own. */
export const spreadOver =
  (service: Service, endpoint: Endpoint, token: Token): Spread =>
  (scheme) =>
    service.connection((own) => own.call(endpoint, madeUpUnder(scheme, token)), 'apart');

/** How many requests are spread. One of two servers is missed once in half a million times. */
const looks = 20;

async function lookAt(spread: Spread, scheme: 'Bearer' | 'Basic'): Promise<Members[]> {
  const looked: Members[] = [];
  for (let look = 0; look < looks; look++) {
    const answer = await spread(scheme);
    if (answer.status === 401) looked.push(membersOf(answer));
  }
  return looked;
}

/** Whether the servers explain a difference, and not the two kinds. */
const isMixed = ([ones = [], others = [], bearer = [], basic = []]: readonly Values[]): boolean =>
  [ones, others].every((values) => bearer.some((value) => values.includes(value))) ||
  ([bearer, basic].every(vary) && ![ones, others].some(vary));

const vary = (values: Values): boolean => new Set(values).size > 1;

type Values = readonly string[];

/** What may distinguish the two kinds of answers: a member's values, or its presence. */
const rowsOf = (...[seen, name, compared]: Parameters<typeof valuesOf>): (readonly Values[])[] =>
  compared === 'values'
    ? [valuesOf(seen, name, 'values'), valuesOf(seen, name, 'names')]
    : [valuesOf(seen, name, 'names')];

/** The values of a member in the answers of each kind, in order of arrival. */
function valuesOf(
  seen: readonly (readonly Members[])[],
  name: string,
  compared: Compared,
): readonly Values[] {
  const memberOf = (members: Members): string => {
    const value = members.get(name) ?? 'absent';
    return compared === 'values' || value === 'absent' || name === 'message' ? value : 'there';
  };
  return seen.map((bodies) => bodies.map(memberOf));
}

/** Whether no value was seen in both kinds, and neither kind has a new value in each of its first three answers. */
function mayDistinguish([ones = [], others = []]: readonly Values[]): boolean {
  if (ones.some((value) => others.includes(value))) return false;
  return ![ones, others].some((values) => new Set(values.slice(0, 3)).size === 3);
}

/** Whether each kind has values of its own, which recur. */
const isDifferent = ([ones = [], others = []]: readonly Values[]): boolean =>
  mayDistinguish([ones, others]) && [ones, others].every(recur);

/** Whether every value was seen more than once. */
const recur = (values: Values): boolean =>
  values.every((value) => values.indexOf(value) !== values.lastIndexOf(value));

/** Larger bodies, and those with more members, are compared as a whole, and so are deeper members. */
const mostBytes = 65_536;
const mostMembers = 256;
const deepest = 8;

type Members = ReadonlyMap<string, string>;

/**
 * The members of a body by their names, nested ones as `error.code`, and their values: short ones as JSON, others
 * as a hash. Each of a million nested members has the names of all its parents, so there are limits.
 */
const membersOf = (answer: Answer): Members => new Map(leavesOf(answer));

function leavesOf(answer: Answer): (readonly [name: string, value: string])[] {
  const json = jsonOf(answer);
  if (json.is !== 'json' || !isObject(json.value)) return [];
  const whole = [['the body', hashOf(answer.body)]] as const;
  if (answer.body.length > mostBytes) return [...whole];
  const found: (readonly [string, string])[] = [];
  const take = (value: Record<string, unknown>, above: string, depth: number): void => {
    for (const [name, member] of Object.entries(value)) {
      if (found.length > mostMembers) return;
      const path = `${above}${name.slice(0, longestName)}`;
      if (depth < deepest && isObject(member) && Object.keys(member).length > 0)
        take(member, `${path}.`, depth + 1);
      else found.push([path, valueText(JSON.stringify(member))]);
    }
  };
  take(json.value, '', 1);
  return found.length > mostMembers ? [...whole] : found;
}

const longestName = 100;

const valueText = (json: string): string => (json.length <= longestName ? json : hashOf(json));

const hashOf = (value: string | Buffer): string =>
  createHash('sha256').update(value).digest('base64');
