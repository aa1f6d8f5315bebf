import { expect, test } from '@playwright/test';
import { endpointName } from '../../contract/http/request.ts';
import type { Target } from '../../contract/round/target.ts';
import { probes } from '../../probes/index.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

/** What a round sends, as its provider counts it. Accounts, invoices and firewalls count the same. */
interface Cost {
  readonly requests: number;
  readonly tokenRequests: number;
  readonly tokens: number;
  /** Requests to endpoints that are answered with success, by endpoint. */
  readonly authorised: ReadonlyMap<string, number>;
  readonly refused: number;
}

async function costOf(target: Target): Promise<Cost> {
  const cost = { requests: 0, tokenRequests: 0, tokens: 0, refused: 0 };
  const authorised = new Map<string, number>();
  const send = target.exchange;
  if (send === undefined) throw new Error('the sandbox in memory has an exchange');
  const counted: typeof send = async (connection, request, where, ...more) => {
    const received = await send(connection, request, where, ...more);
    const isSuccess = received.status >= 200 && received.status < 300;
    cost.requests += 1;
    if (where.endsWith('/auth/token')) {
      cost.tokenRequests += 1;
      if (isSuccess) cost.tokens += 1;
    } else if (isSuccess) authorised.set(where, (authorised.get(where) ?? 0) + 1);
    if (received.status === 401) cost.refused += 1;
    return received;
  };
  const due = target.level === 'quick' ? probes.filter(({ quick }) => quick) : probes;
  const { exit } = await judgeProvider({ ...target, exchange: counted }, due);
  expect(exit).toBe(0);
  return { ...cost, authorised };
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((one, next) => one + next, 0);

const { endpoints } = sandboxInMemory();
const [first, second] = endpoints;

/** The first endpoint, and so many that differ from it in their query. */
const manyEndpoints = (count: number): Target['endpoints'] => [
  first,
  ...Array.from({ length: count - 1 }, (_, page) => ({
    ...first,
    path: `${first.path}?page=${page}`,
  })),
];

test('a round with one endpoint sends 1,200 requests at most', async () => {
  const cost = await costOf({ ...sandboxInMemory(), endpoints: [first] });
  expect(cost.requests).toBeLessThanOrEqual(1200);
  expect(cost.tokens).toBeLessThanOrEqual(140);
  expect(cost.tokenRequests).toBeLessThanOrEqual(300);
  expect(sum(cost.authorised.values())).toBeLessThanOrEqual(130);
});

test('each further endpoint costs 16 requests at most, and thirty 1,700', async () => {
  const one = await costOf({ ...sandboxInMemory(), endpoints: [first] });
  const thirty = await costOf({ ...sandboxInMemory(), endpoints: manyEndpoints(30) });
  expect(thirty.requests - one.requests).toBeLessThanOrEqual(29 * 16);
  expect(thirty.requests).toBeLessThanOrEqual(1700);
});

test('a quick round sends 60 requests, gets forty refusals, and each further endpoint costs 8', async () => {
  const quick = { ...sandboxInMemory(), level: 'quick' } as const;
  const one = await costOf({ ...quick, endpoints: [first] });
  expect(one.requests).toBeLessThanOrEqual(60);
  // Firewalls block an address after fifty.
  expect(one.refused).toBeLessThanOrEqual(40);
  const eleven = await costOf({ ...quick, endpoints: manyEndpoints(11) });
  expect(eleven.requests - one.requests).toBeLessThanOrEqual(80);
});

test('an endpoint that writes gets four requests with a valid token at most', async () => {
  if (second === undefined) throw new Error('the sandbox has an endpoint that writes');
  const { authorised } = await costOf({ ...sandboxInMemory(), endpoints: [first, second] });
  expect(second.method).toBe('POST');
  expect(authorised.get(endpointName(second))).toBeLessThanOrEqual(4);
});
