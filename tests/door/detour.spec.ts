import { expect, test } from '@playwright/test';
import type { Answer } from '../../contract/answer.ts';
import { present } from '../../contract/attempt.ts';
import { noWayIn, type Way } from '../../contract/detour.ts';
import type { Ask } from '../../contract/service.ts';
import { Unreachable } from '../../contract/unreachable.ts';
import { answer, bench, widgets as payload, refusal } from '../judge/answers.ts';
import { account, simulatedService, widgets } from './simulated-service.ts';

const ways: readonly Way[] = ['one', 'two', 'three'].map((way) => [
  `it goes way ${way}`,
  { path: `/public-api/v1/${way}` },
]);

/** What is asked, and what is found, where ways lead as they are said to; straight on the token decides. */
async function walk(
  leads: (path: string, authorised: boolean) => Answer,
): Promise<{ readonly asked: string[]; readonly found: string[] }> {
  const asked: string[] = [];
  const service = simulatedService();
  service.call = async (endpoint, { path = endpoint.path, authorization }: Ask = {}) => {
    const authorised = authorization !== undefined;
    asked.push(`${path.slice('/public-api/v1/'.length)}${authorised ? ' with' : ''}`);
    if (path === endpoint.path)
      return answer(authorised ? 200 : 401, authorised ? payload : refusal);
    return leads(path, authorised);
  };
  const [judge, record] = bench();
  const world = {
    service,
    account,
    endpoint: widgets,
    endpoints: [widgets],
    judge,
    clock: present,
  };
  await noWayIn(world, ways);
  return { asked, found: record.findings.map(({ clause, when }) => `${clause} ${when}`) };
}

test('a way is gone without a token only where it leads to the endpoint with one', async () => {
  const { asked, found } = await walk((path, authorised) =>
    path.endsWith('two') && authorised ? answer(200, payload) : answer(404, refusal),
  );
  expect(asked).toEqual(['widgets with', 'one with', 'two with', 'two', 'three with']);
  expect(found).toEqual([]);
});

test('a way that leads to the endpoint without a token breaks BEARER-2', async () => {
  const { found } = await walk((path) =>
    path.endsWith('two') ? answer(200, payload) : answer(404, refusal),
  );
  expect(found).toEqual(['BEARER-2 it goes way two']);
});

test('a way without an answer leads nowhere, and the next one is gone', async () => {
  const { asked, found } = await walk((path, authorised) => {
    if (path.endsWith('one') || (path.endsWith('two') && !authorised))
      throw new Unreachable('reset', `GET ${path}`);
    return answer(200, payload);
  });
  expect(asked).toEqual(['widgets with', 'one with', 'two with', 'two', 'three with', 'three']);
  expect(found).toEqual(['BEARER-2 it goes way three']);
});
