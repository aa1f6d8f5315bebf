import type { Answer } from '../http/answer.ts';
import { orNothing } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import type { Exchanged } from '../judge/repetitions.ts';
import type { World } from '../probe.ts';
import { type Deviation, fillIn, type Item, named, type Part, type Secrets } from './deviation.ts';

/** How groups of attempts are sent, and what their answers mean. */
export interface Question<Attempt> {
  /** A plain request with a valid token: it shows whether the provider is down when others get no answer. */
  readonly valid: CallOptions;
  /** One request with all of these. */
  request(group: readonly Attempt[]): CallOptions;
  /** Whether an answer is the refusal that it must be. Then no part of the request needs a closer look. */
  isRefusal(answer: Answer, group: readonly Attempt[]): boolean;
  /** Whether any other answer shows that the request was let in. */
  isFault(answer: Answer, group: readonly Attempt[]): Promise<boolean>;
  /** Whether such requests reach the guard. If a server turns their kind away, halving them shows nothing. */
  reachesGuard?(group: readonly Attempt[]): Promise<boolean>;
  /** Records a fault: by one attempt, or by several that only work together. */
  report(group: readonly Attempt[], exchanged: Exchanged): Promise<void>;
  /** Called if requests were turned away and not looked at closely. */
  unproven?(group: readonly Attempt[]): void;
}

/** The answer to an unusual request; undefined if it gets none. */
export const answerTo = ({ service, endpoint }: World, options: CallOptions, to = endpoint) =>
  orNothing(service.call(to, options));

/**
 * Sends groups of attempts, each in one request. A request that is not refused is halved until the smallest such group
 * is known, also one that was turned away: then the guard has not checked its other parts.
 * @param left how many faults are still reported, and how many requests for halves are still sent
 * @returns whether a fault was found @throws UnreachableError if the provider is down
 */
export async function search<Attempt>(
  world: World,
  groups: readonly (readonly Attempt[])[],
  question: Question<Attempt>,
  left = { faults: 3, requests: 60 },
  areHalves = false,
): Promise<boolean> {
  const send = (group: readonly Attempt[]) => world.contract.send(question.request(group));
  const sent = await Promise.all(groups.map((group) => orNothing(send(group))));
  if (!areHalves && sent.includes(undefined))
    await world.service.call(world.endpoint, question.valid);
  let isFound = false;
  for (const [index, group] of groups.entries()) {
    const exchanged = sent[index];
    const answer = exchanged?.answer;
    if (left.faults === 0 || (answer && question.isRefusal(answer, group))) {
      if (answer?.status === 401) world.contract.record.sawRefusal = true;
      continue;
    }
    const isFault = answer !== undefined && (await question.isFault(answer, group));
    const isHalved =
      group.length > 1 &&
      (isFault || areHalves || ((await question.reachesGuard?.(group)) ?? true));
    let isInHalf = false;
    if (isHalved && left.requests > 0) {
      left.requests -= 2;
      const middle = Math.ceil(group.length / 2);
      const halves = [group.slice(0, middle), group.slice(middle)];
      isInHalf = await search(world, halves, question, left, true);
    }
    if (exchanged && isFault && !isInHalf && left.faults > 0) {
      left.faults -= 1;
      await question.report(group, exchanged);
    } else if (isHalved && !isInHalf && left.requests === 0) question.unproven?.(group);
    isFound ||= isFault || isInHalf;
  }
  return isFound;
}

/** Enough for all places with a token of 500 characters; with a longer one, the last are omitted. */
const maxRequests = 40;

/** Twice what Apache, Tomcat, Kestrel, gunicorn and hyper accept besides the usual headers; Node accepts more. */
const maxItems = 180;

/** The most characters: Node accepts 16 KB of headers, nginx and Apache 8 KB a line, body parsers 100 KB. */
const maxBodyLength = 60_000;
const maxPartLength: Partial<Record<Part, number>> = { header: 14_000, query: 7800, cookie: 8000 };

/**
 * Groups of places that share a request: they are of one kind, because a server may refuse two kinds at once. No
 * server treats two of their names as equal, and they are not longer than common servers accept.
 */
export function groupPlaces(places: readonly Deviation[], secrets: Secrets): Deviation[][] {
  const uses = new Map<string, number>();
  const groups = Map.groupBy(places, ({ items = [] }) => {
    const names = items.map((item) => `${findKind(item)} ${normalizeName(item)}`);
    const use = Math.max(...names.map((name) => uses.get(name) ?? 0));
    for (const name of names) uses.set(name, use + 1);
    return [...new Set(items.map(findKind)), use].join();
  });
  return [...groups.values()].flatMap((group) => split(group, secrets)).slice(0, maxRequests);
}

/** Parts of a group that are not too long. */
function split(group: readonly Deviation[], secrets: Secrets): Deviation[][] {
  const items = group.flatMap((place) => place.items ?? []);
  const lengths = items.map(({ name, text }) => name.length + fillIn(text, secrets).length + 4);
  const maxLength = (items[0] && maxPartLength[items[0].part]) ?? maxBodyLength;
  const max = Math.min(maxItems, Math.floor(maxLength / Math.max(...lengths)));
  const size = Math.max(1, Math.floor((max * group.length) / items.length));
  return Array.from({ length: Math.ceil(group.length / size) }, (_, index) =>
    group.slice(index * size, (index + 1) * size),
  );
}

/** Servers treat Authorization in their own way, and may refuse a cookie with a blank (RFC 6265 4.1.1). */
function findKind({ part, name, text }: Item): string {
  if (name === 'Authorization' || !named.test(text)) return `${part} ${name}`;
  return part === 'cookie' && text.includes(' ') ? 'cookie with a blank' : part;
}

/**
 * The name as servers compare it: ASP.NET ignores the case of parameters, CGI reads `_` for `-`, PHP reads `_` for a
 * dot. A server joins the values of equal names, and the result is neither value.
 */
function normalizeName({ part, name }: Item): string {
  if (part === 'cookie' || part === 'json') return name;
  return part === 'header' ? name.toLowerCase().replace(/[_.]/g, '-') : name.toLowerCase();
}
