import { expect, test } from '@playwright/test';
import { hours, minutes } from '../../contract/time/clock.ts';
import type { Rejection, TokenClientOptions } from '../../monitor/target/token-client.ts';
import { TokenClient } from '../../monitor/target/token-client.ts';
import { account, simulatedService, widgets } from './simulated-service.ts';

/** A token client of a simulated provider, and the unexpected rejections that it reports. */
function stage(more: Partial<TokenClientOptions> = {}, turn?: () => Promise<unknown>) {
  const service = simulatedService(turn);
  const unexpected: Rejection[] = [];
  const tokenClient = new TokenClient({
    service,
    account,
    now: () => service.now,
    onUnexpected: (rejection) => unexpected.push(rejection),
    ...more,
  });
  return { service, caller: tokenClient, unexpected };
}

test('a single token serves all calls, including calls made while it is issued', async () => {
  const { service, caller: tokenClient } = stage();
  await Promise.all(Array.from({ length: 10 }, () => tokenClient.call(widgets)));
  await tokenClient.call(widgets);
  expect(service.made.map(({ token }) => token)).toEqual([await tokenClient.token()]);
  expect(service.uses.map(({ status }) => status)).toEqual(Array(11).fill(200));
});

test('a token is renewed five minutes before its end, and not a millisecond earlier', async () => {
  const { service, caller: tokenClient, unexpected } = stage();
  const first = await tokenClient.token();
  service.now += hours(24) - minutes(5) - 1;
  expect(await tokenClient.token()).toBe(first);
  service.now += 1;
  expect(await tokenClient.token()).not.toBe(first);
  expect(unexpected).toEqual([]);
});

test('the age of a token counts from before its request', async () => {
  const { service, caller: tokenClient } = stage({ renewAfterMs: 1000 }, async () => {
    service.now += 300;
  });
  const first = await tokenClient.token();
  service.now += 399;
  expect(await tokenClient.token()).toBe(first);
  service.now += 1;
  expect(await tokenClient.token()).not.toBe(first);
});

test('a 401 renews the token once, and the call is repeated once (CALLER-3)', async () => {
  const { service, caller: tokenClient, unexpected } = stage();
  const first = await tokenClient.token();
  service.now += hours(1);
  service.wipe();
  const answer = await tokenClient.call(widgets);
  expect(answer.status).toBe(200);
  expect(service.exchanges.ever).toBe(2);
  expect(unexpected).toMatchObject([{ token: first, ageMs: hours(1), answer: { status: 401 } }]);
});

test('a 401 to a token whose 24 hours may have elapsed is not recorded', async () => {
  const { service, caller: tokenClient, unexpected } = stage({ renewAfterMs: hours(48) });
  await tokenClient.token();
  service.now += hours(24);
  expect((await tokenClient.call(widgets)).status).toBe(200);
  expect(service.exchanges.ever).toBe(2);
  expect(unexpected).toEqual([]);
});

test('a token that ended while the machine was stopped is not recorded, although its clock was set before', async () => {
  let steppedMs = 0;
  let ahead = 0;
  const now = (): number => service.now + steppedMs;
  const answered = async () => {
    ahead = service.now - now();
  };
  const one = stage({ now: () => now(), ahead: () => ahead }, answered);
  const { service, caller: tokenClient, unexpected } = one;
  steppedMs += hours(17);
  await tokenClient.token();
  service.now += hours(24);
  steppedMs -= hours(5);
  expect((await tokenClient.call(widgets)).status).toBe(200);
  expect(service.exchanges.ever).toBe(2);
  expect(unexpected).toEqual([]);
});

test('a refused token is recorded before it is renewed', async () => {
  const renewedBy: number[] = [];
  const onUnexpected = () => renewedBy.push(service.exchanges.ever);
  const { service, caller: tokenClient } = stage({ onUnexpected });
  await tokenClient.token();
  service.wipe();
  await tokenClient.call(widgets);
  expect(renewedBy).toEqual([1]);
});

test('the second answer is returned whatever it is, and its token is kept', async () => {
  const { service, caller: tokenClient, unexpected } = stage();
  service.call = async () => ({ ...(await simulatedService().call(widgets)), status: 401 });
  expect((await tokenClient.call(widgets)).status).toBe(401);
  expect(service.exchanges.ever).toBe(2);
  expect((await tokenClient.call(widgets)).status).toBe(401);
  expect(service.exchanges.ever, 'one more with each call, not two').toBe(3);
  expect(unexpected.map(({ token }) => token)).toEqual(service.made.map(({ token }) => token));
});

test('ten simultaneous refusals of one token renew it once, and are recorded once', async () => {
  const { service, caller: tokenClient, unexpected } = stage();
  await tokenClient.token();
  service.wipe();
  const answers = await Promise.all(Array.from({ length: 10 }, () => tokenClient.call(widgets)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(service.exchanges.ever).toBe(2);
  expect(unexpected).toHaveLength(1);
});

test('a failed exchange is reported to all waiting callers, and to no later caller', async () => {
  const { service, caller: tokenClient } = stage();
  service.outages = 1;
  const waiting = await Promise.allSettled([tokenClient.token(), tokenClient.call(widgets)]);
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(service.exchanges.ever).toBe(1);
  expect((await tokenClient.call(widgets)).status).toBe(200);
});

test('a discarded token is not used again, and discarding an already replaced token changes nothing', async () => {
  const { service, caller: tokenClient, unexpected } = stage();
  const first = await tokenClient.token();
  tokenClient.discard(first);
  const second = await tokenClient.token();
  tokenClient.discard(first);
  tokenClient.discard({ ...second });
  expect(await tokenClient.token()).toBe(second);
  expect([service.exchanges.ever, unexpected]).toEqual([2, []]);
});

test('held tokens are listed as secrets', async () => {
  const { caller: tokenClient } = stage();
  expect(tokenClient.held()).toEqual([]);
  const token = await tokenClient.token();
  expect(tokenClient.held()).toEqual([token.secret]);
  tokenClient.discard(token);
  expect(tokenClient.held()).toEqual([]);
});

test('a call with a custom request is still authorised', async () => {
  const { service, caller: tokenClient } = stage();
  const seen: unknown[] = [];
  service.call = async (endpoint, options) => {
    seen.push([endpoint, String(options?.authorization), options?.query]);
    return simulatedService().call(endpoint, {});
  };
  const query = account.apiKey.derive(() => 'page=2');
  await tokenClient.call(widgets, { query });
  expect(seen[0]).toEqual([widgets, 'Bearer [secret]', query]);
});
