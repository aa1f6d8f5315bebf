import http from 'node:http';
import { expect, test } from '@playwright/test';
import { pathVariants } from '../../contract/attacks/path-variants.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { openClient } from '../../contract/http/client.ts';
import { Pace } from '../../contract/http/pacing.ts';
import { type CallOptions, prefix } from '../../contract/http/request.ts';
import { Secret, seal } from '../../contract/secrets/secret.ts';

/** The answer to a request, and the target with which the request arrived. */
async function sent(path: string, options: CallOptions): Promise<readonly [Answer, unknown]> {
  const arrived: unknown[] = [];
  const server = http.createServer((request, response) => {
    arrived.push(request.url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client = openClient({
    connection: {
      origin: new URL(`http://127.0.0.1:${port}/base/`),
      timeoutMs: 5000,
      maxBodyBytes: 1000,
    },
    pace: new Pace({ maxRetryAfterMs: 0 }),
    account: { apiKey: new Secret('<API_KEY>'), secretKey: new Secret('<SECRET_KEY>') },
    now: Date.now,
  });
  try {
    return [await client.call({ method: 'GET', path }, options), arrived[0]];
  } finally {
    server.close();
  }
}

for (const [path, arrives] of [
  [`${prefix}widgets`, `${prefix}widgets?token=t-7361`],
  [`${prefix}widgets?all=1`, `${prefix}widgets?all=1&token=t-7361`],
] as const)
  test(`the probe's own query reaches ${path} as a separate parameter`, async () => {
    const [{ request }, arrived] = await sent(path, { query: new Secret('token=t-7361') });
    expect(arrived).toBe(`/base${arrives}`);
    expect(request.line).toBe(`GET ${arrives.replace('token=t-7361', '[secret]')}`);
  });

test('a path with a secret is sent instead of the path, and shown without the secret', async () => {
  const secret = new Secret('t-7361');
  const [{ request }, arrived] = await sent(`${prefix}widgets`, {
    secretPath: seal`${prefix}${secret}/widgets`,
  });
  expect(arrived).toBe(`/base${prefix}t-7361/widgets`);
  expect(request.line).toBe(`GET ${prefix}[secret]/widgets`);
});

test('a path with a secret is not sent outside the prefix', async () => {
  const outside = sent(`${prefix}widgets`, { secretPath: new Secret('/t-7361/widgets') });
  await expect(outside).rejects.toThrow('VERSION-1: [secret] is not below /public-api/v1/');
});

test('a path variant keeps its query unchanged after the path', () => {
  const plain = pathVariants(`${prefix}widgets`);
  const variants = pathVariants(`${prefix}widgets?All=1`);
  expect(variants).toEqual(
    plain.map((path) => (path.includes('?') ? `${path}&All=1` : `${path}?All=1`)),
  );
});
