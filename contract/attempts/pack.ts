import { remembering } from '../remembering.ts';
import { type Deviation, type Item, named, type Part, type Secrets, written } from './deviation.ts';

/** Enough for all places with a token of 500 characters; with a longer one, the last are omitted. */
const mostRequests = 40;

/** Places that share a request. */
interface Group {
  readonly kind: string;
  readonly places: Deviation[];
  /** What they put into it, by `keyOf`. */
  readonly items: Map<string, Item>;
}

/**
 * Groups of places that share a request: they are of one kind, because a server may refuse two kinds at once. No
 * server treats two of their names as equal, and they are not longer than common servers accept.
 */
export function packed(places: readonly Deviation[], secrets: Secrets): Deviation[][] {
  const groups: Group[] = [];
  const lengthOf = remembering((text: string) => written(text, secrets).length);
  for (const place of places) {
    const { items = [] } = place;
    const kind = [...new Set(items.map(kindOf))].join();
    const open = groups.find((one) => one.kind === kind && hasRoom(one, items, lengthOf));
    const group: Group = open ?? { kind, places: [], items: new Map() };
    if (open === undefined) groups.push(group);
    group.places.push(place);
    for (const item of items) group.items.set(keyOf(item), item);
  }
  return groups.slice(0, mostRequests).map((group) => group.places);
}

/**
 * Its part, and its name if its text is not secret. Servers treat paths and Authorization in their own way, and strict
 * ones refuse a request for a cookie with a blank (RFC 6265 4.1.1).
 */
function kindOf({ part, name, text }: Item): string {
  const isAuthorization = part === 'header' && name === 'Authorization';
  if (part === 'path' || isAuthorization || !named.test(text)) return `${part} ${name}`;
  return part === 'cookie' && text.includes(' ') ? 'cookie with a blank' : part;
}

/** Twice what Apache, Tomcat, Kestrel, gunicorn and hyper accept besides the usual ones; Node accepts more. */
const mostHeaders = 180;

/** The most characters: Node accepts 16 KB of headers, nginx and Apache 8 KB a line, body parsers 100 KB. */
const mostInBody = 60_000;
const most: Partial<Record<Part, number>> = { header: 14_000, query: 7800, cookie: 8000 };

function hasRoom(
  { items }: Group,
  more: readonly Item[],
  lengthOf: (text: string) => number,
): boolean {
  return more.every((item) => {
    const known = items.get(keyOf(item));
    if (known !== undefined) return known.name === item.name && known.text === item.text;
    const others = [...items.values()].filter(({ part }) => part === item.part);
    const length = [item, ...others].reduce(
      (sum, { name, text }) => sum + name.length + lengthOf(text) + 4,
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
