import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { type CallerOptions, callerOf, type Rejection } from '../../contract/caller.ts';
import { hours, minutes } from '../../contract/clock.ts';
import { account, simulatedService, widgets } from './simulated-service.ts';

/** A caller of a simulated provider, and the rejections that it was told of. */
function stage(more: Partial<CallerOptions> = {}, turn?: () => Promise<unknown>) {
  const service = simulatedService(turn);
  const unexpected: Rejection[] = [];
  const caller = callerOf({
    service,
    account,
    now: () => service.now,
    onUnexpected: (rejection) => unexpected.push(rejection),
    ...more,
  });
  return { service, caller, unexpected };
}

test('one token serves all calls, also those that come while it is made', async () => {
  const { service, caller } = stage();
  await Promise.all(Array.from({ length: 10 }, () => caller.call(widgets)));
  await caller.call(widgets);
  expect(service.made.map(({ token }) => token)).toEqual([await caller.token()]);
  expect(service.uses.map(({ status }) => status)).toEqual(Array(11).fill(200));
});

test('a token is renewed five minutes before its end, and not a millisecond sooner', async () => {
  const { service, caller, unexpected } = stage();
  const first = await caller.token();
  service.now += hours(24) - minutes(5) - 1;
  expect(await caller.token()).toBe(first);
  service.now += 1;
  expect(await caller.token()).not.toBe(first);
  expect(unexpected).toEqual([]);
});

test('the age of a token counts from before it was asked for', async () => {
  const { service, caller } = stage({ renewAfterMs: 1000 }, async () => {
    service.now += 300;
  });
  const first = await caller.token();
  service.now += 399;
  expect(await caller.token()).toBe(first);
  service.now += 1;
  expect(await caller.token()).not.toBe(first);
});

test('a 401 renews the token once, and the call is made once more (CALLER-3)', async () => {
  const { service, caller, unexpected } = stage();
  const first = await caller.token();
  service.now += hours(1);
  service.wipe();
  const answer = await caller.call(widgets);
  expect(answer.status).toBe(200);
  expect(service.exchanges.ever).toBe(2);
  expect(unexpected).toEqual([
    { token: first, ageMs: hours(1), answer: expect.objectContaining({ status: 401 }) },
  ]);
});

test('a 401 to a token whose 24 hours may have elapsed is no surprise', async () => {
  const { service, caller, unexpected } = stage({ renewAfterMs: hours(48) });
  await caller.token();
  service.now += hours(24);
  expect((await caller.call(widgets)).status).toBe(200);
  expect(service.exchanges.ever).toBe(2);
  expect(unexpected).toEqual([]);
});

test('it is recorded before the token is renewed', async () => {
  const renewedBy: number[] = [];
  const { service, caller } = stage({
    onUnexpected: () => renewedBy.push(service.exchanges.ever),
  });
  await caller.token();
  service.wipe();
  await caller.call(widgets);
  expect(renewedBy).toEqual([1]);
});

test('the second answer is returned whatever it is, and its token is kept', async () => {
  const { service, caller, unexpected } = stage();
  service.call = async () => ({ ...(await simulatedService().call(widgets)), status: 401 });
  expect((await caller.call(widgets)).status).toBe(401);
  expect(service.exchanges.ever).toBe(2);
  expect((await caller.call(widgets)).status).toBe(401);
  expect(service.exchanges.ever, 'one more with each call, not two').toBe(3);
  expect(unexpected.map(({ token }) => token)).toEqual(service.made.map(({ token }) => token));
});

test('ten refusals at once of one token renew it once, and are recorded once', async () => {
  const { service, caller, unexpected } = stage();
  await caller.token();
  service.wipe();
  const answers = await Promise.all(Array.from({ length: 10 }, () => caller.call(widgets)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(service.exchanges.ever).toBe(2);
  expect(unexpected).toHaveLength(1);
});

test('a failed exchange reaches all who wait for it, and nobody after them', async () => {
  const { service, caller } = stage();
  service.outages = 1;
  const waiting = await Promise.allSettled([caller.token(), caller.call(widgets), caller.token()]);
  expect(waiting.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(service.exchanges.ever).toBe(1);
  expect((await caller.call(widgets)).status).toBe(200);
});

test('a discarded token is used no more, and one that is kept no longer is let be', async () => {
  const { service, caller, unexpected } = stage();
  const first = await caller.token();
  caller.discard(first);
  const second = await caller.token();
  caller.discard(first);
  caller.discard({ ...second });
  expect(await caller.token()).toBe(second);
  expect([service.exchanges.ever, unexpected]).toEqual([2, []]);
});

test('what is held is told as secrets', async () => {
  const { caller } = stage();
  expect(caller.held()).toEqual([]);
  const token = await caller.token();
  expect(caller.held()).toEqual([token.secret]);
  caller.discard(token);
  expect(caller.held()).toEqual([]);
});

test('a call deviates as it is asked to, and is authorised all the same', async () => {
  const { service, caller } = stage();
  const seen: unknown[] = [];
  service.call = async (endpoint, ask) => {
    seen.push([endpoint, String(ask?.authorization), ask?.query]);
    return simulatedService().call(endpoint, {});
  };
  const query = account.apiKey.derive(() => 'page=2');
  await caller.call(widgets, { query });
  expect(seen[0]).toEqual([widgets, 'Bearer [secret]', query]);
});

const margin = hours(24) - minutes(5);

/** What happens to a provider and its caller, in an order that is drawn. */
const events = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('call' as const) },
    { weight: 1, arbitrary: fc.constantFrom('wipe' as const, 'outage' as const, 'token' as const) },
    { weight: 1, arbitrary: fc.constantFrom(minutes(1), hours(8), hours(24)) },
  ),
  { minLength: 1, maxLength: 40 },
);

/** What must be true of whatever has happened. */
function expectSound({ service, unexpected }: ReturnType<typeof stage>): void {
  const { exchanges, uses, made } = service;
  expect(exchanges.most).toBeLessThanOrEqual(1);
  const refused = new Set(uses.filter(({ status }) => status === 401).map(({ token }) => token));
  const recorded = unexpected.map(({ token }) => token);
  expect(new Set(recorded).size, 'one record a token').toBe(recorded.length);
  const early = unexpected.filter(({ ageMs }) => ageMs < hours(24));
  expect(early).toEqual(unexpected);
  expect(recorded.filter((token) => !refused.has(token))).toEqual([]);
  const refusedEarly = made.filter(
    ({ token, askedAt }) => refused.has(token) && service.now - askedAt < hours(24),
  );
  expect(
    refusedEarly.filter(({ token }) => !recorded.includes(token)),
    'refused too early',
  ).toEqual([]);
  const usedLate = made.filter(
    ({ token, askedAt, receivedAt = 0 }) =>
      receivedAt - askedAt < margin &&
      uses.some((use) => use.token === token && use.sentAt - askedAt >= margin),
  );
  expect(usedLate, 'no use beyond the margin').toEqual([]);
  const renewed = made.filter(({ askedAt }, index) => {
    const next = made[index + 1];
    return next !== undefined && next.askedAt - askedAt < margin;
  });
  expect(
    renewed.filter(({ token }) => !refused.has(token)),
    'no renewal without a cause',
  ).toEqual([]);
}

test('whatever comes between: one exchange at a time, one record a token, two calls at most', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), events, async (scheduler, story) => {
      const played = stage({}, () => scheduler.schedule(Promise.resolve()));
      const { service, caller } = played;
      const asked: Promise<unknown>[] = [];
      const happen = async (event: (typeof story)[number]): Promise<void> => {
        if (typeof event === 'number') service.now += event;
        else if (event === 'wipe') service.wipe();
        else if (event === 'outage') service.outages += 1;
        else asked.push(event === 'token' ? caller.token() : caller.call(widgets));
        asked.at(-1)?.catch(() => {});
      };
      scheduler.scheduleSequence(story.map((event) => () => happen(event)));
      await scheduler.waitIdle();
      const failed = (await Promise.allSettled(asked)).filter(
        ({ status }) => status === 'rejected',
      );
      // Nobody hears of a failure but of an exchange that has failed.
      if (service.exchanges.failed === 0) expect(failed).toEqual([]);
      expect(service.uses.length).toBeLessThanOrEqual(2 * asked.length);
      expectSound(played);
    }),
    { numRuns: 300 },
  );
});
