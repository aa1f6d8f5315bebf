import { expect, test } from '@playwright/test';
import { endpointName } from '../../contract/http/request.ts';
import type { Target } from '../../contract/round/target.ts';
import { costText, estimateCost, waitText } from '../../gate/cost.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { jwt } from '../faults/token-forms.ts';
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

async function measured(target: Target, selected = probes): Promise<Cost> {
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
  const due = target.level === 'quick' ? selected.filter(({ quick }) => quick) : selected;
  const { exit } = await judgeProvider({ ...target, exchange: counted }, due);
  expect(exit).toBe(0);
  return { ...cost, authorised };
}

const sum = (counts: Iterable<number>): number =>
  [...counts].reduce((total, next) => total + next, 0);

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
  const cost = await measured({ ...sandboxInMemory(), endpoints: [first] });
  expect(cost.requests).toBeLessThanOrEqual(1200);
  expect(cost.tokens).toBeLessThanOrEqual(140);
  expect(cost.tokenRequests).toBeLessThanOrEqual(300);
  expect(sum(cost.authorised.values())).toBeLessThanOrEqual(130);
});

test('each further endpoint costs 16 requests at most, and thirty 1,700', async () => {
  const single = await measured({ ...sandboxInMemory(), endpoints: [first] });
  const thirty = await measured({ ...sandboxInMemory(), endpoints: manyEndpoints(30) });
  expect(thirty.requests - single.requests).toBeLessThanOrEqual(29 * 16);
  expect(thirty.requests).toBeLessThanOrEqual(1700);
});

test('a quick round sends 60 requests, gets forty refusals, and each further endpoint costs 8', async () => {
  const quick = { ...sandboxInMemory(), level: 'quick' } as const;
  const single = await measured({ ...quick, endpoints: [first] });
  expect(single.requests).toBeLessThanOrEqual(60);
  // Firewalls block an address after fifty.
  expect(single.refused).toBeLessThanOrEqual(40);
  const eleven = await measured({ ...quick, endpoints: manyEndpoints(11) });
  expect(eleven.requests - single.requests).toBeLessThanOrEqual(80);
});

test('an endpoint that writes gets four requests with a valid token at most', async () => {
  if (second === undefined) throw new Error('the sandbox has an endpoint that writes');
  const { authorised } = await measured({ ...sandboxInMemory(), endpoints: [first, second] });
  expect(second.method).toBe('POST');
  expect(authorised.get(endpointName(second))).toBeLessThanOrEqual(4);
});

for (const { name, quick, stage } of probes)
  test(`what ${name} costs is foretold`, async () => {
    const target = { ...sandboxInMemory({ ...right, ...jwt }), endpoints: [first] } as const;
    const selected = probes.filter((probe) => probe.name === name);
    for (const level of quick ? (['default', 'quick'] as const) : (['default'] as const)) {
      const cost = await measured({ ...target, level }, selected);
      const told = estimateCost(selected, { ...target, level });
      const row = [cost.requests - 1, cost.tokenRequests - 1, sum(cost.authorised.values())];
      const differs = Math.abs(told.requests - cost.requests);
      const label = `gate/costs.json: "${name}${level === 'quick' ? ' quick' : ''}": [${row.join(', ')}]`;
      expect(told.requests, label).toBeGreaterThan(1);
      expect(differs, label).toBeLessThanOrEqual(5 + cost.requests / 5);
      expect(Math.abs(told.tokens - cost.tokenRequests), label).toBeLessThanOrEqual(5);
    }
    expect(estimateCost(selected, { ...target, clock: undefined }).requests).toBe(
      stage === 'simulated' || stage === 'years' ? 1 : estimateCost(selected, target).requests,
    );
  });

test('the cost is said with its time if a rate is set, and a wait with the time that is left', () => {
  const target = { ...sandboxInMemory(), endpoints: [first] } as const;
  const cost = { requests: 1000, tokens: 200, calls: 70 };
  expect(costText(cost, target)).toBe('about 1000 requests, 200 for tokens, 70 with a valid token');
  expect(costText(cost, { ...target, requestsPerSecond: 1 })).toBe(
    'about 1000 requests, 200 for tokens, 70 with a valid token, 16.7 min at the rate that is set',
  );
  expect(costText(cost, { ...target, tokensPerSecond: 10 })).toContain(', 20 s at the rate');
  const wait = { isForToken: true, ms: 30_000, intervalMs: 6000, sent: 60 };
  expect(waitText(wait, cost)).toBe(
    'the token endpoint limits the rate: at about 10/min 14.5 min left (if you know it: PUBLIC_API_TOKEN_RATE, tokenRate)',
  );
  expect(waitText({ ...wait, isForToken: false }, cost)).toMatch(
    /^the provider limits the rate: .* 1\.6 h left \(if you know it: PUBLIC_API_RATE, rate\)$/,
  );
});
