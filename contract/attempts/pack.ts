import { type Guess, type Item, kindOf, type Part } from './items.ts';

/** Enough for all guesses with a token of 500 characters; with a longer one, the last are omitted. */
const mostRequests = 40;

interface PlacedGuess<From> {
  readonly guess: Guess<From>;
  readonly items: readonly Item[];
}

/**
 * Groups of guesses that share a request: they are of one kind, because a server may refuse two kinds at once. No
 * server treats two of their names as equal, and they are not longer than common servers accept.
 */
export function packed<From>(guesses: readonly Guess<From>[], from: From): Guess<From>[][] {
  const groups: Guess<From>[][] = [];
  const placed = guesses
    .filter(({ times }) => times === undefined)
    .map((guess): PlacedGuess<From> => ({ guess, items: guess.put(from) }));
  for (let rest of Map.groupBy(placed, ({ items }) => kindOf(items)).values())
    while (rest.length > 0 && groups.length < mostRequests) {
      const [group, others] = takeGroup(rest);
      groups.push(group);
      rest = others;
    }
  // They come last: a place that a server always reads is then reported by its own name.
  const repeated = guesses.flatMap((guess) =>
    Array.from({ length: guess.times ?? 0 }, () => [guess]),
  );
  return [...groups, ...repeated];
}

/** Takes guesses of one kind from a list for one request. @returns them, at least one; and the rest */
function takeGroup<From>(
  placed: readonly PlacedGuess<From>[],
): [group: Guess<From>[], rest: PlacedGuess<From>[]] {
  const group: Guess<From>[] = [];
  const rest: PlacedGuess<From>[] = [];
  const taken = new Map<string, Item>();
  const lengths = new Map<Part, number>();
  const fits = ({ part, name, value }: Item): boolean =>
    (lengths.get(part) ?? 0) + name.length + value.length < room[part];
  for (const next of placed) {
    const added = next.items.filter((item) => !isSame(taken.get(keyOf(item)), item));
    const isApart = added.some((item) => taken.has(keyOf(item)));
    const isFull = added[0]?.part === 'header' && taken.size >= mostHeaders;
    if (group.length > 0 && (isApart || isFull || !added.every(fits))) {
      rest.push(next);
      continue;
    }
    group.push(next.guess);
    for (const item of added) {
      taken.set(keyOf(item), item);
      const length = item.name.length + item.value.length + overhead;
      lengths.set(item.part, (lengths.get(item.part) ?? 0) + length);
    }
  }
  return [group, rest];
}

/**
 * The most characters in each part: Node accepts 16 KB of headers, nginx and Apache 8 KB a line, body parsers 100 KB.
 */
const room: Readonly<Record<Part, number>> = {
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
