import { type Answer, altered, type Fault, type Header, type Violated } from './fault.ts';

/** The server counts requests to this path: the monitor follows no redirect. */
export const redirectPath = '/elsewhere';

/** Answers that are not the provider's own, or that show nothing about the token. */
const outage: Violated = {};
/** Another status instead of the 401. The token endpoint may refuse credentials with such a status (OPEN-2). */
const refusing: Violated = { refused: ['ERROR-1'] };
const failing: Violated = { token: ['TOKEN-1'], refused: ['ERROR-1'] };
/** An unauthorised request gets a success. */
const admits: Violated = { token: ['TOKEN-1'], refused: ['BEARER-2'] };
/** The answer is given before the token is checked (OPEN-8). */
const tooLong: Violated = {};

const pages: readonly (readonly [status: number, reason: string, violated: Violated])[] = [
  [200, 'OK', admits],
  [206, 'Partial Content', admits],
  [400, 'Bad Request', refusing],
  [401, 'Unauthorized', { admitted: ['TOKEN-4', 'BEARER-1'], refused: ['ERROR-2'] }],
  [403, 'Forbidden', refusing],
  [404, 'Not Found', refusing],
  [407, 'Proxy Authentication Required', refusing],
  [408, 'Request Timeout', refusing],
  [410, 'Gone', refusing],
  [413, 'Content Too Large', refusing],
  [414, 'URI Too Long', tooLong],
  [431, 'Request Header Fields Too Large', tooLong],
  [500, 'Internal Server Error', failing],
  [502, 'Bad Gateway', outage],
  [503, 'Service Unavailable', outage],
  [504, 'Gateway Timeout', outage],
  [520, 'Web Server Returned an Unknown Error', failing],
  [999, 'Odd', failing],
];

/** A page of a proxy or a framework, like real ones. */
const page = (status: number, reason: string, ...headers: readonly Header[]): Partial<Answer> => ({
  status,
  reason,
  headers: [['Content-Type', 'text/html'], ...headers],
  body: Buffer.from(
    `<html><title>${status} ${reason}</title><body><h1>${reason}</h1></body></html>`,
  ),
});

const withPage = pages.map(([status, reason, violated]) =>
  altered(`status ${status} with a page`, () => page(status, reason), violated),
);

/** The correct body under another status. */
const withCorrectBody = (
  [
    [200, { refused: ['ERROR-1'] }],
    [201, { refused: ['ERROR-1'] }],
    [401, { admitted: ['TOKEN-4', 'BEARER-1'] }],
    [403, { refused: ['ERROR-1'] }],
    [500, { refused: ['ERROR-1'] }],
  ] satisfies [number, Violated][]
).map(([status, violated]) =>
  altered(`status ${status} with the correct body`, () => ({ status, reason: 'Odd' }), violated),
);

const withoutBody = (
  [
    [204, admits],
    [205, admits],
    [304, failing],
  ] satisfies [number, Violated][]
).map(
  ([status, violated]): Fault => ({
    name: `status ${status} without a body`,
    steps: () => [`HTTP/1.1 ${status} Odd\r\n\r\n`, 'close'],
    violated,
  }),
);

const redirects = (
  [
    [301, 'http://127.0.0.1:1/'],
    [302, 'http://127.0.0.1:1/'],
    [303, redirectPath],
    [307, redirectPath],
  ] as const
).map(([status, to]) =>
  altered(`status ${status} to ${to}`, () => page(status, 'Moved', ['Location', to]), failing),
);

const rateLimits = [
  ['without Retry-After'],
  ['with Retry-After: 0', '0'],
  ['with Retry-After: -1', '-1'],
  ['with Retry-After: soon', 'soon'],
  ['with Retry-After of 40 digits', '9'.repeat(40)],
  ['with Retry-After in the past', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['with Retry-After in 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
].map(([what = '', value]) =>
  altered(
    `status 429 ${what}`,
    () =>
      page(
        429,
        'Too Many Requests',
        ...(value === undefined ? [] : [['Retry-After', value] as const]),
      ),
    outage,
  ),
);

/** Complete answers under another status. */
export const statusFaults: readonly Fault[] = [
  ...withPage,
  ...withCorrectBody,
  ...withoutBody,
  ...redirects,
  ...rateLimits,
];
