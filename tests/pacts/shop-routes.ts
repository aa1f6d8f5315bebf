import { createHash } from 'node:crypto';
import type { Call, Reply } from '../../sandbox/behaviour.ts';

/** Answers by method and path below the prefix. The part of the path that matches `*` is passed to the answer. */
export type Routes = Readonly<Record<string, (call: Call, part: string) => Reply>>;

/** The widgets that always exist. */
export const stock = [
  { id: 1, name: 'first', colour: 'red', price: 9.5, tags: ['new', 'small'] },
  { id: 2, name: 'second', colour: 'blue', price: 12, tags: [] },
];

export const problem = { type: 'about:blank', title: 'Not possible' };

const ok = (json: unknown): Reply => ({ status: 200, json });
const refused = (why: string): Reply => ({ status: 400, json: { why } });
const problemOf = (status: number): Reply => ({ status, json: problem });
const detailed = { headers: { 'Content-Type': 'application/problem+json' }, json: problem };

/** An answer of a media type. */
const content = (type: string, body: string | Buffer, headers = {}): Reply => ({
  status: 200,
  headers: { 'Content-Type': type, ...headers },
  body,
});

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const types = {
  integer: 7,
  decimal: 7.25,
  big: 9007199254740991,
  negative: -0.5,
  text: 'a text',
  empty: '',
  yes: true,
  nothing: null,
  list: [1, 2, 3],
  none: [],
  nested: { deep: { deeper: ['x', { y: 1 }] } },
  date: '2026-02-28',
  time: '23:59:58',
  instant: '2026-02-28T23:59:58.123Z',
  offset: '2026-02-28T23:59:58+01:00',
  uuid: '0b5c1f9e-58a0-4a3f-9d0e-2f6b1c7d8e9f',
  mail: 'ada.lovelace+pact@example.com',
  version: '1.4.2-beta.1',
  unicode: 'Grüße, 世界 ☕',
  byColour: { red: { count: 1 }, blue: { count: 2 } },
};

const fieldsOf = (body: string): Record<string, string[]> => {
  const form = new URLSearchParams(body);
  return Object.fromEntries([...new Set(form.keys())].sort().map((key) => [key, form.getAll(key)]));
};

/** The parts of a multipart body: their names, and their sizes in bytes. */
function partsOf({ headers, bytes = Buffer.alloc(0) }: Call): object[] | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return undefined;
  return bytes
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
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
  'X-Request-Id': types.uuid,
};

/** Routes that do not depend on a state. */
export const routes: Routes = {
  'POST /widgets'(call) {
    if (!is(call, 'application/json')) return problemOf(415);
    if (typeof json(call).name !== 'string') return { status: 422, ...detailed };
    const headers = { Location: '/public-api/v1/widgets/3' };
    return { status: 201, headers, json: { id: 3, ...json(call) } };
  },
  'PUT /widgets/1': (call) => ok({ id: 1, ...json(call) }),
  'PATCH /widgets/1': (call) =>
    is(call, 'application/merge-patch+json') ? ok({ ...stock[0], ...json(call) }) : problemOf(415),
  'DELETE /widgets/1': () => ({ status: 204 }),
  'GET /search': ({ url }) => ok({ parameters: fieldsOf(url.split('?')[1] ?? '') }),
  'GET /names/*': (_call, raw) => ok({ name: decodeURIComponent(raw), raw }),
  'GET /preferences': ({ headers }) =>
    ok({
      cookie: headers.cookie ?? null,
      languages: headers['accept-language'] ?? null,
      request: headers['x-request-id'] ?? null,
    }),
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
    bytes.equals(picture)
      ? ok({ bytes: bytes.length, sha256: hash(bytes) })
      : refused(`${bytes.length} other bytes`),
  'GET /pictures/1': () => content('image/png', picture),
  'GET /export.csv': () =>
    content('text/csv; charset=utf-8', 'id,name\n1,first\n2,second\n', {
      'Content-Disposition': 'attachment; filename="export.csv"',
    }),
  'GET /feed.xml': () =>
    content(
      'application/xml',
      '<?xml version="1.0" encoding="UTF-8"?><feed><widget id="1">first</widget><widget id="2">second</widget></feed>',
    ),
  'GET /notes/1': () => content('text/plain; charset=utf-8', 'Grüße aus 東京\nsecond line'),
  'POST /notes': (call) =>
    is(call, 'text/plain')
      ? { ...content('text/plain; charset=utf-8', call.body), status: 201 }
      : refused('not text'),
  'POST /documents': (call) =>
    is(call, 'application/xml') && call.body.includes('<order id="7">')
      ? content('application/xml', '<ok/>')
      : refused('not that XML'),
  'POST /graphql': (call) =>
    /widgets/.test(String(json(call).query))
      ? ok({ data: { widgets: stock.map(({ id }) => ({ id })) } })
      : refused('no query'),
  'POST /empty': (call) => (call.body === '' ? { status: 204 } : refused('a body')),
  'POST /echo': ({ body, headers }) => ok({ body, type: headers['content-type'] ?? null }),
  'GET /types': () => ok(types),
  'GET /list': () => ok(stock),
  'GET /text': () => ok('a text'),
  'GET /number': () => content('application/json', '1.0'),
  'GET /null': () => ok(null),
  'GET /nothing': () => ({ status: 200 }),
  'GET /moved': () => ({ status: 302, headers: { Location: '/public-api/v1/list' } }),
  'GET /limited': () => ({ ...problemOf(429), headers: { 'Retry-After': '30' } }),
  'GET /broken': () => problemOf(500),
  'POST /conflict': () => ({ status: 409, ...detailed }),
  'GET /customers/*': ({ query }, id) => ok({ id, since: query.get('since') }),
};
