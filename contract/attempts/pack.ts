import { type Deviation, type Item, named, type Part, type Secrets, written } from './deviation.ts';

/** Enough for all places with a token of 500 characters; with a longer one, the last are omitted. */
const mostRequests = 40;

/** Twice what Apache, Tomcat, Kestrel, gunicorn and hyper accept besides the usual headers; Node accepts more. */
const mostItems = 180;

/** The most characters: Node accepts 16 KB of headers, nginx and Apache 8 KB a line, body parsers 100 KB. */
const mostInPart: Readonly<Record<Part, number>> = {
  ...{ header: 14_000, parameter: 7800, query: 7800, cookie: 8000, json: 60_000, form: 60_000 },
};

/** Places that share a request, what they put into it, by `keyOf`, and how many characters that is. */
interface Group {
  readonly kind: string;
  readonly places: Deviation[];
  readonly items: Map<string, Item>;
  length: number;
}

/**
 * Groups of places that share a request: they are of one kind, because a server may refuse two kinds at once. No
 * server treats two of their names as equal, and they are not longer than common servers accept.
 */
export function packed(places: readonly Deviation[], secrets: Secrets): Deviation[][] {
  const groups: Group[] = [];
  for (const place of places) {
    const { items = [] } = place;
    const kind = [...new Set(items.map(kindOf))].join();
    const length = items
      .map(({ name, text }) => name.length + written(text, secrets).length + 4)
      .reduce((sum, one) => sum + one, 0);
    const open = groups.find((one) => one.kind === kind && hasRoom(one, items, length));
    const group: Group = open ?? { kind, places: [], items: new Map(), length: 0 };
    if (open === undefined) groups.push(group);
    group.places.push(place);
    group.length += length;
    for (const item of items) group.items.set(keyOf(item), item);
  }
  return groups.slice(0, mostRequests).map((group) => group.places);
}

/**
 * Its part, and its name if its text is not secret. Servers treat Authorization in their own way, and strict ones
 * refuse a request for a cookie with a blank (RFC 6265 4.1.1).
 */
function kindOf({ part, name, text }: Item): string {
  if (name === 'Authorization' || !named.test(text)) return `${part} ${name}`;
  return part === 'cookie' && text.includes(' ') ? 'cookie with a blank' : part;
}

const hasRoom = (group: Group, items: readonly Item[], length: number): boolean =>
  group.items.size < mostItems &&
  items.every((item) => {
    const known = group.items.get(keyOf(item));
    const isSame = known?.name === item.name && known.text === item.text;
    return (known === undefined || isSame) && group.length + length < mostInPart[item.part];
  });

/**
 * The name as servers compare it: ASP.NET ignores the case of parameters, CGI reads `_` for `-`, PHP reads `_` for a
 * dot. A server joins the values of equal names, and the result is neither value.
 */
function keyOf({ part, name }: Item): string {
  if (part === 'cookie' || part === 'json') return name;
  return part === 'header' ? name.toLowerCase().replace(/[_.]/g, '-') : name.toLowerCase();
}
