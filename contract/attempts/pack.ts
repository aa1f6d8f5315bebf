import { seal } from '../secrets/secret.ts';
import type { Guess, Item, Part } from './items.ts';

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
  for (const guess of guesses) {
    const items = guess.put(from);
    const kind = [...new Set(items.map(kindOf))].join();
    const open = groups.find((one) => one.kind === kind && hasRoom(one, items));
    const group: Group<From> = open ?? { kind, guesses: [], items: new Map() };
    if (open === undefined) groups.push(group);
    group.guesses.push(guess);
    for (const item of items) group.items.set(keyOf(item), item);
  }
  return groups.slice(0, mostRequests).map((group) => group.guesses);
}

/**
 * Its part, and its text if that is not secret. Servers treat paths and Authorization in their own way, and strict ones
 * refuse a request for a cookie with a blank (RFC 6265 4.1.1).
 */
function kindOf({ part, name, value }: Item): string {
  const isAuthorization = part === 'header' && name === 'Authorization';
  if (part === 'path' || isAuthorization || typeof value === 'string') return `${part} ${name}`;
  return part === 'cookie' && value.is((text) => text.includes(' ')) ? 'cookie with a blank' : part;
}

/** Twice what Apache, Tomcat, Kestrel, gunicorn and hyper accept besides the usual ones; Node accepts more. */
const mostHeaders = 180;

/** The most characters: Node accepts 16 KB of headers, nginx and Apache 8 KB a line, body parsers 100 KB. */
const mostInBody = 60_000;
const most: Partial<Record<Part, number>> = { header: 14_000, query: 7800, cookie: 8000 };

function hasRoom<From>({ items }: Group<From>, more: readonly Item[]): boolean {
  return more.every((item) => {
    const known = items.get(keyOf(item));
    if (known !== undefined)
      return known.name === item.name && seal`${known.value}`.equals(seal`${item.value}`);
    const others = [...items.values()].filter(({ part }) => part === item.part);
    const length = [item, ...others].reduce(
      (sum, { name, value }) => sum + name.length + value.length + 4,
      -4,
    );
    return (
      length < (most[item.part] ?? mostInBody) &&
      (item.part !== 'header' || items.size < mostHeaders)
    );
  });
}

/**
 * The name as servers compare it: ASP.NET ignores the case of parameters, CGI reads `_` for `-`, PHP reads `_` for a
 * dot. A server joins the values of equal names, and the result is neither value. A request has one path.
 */
function keyOf({ part, name }: Item): string {
  if (part === 'path') return part;
  if (part === 'cookie' || part === 'json') return `${part} ${name}`;
  const known = name.toLowerCase();
  return `${part} ${part === 'header' ? known.replace(/[_.]/g, '-') : known}`;
}
