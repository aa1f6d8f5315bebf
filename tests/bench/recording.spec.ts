import { expect, test } from '@playwright/test';
import { startSandbox } from '../../sandbox/provider.ts';
import {
  collectionOf,
  curlOptions,
  isRepeatable,
  recordingService,
} from '../../tools/bench/recording.ts';

const origin = 'https://127.0.0.1:1';

/** What the sandbox records of one refused request. */
async function recordedPost() {
  const { service, recorded } = recordingService();
  await using sandbox = await startSandbox({ behaviour: service });
  const headers = { 'X-Quote': 'a "b" \\c', 'X-Empty': '', 'Content-Type': 'text/plain' };
  const body = 'key=1';
  await fetch(new URL('/public-api/v1/reports?a=1', sandbox.baseUrl), {
    method: 'POST',
    headers,
    body,
  });
  await fetch(sandbox.clockUrl);
  return recorded;
}

test('a collection has each request and its status, without requests to the test clock', async () => {
  const { item } = JSON.parse(collectionOf(await recordedPost(), origin));
  expect(item).toHaveLength(1);
  const [{ request, event }] = item;
  expect(request).toMatchObject({
    method: 'POST',
    url: `${origin}/public-api/v1/reports?a=1`,
    body: { mode: 'raw', raw: 'key=1' },
  });
  const names = request.header.map(({ key }: { key: string }) => key.toLowerCase());
  expect(names).toEqual(expect.arrayContaining(['host', 'x-quote', 'x-empty', 'content-type']));
  expect(names).not.toContain('connection');
  expect(names).not.toContain('content-length');
  expect(event[0].script.exec.join('')).toContain('status(401)');
});

test('options of curl quote headers, keep empty ones and read the body from a file', async () => {
  for (const one of await recordedPost())
    expect(curlOptions(one, origin, 'body').toLowerCase().split('\n')).toEqual(
      expect.arrayContaining([
        `url = "${origin}/public-api/v1/reports?a=1"`,
        'request = post',
        'header = "x-quote: a \\"b\\" \\\\c"',
        'header = "x-empty;"',
        'header = "expect:"',
        'data-binary = "@body"',
      ]),
    );
});

test('a request with another Host or a URL that tools change is not repeated', async () => {
  for (const { call } of await recordedPost()) {
    const own = `${call.headers.host}`;
    expect(isRepeatable(call, own)).toBe(true);
    expect(isRepeatable(call, 'localhost')).toBe(false);
    for (const url of ['/widgets#.css', '/x\\..\\widgets', `${origin}/widgets`])
      expect(isRepeatable({ ...call, url }, own)).toBe(false);
  }
});
