import { expect, test } from '@playwright/test';
import { merged, ordinaryVariations } from '../../contract/attacks/request-variations.ts';
import type { Endpoint } from '../../contract/http/request.ts';

const requestsTo = (endpoint: Endpoint) => ordinaryVariations(endpoint).map(merged);
const path = '/public-api/v1/widgets';

test('a header that the owner configures is not replaced in the requests of other clients', () => {
  const headers = { accept: 'application/vnd.shop+json', Cookie: 'gateway=1' };
  const names = (endpoint: Endpoint): string[] =>
    requestsTo(endpoint).flatMap((one) => Object.keys(one.headers ?? {}));
  expect(names({ method: 'GET', path })).toEqual(expect.arrayContaining(['Accept', 'Cookie']));
  expect(names({ method: 'GET', path, headers })).not.toContain('Accept');
  expect(names({ method: 'GET', path, headers })).not.toContain('Cookie');
});

test('the query and the body of the endpoint stay in the requests of other clients', () => {
  const own = requestsTo({ method: 'POST', path: `${path}?size=1`, body: { json: { name: 'a' } } });
  const paths = own.flatMap((one) => one.path ?? []);
  expect(paths).toEqual([`${path}?size=1&page=1&lang=fr`]);
  expect(own.filter(({ body }) => body !== undefined)).toEqual([]);
  expect(own.filter(({ chunked }) => chunked === true)).toHaveLength(1);
});
