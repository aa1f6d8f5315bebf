import { type Guess, type Item, kindOf, type Part } from './guess.ts';

/*
 * Many guesses share few requests. A server reads all of them if the request is neither too long nor ambiguous.
 */

/**
 * Takes guesses from the beginning of a list for one request. They are of one kind, because a server may refuse two
 * kinds at once. No server treats two of their names as equal, and they are not longer than this server accepts.
 * @param scale the share of the usual length that this server accepts: from 0 to 1
 * @param placed what each guess puts into a request, as far as an earlier call has found it
 * @returns the guesses of the request, at least one; and the rest
 */
export function takeGroup<From>(
  guesses: readonly Guess<From>[],
  from: From,
  scale: number,
  placed: PlacedGuesses<From> = new Map(),
): [group: Guess<From>[], rest: Guess<From>[]] {
  const [group, rest]: [Guess<From>[], Guess<From>[]] = [[], []];
  const taken = new Map<string, Item>();
  const lengths = new Map<Part, number>();
  let kind: string | undefined;
  for (const guess of guesses) {
    const { items, kind: own } = placeOf(guess, from, placed);
    kind ??= own;
    if (own !== kind) {
      rest.push(guess);
      continue;
    }
    const added = items.filter((item) => !isSame(taken.get(keyOf(item)), item));
    const fits = added.every(
      ({ part, name, value }) =>
        (lengths.get(part) ?? 0) + name.length + value.length < room[part] * scale,
    );
    const apart = added.some((item) => taken.has(keyOf(item)));
    const full = added[0]?.part === 'header' && taken.size >= mostHeaders * scale;
    if (group.length > 0 && (apart || full || !fits)) {
      rest.push(guess);
      continue;
    }
    group.push(guess);
    for (const item of added) {
      taken.set(keyOf(item), item);
      const { part, name, value } = item;
      lengths.set(part, (lengths.get(part) ?? 0) + name.length + value.length + overhead);
    }
  }
  return [group, rest];
}

/** What each guess puts into a request, and the kind of that request. */
export type PlacedGuesses<From> = Map<
  Guess<From>,
  { readonly items: readonly Item[]; readonly kind: string }
>;

function placeOf<From>(guess: Guess<From>, from: From, placed: PlacedGuesses<From>) {
  const known = placed.get(guess);
  if (known !== undefined) return known;
  const items = guess.put(from);
  const place = { items, kind: kindOf(items) };
  placed.set(guess, place);
  return place;
}

/**
 * Guesses in groups, each for one request.
 * @param scale the share of the usual length that this server accepts: from 0 to 1
 * @param most the maximum number of groups; the last guesses are omitted
 */
export function groupsOf<From>(
  guesses: readonly Guess<From>[],
  from: From,
  {
    scale,
    most,
    placed,
  }: { readonly scale: number; readonly most: number; readonly placed: PlacedGuesses<From> },
): Guess<From>[][] {
  const groups: Guess<From>[][] = [];
  for (let rest = guesses; rest.length > 0 && groups.length < most; ) {
    const [group, later] = takeGroup(rest, from, scale, placed);
    groups.push(group);
    rest = later;
  }
  return groups;
}

/**
 * The most characters in each part: Node accepts 16 KB of headers, nginx and Apache 8 KB a line, body parsers 100 KB.
 */
const room: Record<Part, number> = {
  header: 14_000,
  path: 7800,
  query: 7800,
  cookie: 8000,
  json: 60_000,
  form: 60_000,
  multipart: 60_000,
};

/** Twice what Apache, Tomcat, Kestrel, gunicorn and hyper accept besides the usual ones; Node accepts more. */
const mostHeaders = 180;
const overhead = 4;

/**
 * The name as servers compare it: ASP.NET ignores the case of parameters, CGI reads `_` for `-`, PHP reads `_` for a
 * dot. A server joins the values of equal names, and the result is neither value.
 */
const keyOf = ({ part, name }: Item): string => {
  // A request has one path.
  if (part === 'path') return part;
  if (part === 'cookie' || part === 'json') return `${part} ${name}`;
  return `${part} ${part === 'header' ? name.toLowerCase().replace(/[_.]/g, '-') : name.toLowerCase()}`;
};

const isSame = (one: Item | undefined, other: Item): boolean =>
  one !== undefined &&
  one.name === other.name &&
  (typeof one.value === 'string' || typeof other.value === 'string'
    ? one.value === other.value
    : one.value.equals(other.value));
