import { bearer, under } from '../../contract/http/client.ts';
import type { CallOptions } from '../../contract/http/request.ts';
import { Secret, seal, type Token } from '../../contract/secrets/secret.ts';
import { keptService } from '../../monitor/target/token-client.ts';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { account, expect, first, test } from './keeping.ts';

const shown = (token: Token) => seal`Bearer ${token.secret}`;

/** Ways to use a token, and whether a 401 to such a request shows that the token is no longer valid. */
const uses: [what: string, optionsOf: (token: Token) => CallOptions, plain: boolean][] = [
  ['as any caller uses it', bearer, true],
  ['with a body', (token) => ({ ...bearer(token), body: { json: {} } }), true],
  ['under another scheme', (token) => under('Basic', token), false],
  ['under the scheme in small letters', (token) => under('bearer', token), false],
  ['altered', (token) => bearer({ ...token, secret: seal`${token.secret}x` }), false],
  ['altered, with its name', (token) => ({ token, authorization: seal`${shown(token)}x` }), false],
  ['in two headers', (token) => ({ token, authorization: [shown(token), 'Bearer x'] }), false],
  ['by another method', (token) => ({ ...bearer(token), method: 'OPTIONS' }), false],
  ['on another path', (token) => ({ ...bearer(token), path: '/public-api/v1/x' }), false],
  ['with a query', (token) => ({ ...bearer(token), query: new Secret('a=b') }), false],
  ['with headers', (token) => ({ ...bearer(token), headers: { 'X-A': 'b' } }), false],
  ['over HTTP/1.0', (token) => ({ ...bearer(token), version: '1.0' }), false],
  ['in chunks', (token) => ({ ...bearer(token), body: { json: {} }, chunked: true }), false],
  ['nowhere in the header', (token) => ({ token }), false],
];

const route = () => ({ ...first, reply: { status: 200 } });
const refusing: Behaviour = { ...right, guard: () => 'invalid', route };

for (const [what, options, plain] of uses)
  for (const over of ['a connection of its own', 'a kept connection'] as const)
    test(`a 401 to the kept token, used ${what} over ${over}, is ${plain ? 'recorded, and the token is dropped' : 'not recorded'}`, async ({
      start,
    }) => {
      const { tokenClient, unexpected, open } = await start(refusing);
      const kept = keptService(open(), tokenClient);
      const token = await kept.issue(account);
      const { status } =
        over === 'a kept connection'
          ? await kept.connection((one) => one.call(first, options(token)))
          : await kept.call(first, options(token));
      expect(status).toBe(401);
      expect(kept.refusedKept()).toBe(plain);
      expect(unexpected.map((one) => one.token)).toEqual(plain ? [token] : []);
      expect((await tokenClient.token()) === token).toBe(!plain);
    });

test('a token that was refused repeatedly is recorded once', async ({ start }) => {
  const { tokenClient, unexpected, open } = await start(refusing);
  const one = keptService(open(), tokenClient);
  const other = keptService(open(), tokenClient);
  const token = await one.issue(account);
  expect(await other.issue(account)).toBe(token);
  await Promise.all([one, other, one].map((kept) => kept.call(first, bearer(token))));
  expect([one.refusedKept(), other.refusedKept()]).toEqual([true, true]);
  expect(unexpected).toHaveLength(1);
});

test('an admitted kept token and one of another client are not recorded', async ({ start }) => {
  const { tokenClient, unexpected, open } = await start();
  const kept = keptService(open(), tokenClient);
  expect((await kept.call(first, bearer(await kept.issue(account)))).status).toBe(200);
  const strange = { secret: new Secret('strange-token-1'), madeAt: 0 };
  expect((await kept.call(first, bearer(strange))).status).toBe(401);
  expect([kept.refusedKept(), unexpected]).toEqual([false, []]);
});

test('a client masks a kept token, even if another client issued it', async ({ start }) => {
  const { sandbox, tokenClient, open } = await start();
  const client = open();
  const token = await keptService(client, tokenClient).issue(account);
  const [text = ''] = sandbox.state.tokens.keys();
  expect(token.secret.equals(new Secret(text))).toBe(true);
  expect(client.scrub(`it is ${text}`)).toBe('it is [secret]');
  expect(open(tokenClient.held()).scrub(`it is ${text}`)).toBe('it is [secret]');
});

test("the keys go to the client's token endpoint only (CALLER-1)", async ({ start }) => {
  const calls: Call[] = [];
  const watching: Behaviour = { ...right, arrived: (call) => calls.push(call) * 0 };
  const { tokenClient } = await start(watching);
  await tokenClient.call(first);
  const shown = calls.map((call) => JSON.stringify([call.url, call.headers, call.body]));
  expect(shown.map((text) => text.includes('Zebra-Key-41'))).toEqual([true, false]);
});
