import { expect, test } from '@playwright/test';
import { NoTokenError, type Service } from '../../contract/http/client.ts';
import { withRetries } from '../../contract/http/retry.ts';
import { type Reason, UnreachableError } from '../../contract/http/unreachable.ts';
import { answer } from '../judge/answers.ts';
import { account, serviceAnswering, widgets } from './simulated-service.ts';

interface Sent {
  readonly service: Service;
  readonly requests: () => number;
  readonly pauses: number[];
}

/** A service whose first requests have these outcomes, in this order. It answers all later requests. */
function sending(
  ...fates: (Reason | 'no token' | 'refused' | 'page' | 'envelope' | 'fine')[]
): Sent {
  let at = 0;
  const pauses: number[] = [];
  const next = async (): Promise<ReturnType<typeof answer>> => {
    const fate = fates[at++] ?? 'fine';
    if (fate === 'no token') throw new NoTokenError(answer(500));
    if (fate === 'refused') throw new NoTokenError(answer(401));
    if (fate === 'page') throw new NoTokenError(answer(404, '<h1>404</h1>', { type: 'text/html' }));
    if (fate === 'envelope') throw new NoTokenError(answer(403, { success: false, message: 'no' }));
    if (fate !== 'fine') throw new UnreachableError(fate, 'GET /x');
    return answer(200);
  };
  const pass = async () => {};
  const sleep = async (ms: number) => void pauses.push(ms);
  const options = { onNoToken: pass, beforeRequest: pass, sleep };
  return { service: withRetries(serviceAnswering(next), options), requests: () => at, pauses };
}

test('an interrupted request is sent again, at most twice', async () => {
  for (const reason of ['connect', 'reset', 'truncated', 'protocol', 'unavailable'] as const) {
    const { service, requests, pauses } = sending(reason, reason);
    await service.call(widgets);
    expect({ requests: requests(), pauses }, reason).toEqual({ requests: 3, pauses: [0, 250] });
    const vain = sending(reason, reason, reason);
    await expect(vain.service.call(widgets), reason).rejects.toBeInstanceOf(UnreachableError);
    expect(vain.requests(), reason).toBe(3);
  }
});

test('a failure that a retry cannot mend is not sent again', async () => {
  for (const reason of ['dns', 'tls', 'too-large', 'rate-limited'] as const) {
    const { service, requests } = sending(reason);
    await expect(service.call(widgets), reason).rejects.toThrow(UnreachableError);
    expect(requests(), reason).toBe(1);
  }
});

test('kept-alive connections and the token endpoint are retried too', async () => {
  const kept = sending('reset');
  await kept.service.connection((service) => service.call(widgets));
  expect(kept.requests()).toBe(2);
  const tokens = sending('reset', 'no token', 'reset', 'no token', 'no token');
  await tokens.service.issue(account);
  expect(tokens.requests()).toBe(6);
});

test('refused credentials are not sent again', async () => {
  const { service, requests } = sending('refused');
  await expect(service.issue(account)).rejects.toBeInstanceOf(NoTokenError);
  expect(requests()).toBe(1);
});

test("a proxy's client error is sent again once the credentials are known to be right, one 404 before too", async () => {
  const known = sending('fine', 'page', 'page');
  for (let token = 1; token <= 2; token++) await known.service.issue(account);
  expect(known.requests()).toBe(4);
  const own = sending('fine', 'envelope');
  await own.service.issue(account);
  await expect(own.service.issue(account)).rejects.toBeInstanceOf(NoTokenError);
  expect(own.requests()).toBe(2);
  const accident = sending('page');
  await accident.service.issue(account);
  expect(accident.requests()).toBe(2);
  const unknown = sending('page', 'page');
  await expect(unknown.service.issue(account)).rejects.toBeInstanceOf(NoTokenError);
  expect(unknown.requests()).toBe(2);
});

test('four answers without a token, and one after the provider was checked, are the outcome', async () => {
  const { service, requests } = sending(...Array<'no token'>(5).fill('no token'));
  await expect(service.issue(account)).rejects.toBeInstanceOf(NoTokenError);
  expect(requests()).toBe(5);
});

test('a provider that is down gets a limited number of requests', async () => {
  const { service, requests } = sending(...Array<Reason>(1000).fill('reset'));
  for (let call = 0; call < 100; call++) await service.call(widgets).catch(() => {});
  expect(requests()).toBe(140);
  const silent = sending(...Array<Reason>(1000).fill('timeout'));
  for (let call = 0; call < 100; call++) await silent.service.call(widgets).catch(() => {});
  expect(silent.requests()).toBe(108);
});
