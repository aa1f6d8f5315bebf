import { expect, test } from '@playwright/test';
import { readWords } from '../../contract/http/answer.ts';
import { type ApiClient, NoTokenError } from '../../contract/http/client.ts';
import { tokenPath } from '../../contract/http/request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { checkJudgeable, UnjudgeableError } from '../../contract/round/preflight.ts';
import { readToken } from '../../contract/schema.ts';
import { account } from '../client/simulated-service.ts';
import { clientOf } from '../client/stage.ts';
import { answer } from './answers.ts';

/** With a body, and with its media type or, for a redirect, where it leads. */
type Page = readonly [status: number, body?: unknown, type?: string, location?: string];

/** A client of a provider whose token endpoint answers with one page, and every other path with another. */
function clientTo(token: Page, elsewhere: Page | ((path: string) => Page)): ApiClient {
  const say = (path: string, [status, body = '', type, location]: Page) => {
    const given = answer(status, body, { line: `POST ${path}   {}`, type });
    if (location === undefined) return given;
    const moved = { ...given, headers: [['Location', location] as const] };
    return { ...moved, request: { ...given.request, words: () => readWords(moved, String) } };
  };
  return {
    ...clientOf({ origin: new URL('http://127.0.0.1:1') }),
    async issue() {
      const output = say(tokenPath, token);
      const secret = readToken(output);
      if (secret === undefined) throw new NoTokenError(output);
      return { secret, madeAt: 0 };
    },
    call: async ({ path }) =>
      say(path, typeof elsewhere === 'function' ? elsewhere(path) : elsewhere),
  };
}

const html = 'text/html; charset=utf-8';
const welcome = '<title>Hi\n there</title><p>more';
const notFound: Page = [404, { message: 'Not found' }];
const denied = { success: false, message: 'Not known' };
const refusal = { success: false, message: 'Invalid or expired access token.' };

const credentials = (status: number, says = ''): string =>
  `credentials: the token endpoint refused the credentials with status ${status}${says} (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)`;
const guarded = (status: number, says: string): string =>
  `${credentials(status, `, and says "${says}"`)}, or something in front of it refuses every path to this client`;
const address = (status: number, says = ''): string =>
  `address: POST /public-api/v1/auth/token is answered by ${status}, as every path${says && `, and ${says}`}: the service is not at this address (PUBLIC_API_BASE_URL)`;
const failing = (status: number, says: string): string =>
  `unavailable: POST /public-api/v1/auth/token is answered by ${status}, and says "${says}": the service fails, or refuses the credentials that way (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)`;
const absent = (status: number): string =>
  `address: POST /public-api/v1/auth/token is answered by ${status}: the service is not at this address (PUBLIC_API_BASE_URL), or knows no such key (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)`;

type Elsewhere = Page | ((path: string) => Page);

const cases: [what: string, token: Page, elsewhere: Elsewhere, expected: string][] = [
  ['a token', [200, { success: true, message: '', data: { accessToken: 't' } }], notFound, 'judge'],
  ['a token in a wrong envelope', [200, { data: { accessToken: 't' } }], notFound, 'judge'],
  ['an error of the server', [500], notFound, 'judge without tokens'],
  ['a redirect of this path alone', [302], notFound, 'judge without tokens'],
  ['401', [401, denied], notFound, credentials(401, ', and says "Not known"')],
  ['403', [403], notFound, credentials(403)],
  [
    '423, as after too many wrong secrets',
    [423, { success: false, message: 'Try again later.' }],
    notFound,
    credentials(423, ', and says "Try again later.": locked, perhaps by an earlier run'),
  ],
  [
    'words about a lock',
    [401, { success: false, message: 'Account locked.' }],
    notFound,
    credentials(401, ', and says "Account locked.": locked, perhaps by an earlier run'),
  ],
  ['400', [400, 'bad'], notFound, credentials(400, ', and says "bad"')],
  ['a denial under 200', [200, denied], notFound, credentials(200)],
  ['a denial under 500', [500, denied], notFound, failing(500, 'Not known')],
  [
    'the same 401 as every path',
    [401, refusal],
    [401, refusal],
    credentials(401, ', and says "Invalid or expired access token."'),
  ],
  ['the same 403 as every path', [403, 'no'], [403, 'no'], guarded(403, 'no')],
  [
    'the same page as every path',
    [200, welcome, html],
    [200, welcome, html],
    address(200, 'says "Hi there"'),
  ],
  ['the same JSON as every path', [200, { up: 1 }], [200, { up: 1 }], address(200)],
  ['the same error of the server', [500, 'oops'], [500, 'oops'], address(500, 'says "oops"')],
  ['404 as every path, in any words', [404, 'a'], [404, 'b'], address(404, 'says "a"')],
  [
    'a redirect of every path',
    [301, '', '', 'https://other.example.test/login?token=abc#x'],
    [301],
    address(301, 'redirects to https://other.example.test/login'),
  ],
  ['404 where a guard stands before every path', [404], [401, refusal], absent(404)],
  ['405', [405], notFound, absent(405)],
];

for (const [what, token, elsewhere, message] of cases)
  test(`a token endpoint that answers ${what}`, async () => {
    const output = await checkJudgeable(clientTo(token, elsewhere), account).then(
      (tokens) => (tokens ? 'judge' : 'judge without tokens'),
      (error: unknown) =>
        error instanceof UnjudgeableError ? `${error.reason}: ${error.message}` : String(error),
    );
    expect(output).toBe(message);
  });

test('a port that resets plain HTTP may expect https', async () => {
  const reset = new UnreachableError('reset', 'POST /x', 'ECONNRESET');
  const client = { ...clientTo([200], [404]), issue: () => Promise.reject(reset) };
  await expect(checkJudgeable(client, account)).rejects.toThrow(
    /ECONNRESET\): the port may expect https \(PUBLIC_API_BASE_URL\)$/,
  );
});

test('an unreachable provider is reported as such, and defects are passed on', async () => {
  const throwing = (error: Error): ApiClient => ({
    ...clientTo([200], [404]),
    issue: () => Promise.reject(error),
  });
  const away = new UnreachableError('dns', 'POST /x');
  await expect(checkJudgeable(throwing(away), account)).rejects.toBe(away);
  const ours = new TypeError('ours');
  await expect(checkJudgeable(throwing(ours), account)).rejects.toBe(ours);
});
