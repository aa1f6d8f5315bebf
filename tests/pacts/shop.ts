import { type Behaviour, type Call, type Reply, right } from '../../sandbox/behaviour.ts';
import type { Answer, StateChange } from './fake-server.ts';

/*
 * The provider of the collected pacts: the sandbox, with a shop behind its tokens. It answers 400 to a request that is
 * not as its consumer intended. So a pact holds only if its request arrives unchanged.
 */

/** Answers by method and path below the prefix. The part of the path that matches `*` is passed to the answer. */
type Routes = Readonly<Record<string, (call: Call, part: string) => Reply>>;

/** A shop, and its team's state handler, which changes its data. */
export function openShop() {
  const widgets = new Map<string, object>();
  let made = 4710;
  const findWidget = (_call: Call, id: string): Reply => {
    const found = widgets.get(id) ?? stock.find((widget) => String(widget.id) === id);
    return found === undefined ? problemOf(404) : ok(found);
  };
  const all: Routes = { ...routes, 'GET /widgets/*': findWidget };
  const route: Behaviour['route'] = (call) => {
    const path = call.path.replace(/^\/public-api\/v1/, '');
    const [, folder = '', name = ''] = /^(\/\w+\/)(.+)$/.exec(path) ?? [];
    const answer = all[`${call.method} ${path}`] ?? all[`${call.method} ${folder}*`];
    return answer && { method: call.method, path, reply: answer(call, name) };
  };
  return {
    behaviour: { ...right, route },
    change({ state, params, action }: StateChange): Answer {
      if (state === 'a customer')
        return { body: { customer: 'c-17', mail: 'eve@example.com', limit: 250, isNew: true } };
      if (state !== 'a widget of a colour') return { status: 404, body: {} };
      const id = ++made;
      if (action === 'setup') widgets.set(String(id), { id, ...params });
      else widgets.clear();
      return { body: { id, link: `/public-api/v1/widgets/${id}` } };
    },
  };
}

/** The widgets that always exist. */
const stock = [
  { id: 1, name: 'first', colour: 'red', price: 9.5, tags: ['new', 'small'] },
  { id: 2, name: 'second', colour: 'blue', price: 12, tags: [] },
];

const problem = { type: 'about:blank', title: 'Not possible' };
const problemOf = (status: number): Reply => ({ status, json: problem });
const ok = (json: unknown): Reply => ({ status: 200, json });
const refused = (why: string): Reply => ({ status: 400, json: { why } });
const content = (type: string, body: string | Buffer): Reply => ({
  status: 200,
  headers: { 'Content-Type': type },
  body,
});

/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const fieldsOf = (body: string): Record<string, string[]> => {
  const form = new URLSearchParams(body);
  return Object.fromEntries([...new Set(form.keys())].sort().map((key) => [key, form.getAll(key)]));
};

/** The parts of a multipart body: their names, and their sizes in bytes. */
function partsOf({ headers, bytes = Buffer.alloc(0) }: Call): object[] | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return undefined;
  const parts = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(head)?.[1];
    return { name, bytes: rest.join('\r\n\r\n').replace(/\r\n$/, '').length };
  });
}

const json = (call: Call): Record<string, unknown> => JSON.parse(call.body || 'null');
const is = (call: Call, type: string): boolean =>
  (call.headers['content-type'] ?? '').startsWith(type);

const headersOfCached = {
  ETag: '"v1"',
  'Last-Modified': 'Sat, 28 Feb 2026 23:59:58 GMT',
  'Cache-Control': 'private, max-age=60',
  'Set-Cookie': ['theme=dark; Path=/', 'locale=de; Path=/'],
  'X-Request-Id': '0b5c1f9e-58a0-4a3f-9d0e-2f6b1c7d8e9f',
};
const headersOfList = {
  ...{ 'Content-Type': 'application/json; charset=utf-8', 'X-Total-Count': '2' },
  Vary: 'Accept, Origin',
};

/** Routes that do not depend on a state. */
const routes: Routes = {
  'GET /widgets': ({ query }) => {
    const colour = query.get('colour');
    const widgets = stock.filter((widget) => (colour ?? widget.colour) === widget.colour);
    const page = Number(query.get('page') ?? 1);
    return { ...ok({ widgets, page, total: widgets.length }), headers: headersOfList };
  },
  'HEAD /widgets': () => ({ status: 200, headers: { 'X-Total-Count': '2' } }),
  'OPTIONS /widgets': () => ({ status: 204, headers: { Allow: 'GET, HEAD, POST' } }),
  'POST /widgets'(call) {
    if (!is(call, 'application/json')) return problemOf(415);
    if (typeof json(call).name !== 'string') return problemOf(422);
    const headers = { Location: '/public-api/v1/widgets/3' };
    return { status: 201, headers, json: { id: 3, ...json(call) } };
  },
  'GET /search': ({ url }) => ok({ parameters: fieldsOf(url.split('?')[1] ?? '') }),
  'GET /preferences': ({ headers }) =>
    ok({ cookie: headers.cookie ?? null, request: headers['x-request-id'] ?? null }),
  'GET /cached': ({ headers }) =>
    headers['if-none-match'] === '"v1"'
      ? { status: 304, headers: { ETag: '"v1"' } }
      : { ...ok({}), headers: headersOfCached },
  'POST /orders': (call) =>
    is(call, 'application/x-www-form-urlencoded')
      ? { status: 202, json: { fields: fieldsOf(call.body) } }
      : refused('not a form'),
  'POST /uploads'(call) {
    const parts = partsOf(call);
    return parts === undefined ? refused('not multipart') : { status: 201, json: { parts } };
  },
  'PUT /pictures/1': ({ bytes = Buffer.alloc(0) }) =>
    bytes.equals(picture) ? ok({ bytes: bytes.length }) : refused(`${bytes.length} other bytes`),
  'GET /pictures/1': () => content('image/png', picture),
  'GET /feed.xml': () =>
    content(
      'application/xml',
      '<?xml version="1.0" encoding="UTF-8"?><feed><widget id="1">first</widget><widget id="2">second</widget></feed>',
    ),
  'POST /echo': ({ body, headers }) => ok({ body, type: headers['content-type'] ?? null }),
  'GET /types': () => ok({ integer: 7, text: 'a text', unicode: 'Grüße, 世界 ☕' }),
  'GET /moved': () => ({ status: 302, headers: { Location: '/public-api/v1/list' } }),
  'GET /limited': () => ({ ...problemOf(429), headers: { 'Retry-After': '30' } }),
};
