import { pathVariants } from '../../contract/attacks/path-variants.ts';
import { prefix } from '../../contract/http/request.ts';
import { Secret, seal } from '../../contract/secrets/secret.ts';
import { widgets } from './simulated-service.ts';
import { answering, clientOf, expect, ok, test } from './stage.ts';

for (const [path, arrives] of [
  [`${prefix}widgets`, `${prefix}widgets?token=t-7361`],
  [`${prefix}widgets?all=1`, `${prefix}widgets?all=1&token=t-7361`],
] as const)
  test(`the probe's own query reaches ${path} as a separate parameter`, async ({ raise }) => {
    const stage = await raise(answering(ok('')));
    const query = new Secret('token=t-7361');
    const { request } = await clientOf(stage).call({ method: 'GET', path }, { query });
    expect(stage.requests[0]).toContain(`GET ${arrives} HTTP/1.1`);
    expect(request.line).toBe(`GET ${arrives.replace('token=t-7361', '[secret]')}`);
  });

test('a path with a secret is sent instead of the path, and shown without the secret', async ({
  raise,
}) => {
  const stage = await raise(answering(ok('')));
  const secretPath = seal`${prefix}${new Secret('t-7361')}/widgets`;
  const client = clientOf({ origin: new URL('/base/', stage.origin) });
  const { request } = await client.call(widgets, { secretPath });
  expect(stage.requests[0]).toContain(`GET /base${prefix}t-7361/widgets HTTP/1.1`);
  expect(request.line).toBe(`GET ${prefix}[secret]/widgets`);
});

test('a path with a secret is not sent outside the prefix', async () => {
  const client = clientOf({ origin: new URL('http://nowhere.invalid') });
  const outside = client.call(widgets, { secretPath: new Secret('/t-7361/widgets') });
  await expect(outside).rejects.toThrow('VERSION-1: [secret] is not below /public-api/v1/');
});

test('a path variant keeps its query unchanged after the path', () => {
  const plain = pathVariants(`${prefix}widgets`);
  const variants = pathVariants(`${prefix}widgets?All=1`);
  expect(variants).toEqual(
    plain.map((path) => (path.includes('?') ? `${path}&All=1` : `${path}?All=1`)),
  );
});
