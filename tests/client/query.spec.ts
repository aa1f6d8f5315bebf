import http from 'node:http';
import { expect, test } from '@playwright/test';
import { pathVariants } from '../../contract/attacks/path-variants.ts';
import { openClient } from '../../contract/http/client.ts';
import { Pace } from '../../contract/http/pacing.ts';
import { prefix } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';

for (const [path, arrives] of [
  [`${prefix}widgets`, `${prefix}widgets?token=t-7361`],
  [`${prefix}widgets?all=1`, `${prefix}widgets?all=1&token=t-7361`],
] as const)
  test(`the probe's own query reaches ${path} as a separate parameter`, async () => {
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
        origin: new URL(`http://127.0.0.1:${port}`),
        timeoutMs: 5000,
        maxBodyBytes: 1000,
      },
      pace: new Pace({ maxRetryAfterMs: 0 }),
      account: { apiKey: new Secret('<API_KEY>'), secretKey: new Secret('<SECRET_KEY>') },
      now: Date.now,
    });
    const query = new Secret('token=t-7361');
    const { request } = await client.call({ method: 'GET', path }, { query });
    server.close();
    expect(arrived).toEqual([arrives]);
    expect(request.line).toBe(`GET ${arrives.replace('token=t-7361', '[secret]')}`);
  });

test('a path variant keeps its query unchanged after the path', () => {
  const plain = pathVariants(`${prefix}widgets`);
  const variants = pathVariants(`${prefix}widgets?All=1`);
  expect(variants).toEqual(
    plain.map((path) => (path.includes('?') ? `${path}&All=1` : `${path}?All=1`)),
  );
});
