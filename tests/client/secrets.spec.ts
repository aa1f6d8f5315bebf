import { inspect } from 'node:util';
import { expect, test as plain } from '@playwright/test';
import { basic, bearer, NoTokenError } from '../../contract/http/client.ts';
import { tokenEndpoint } from '../../contract/http/request.ts';
import { UnprovenError } from '../../contract/http/unreachable.ts';
import { open, Secret, seal } from '../../contract/secrets/secret.ts';
import { widgets } from './simulated-service.ts';
import { clientOf, ok, type Stage, test } from './stage.ts';

const canary = 'CANARY-7f3a9c51e2';

/** A value in all forms in which a program can print it. */
function shownIn(value: unknown): string {
  const ways: ((shown: unknown) => string)[] = [
    String,
    (shown) => `${shown}`,
    (shown) => JSON.stringify({ shown, list: [shown] }),
    (shown) => inspect(shown, { depth: 9, showHidden: true }),
    (shown) => inspect(shown, { customInspect: false, depth: 9, showHidden: true }),
    (shown) => (shown instanceof Error ? `${shown.message} ${shown.stack} ${shown.cause}` : ''),
    (shown) => JSON.stringify(Object.entries(Object(shown))),
    (shown) => inspect(structuredClone({ shown: JSON.stringify(shown) })),
  ];
  return ways.map((way) => way(value)).join('\n');
}

function clientTo(stage: Pick<Stage, 'origin'>, key = canary) {
  const account = { apiKey: new Secret(key), secretKey: new Secret(`${key}-2`) };
  return { client: clientOf(stage, { account }), account };
}

const tokenOf = (text: string) => ({ secret: new Secret(text), madeAt: 0 });

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

plain('a secret shows itself as [secret], and only open gives it back', () => {
  const secret = new Secret(canary);
  for (const secretText of [secret, secret.derive((text) => `${text}x`), seal`a ${secret} ${'b'}`])
    expect(shownIn(secretText)).not.toContain(canary);
  expect(`${secret}`).toBe('[secret]');
  expect(inspect(secret)).toBe('[secret]');
  expect(JSON.stringify(secret)).toBe('"[secret]"');
  expect(open(secret)).toBe(canary);
  expect(open(secret.derive((text) => text.toLowerCase()))).toBe(canary.toLowerCase());
  expect(secret.length).toBe(canary.length);
  expect(secret.equals(new Secret(canary))).toBe(true);
  expect(secret.is((text) => text.startsWith('CANARY'))).toBe(true);
});

test('a token that was sent as Basic credentials is masked even where its case is lost', async ({
  raise,
}) => {
  const { origin } = await raise((socket) => socket.end(ok('{}')));
  const { client } = clientTo({ origin });
  await client.call(widgets, { authorization: basic(seal`:${new Secret(canary)}`) });
  const shown = Buffer.from(`:${canary}`).toString('base64').replace(/=+$/, '');
  for (const echo of [shown, shown.toUpperCase(), shown.toLowerCase()])
    expect(client.scrub(`GOT ${echo}!`)).toBe('GOT [secret]!');
});

plain('a seal hides its secrets only', () => {
  const sealed = seal`Bearer ${new Secret(canary)}, ${'twice'} ${seal`x=${new Secret(canary)}`}`;
  expect(`${sealed}`).toBe('Bearer [secret], twice x=[secret]');
  expect(open(sealed)).toBe(`Bearer ${canary}, twice x=${canary}`);
  expect(shownIn(sealed)).not.toContain(canary);
});

test('an error shows the request without its secrets', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const { client, account } = clientTo(stage);
  const secret = new Secret(canary);
  const { request } = await client.call(widgets, {
    ...bearer(tokenOf(canary)),
    query: seal`token=${secret}`,
    headers: { 'X-Api-Key': secret },
    body: { json: { apiKey: account.apiKey, list: [secret], plain: 1 } },
  });
  expect(request.line).toBe(
    'GET /public-api/v1/widgets?token=[secret]   Authorization: Bearer [secret]   X-Api-Key: [secret]   {"apiKey":"[secret]","list":["[secret]"],"plain":1}',
  );
  expect(shownIn(request)).not.toContain(canary);
  const body = { type: 'text/plain', text: seal`key ${secret}` };
  const { request: posted } = await client.call(tokenEndpoint, { body });
  expect(posted.line).toBe('POST /public-api/v1/auth/token   key [secret]');
});

test('what an answer says has no secrets, also where it redirects to', async ({ raise }) => {
  const location = 'Location: https://other.example/the-api-key-itself?token=abc';
  const head = `HTTP/1.1 302 Found\r\n${location}\r\nContent-Length: 0\r\n\r\n`;
  const stage = await raise((socket) => socket.end(head));
  const { client } = clientTo(stage, 'the-api-key-itself');
  const { request } = await client.call(widgets);
  expect(request.words?.()).toBe('redirects to https://other.example/[secret]');
});

test('no failure shows a secret', async ({ raise }) => {
  const echo = `HTTP/1.1 200 ${canary}\r\nX-${canary}: ${canary}`;
  const cut = `${echo}\r\nContent-Length: 99\r\n\r\n${canary}`;
  for (const output of [`${canary}\r\n\r\n`, cut, `${echo}\x00`]) {
    const stage = await raise((socket) => socket.end(output));
    const error = await failure(clientTo(stage).client.call(widgets, bearer(tokenOf(canary))));
    expect(error).toBeInstanceOf(Error);
    expect(shownIn(error)).not.toContain(canary);
  }
});

test('an answer without a token shows none of its content', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok(JSON.stringify({ echo: canary }))));
  const { client, account } = clientTo(stage);
  const error = await failure(client.issue(account));
  expect(error).toBeInstanceOf(NoTokenError);
  expect(shownIn(error)).not.toContain(canary);
  expect(shownIn(error)).not.toContain(Buffer.from(canary).toString('hex').match(/../g)?.join(' '));
  expect(error instanceof NoTokenError && error.answer.status).toBe(200);
});

test('the client scrubs the credentials and each token that it has received', async ({ raise }) => {
  let made = 0;
  const stage = await raise((socket) => {
    made += 1;
    socket.end(ok(JSON.stringify({ data: { accessToken: `${canary}-token-${made}` } })));
  });
  const { client, account } = clientTo(stage, 'the-api-key-itself');
  await client.issue(account);
  await client.call(tokenEndpoint, { body: { json: account } });
  expect(client.scrub(`${canary}-token-1 ${canary}-token-2 the-api-key-itself-2`)).toBe(
    '[secret] [secret] [secret]',
  );
});

const unsendable = ['a\nb', 'a\r\nX: y', 'a\0b', 'a\x7f', '\x1b[31m', 'half \ud800'];

test('a value that no header can carry is neither sent nor quoted', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  for (const tail of unsendable) {
    const token = tokenOf(canary + tail);
    const error = await failure(clientTo(stage).client.call(widgets, bearer(token)));
    expect(error).toBeInstanceOf(UnprovenError);
    expect(shownIn(error)).not.toContain(canary);
    expect(String(error)).toBe(
      'UnprovenError: GET /public-api/v1/widgets: control characters cannot stand in a header',
    );
  }
  expect(stage.connections.ever).toBe(0);
});

test('a token that a header cannot carry is not a token', async ({ raise }) => {
  for (const tail of [...unsendable, ' ', '\t', ' more', '\x7f']) {
    const data = { accessToken: canary + tail };
    const body = JSON.stringify({ success: true, message: '', data });
    const { client, account } = clientTo(await raise((socket) => socket.end(ok(body))));
    const error = await failure(client.issue(account));
    expect(error).toBeInstanceOf(NoTokenError);
    expect(shownIn(error)).not.toContain(canary);
    expect(client.scrub(canary + tail)).toBe('[secret]');
  }
});
