import { type Guess, type Item, kindOf, type Part } from './items.ts';

/** Enough for all guesses with a token of 500 characters; with a longer one, the last are omitted. */
const mostRequests = 40;

/** Guesses that share a request. */
interface Group<From> {
  readonly kind: string;
  readonly guesses: Guess<From>[];
  /** What they put into it, by `keyOf`. */
  readonly items: Map<string, Item>;
}

/**
 * Groups of guesses that share a request: they are of one kind, because a server may refuse two kinds at once. No
 * server treats two of their names as equal, and they are not longer than common servers accept.
 */
export function packed<From>(guesses: readonly Guess<From>[], from: From): Guess<From>[][] {
  const groups: Group<From>[] = [];
  for (const guess of guesses.filter(({ times }) => times === undefined)) {
    const items = guess.put(from);
    const kind = kindOf(items);
    const open = groups.find((one) => one.kind === kind && hasRoom(one, items));
    const group: Group<From> = open ?? { kind, guesses: [], items: new Map() };
    if (open === undefined) groups.push(group);
    group.guesses.push(guess);
    for (const item of items) group.items.set(keyOf(item), item);
  }
  // They come last: a place that a server always reads is then reported by its own name.
  const repeated = guesses.flatMap((guess) =>
    Array.from({ length: guess.times ?? 0 }, () => [guess]),
  );
  return [...groups.slice(0, mostRequests).map((group) => group.guesses), ...repeated];
}

function hasRoom<From>({ items }: Group<From>, more: readonly Item[]): boolean {
  return more.every((item) => {
    const known = items.get(keyOf(item));
    if (isSame(known, item)) return true;
    if (known !== undefined || (item.part === 'header' && items.size >= mostHeaders)) return false;
    let length = lengthOf(item) - overhead;
    for (const other of items.values()) if (other.part === item.part) length += lengthOf(other);
    return length < room[item.part];
  });
}

const lengthOf = ({ name, value }: Item): number => name.length + value.length + overhead;

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

function isSame(one: Item | undefined, { name, value }: Item): boolean {
  if (one?.name !== name) return false;
  if (typeof one.value === 'string' || typeof value === 'string') return one.value === value;
  return one.value.equals(value);
}
