import { expect, test } from '@playwright/test';
import { endpointName } from '../../contract/http/request.ts';
import { createPlaceKey, planPlaces } from '../../monitor/round/plan.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { probes } from '../../probes/index.ts';
import { quiet } from './in-memory.ts';

const minute = 60_000;

/** A monitor of a correct provider with this many endpoints, which grants this many requests in any minute. */
function limited({ endpoints: count = 1, limit = Number.POSITIVE_INFINITY } = {}) {
  const world = quiet();
  const { time, provider } = world;
  const path = '/public-api/v1/widgets';
  const more = Array.from({ length: count - 1 }, (_, at) => ({
    method: 'GET',
    path: `${path}${at}`,
  }));
  const target: WatchedTarget = { ...world.target, endpoints: [{ method: 'GET', path }, ...more] };
  let sent: number[] = [];
  const counts = { requests: 0, refused: 0, limited: 0 };
  provider.answer = () => {
    const now = time.truth();
    sent = sent.filter((at) => now - at < minute);
    if (sent.length >= grants.limit) return { status: 429 };
    sent.push(now);
    return undefined;
  };
  const grants = { limit };
  const exchange: typeof provider.exchange = async (...request) => {
    const answer = await provider.exchange(...request);
    counts.requests += 1;
    counts.refused += answer.status === 401 ? 1 : 0;
    counts.limited += answer.status === 429 ? 1 : 0;
    return answer;
  };
  const begin = (more: Parameters<typeof world.watch>[1] = {}) =>
    world.watch(probes, { provider: { ...provider, exchange }, targets: [target], ...more });
  /** What each of these minutes has cost. */
  const minutes = async (many: number, each = (): void => {}) => {
    const costs: (typeof counts)[] = [];
    for (let passed = 0; passed < many; passed += 1) {
      Object.assign(counts, { requests: 0, refused: 0, limited: 0 });
      await time.pass(minute);
      costs.push({ ...counts });
      each();
    }
    return costs;
  };
  return { time, target, grants, begin, minutes };
}

const most = (costs: readonly { readonly [name: string]: number }[], name: string): number =>
  Math.max(...costs.map((cost) => cost[name] ?? 0));

test('an endpoint costs 30 requests in the first minute, 12 in each other one, and its control runs in each', async () => {
  const { time, target, begin, minutes } = limited();
  let monitor = begin();
  const [endpoint] = target.endpoints;
  const control = createPlaceKey(opens, endpointName(endpoint));
  const runs = new Set<number | undefined>();
  const note = () => runs.add(monitor.status().places[control]?.at);
  const [first, ...others] = await minutes(60, note);
  expect(first?.requests).toBeLessThanOrEqual(30);
  expect(most(others, 'requests')).toBeLessThanOrEqual(12);
  expect(runs.size).toBe(60);
  expect(monitor.view().targets[0]?.stretchedToSeconds).toBeUndefined();
  // After a restart it goes on with the part that comes next.
  const known = monitor.status().places;
  await monitor.drain(0);
  time.kill();
  monitor = begin({ store: monitor.store });
  expect(monitor.status().places).toEqual(known);
  await minutes(70, note);
  const all = planPlaces(target, probes, 60).map(({ key }) => key);
  const unfinished = all.filter((key) => monitor.status().places[key]?.result === undefined);
  expect(unfinished).toEqual([]);
  expect(runs.size).toBe(130);
});

test('thirty endpoints get at most 45 refusals a minute, and three requests more for each', async () => {
  const { begin, minutes } = limited({ endpoints: 30 });
  const monitor = begin();
  const costs = await minutes(75);
  expect(most(costs, 'refused')).toBeLessThanOrEqual(45);
  expect(most(costs.slice(1), 'requests')).toBeLessThanOrEqual(12 + 3 * 29);
  expect(monitor.status().state).toBe('holds');
});

for (const [limit, endpoints] of [
  [20, 1],
  [60, 30],
] as const)
  test(`under ${limit} requests a minute, ${endpoints} endpoints settle, and are never unreachable`, async () => {
    const { begin, minutes } = limited({ limit, endpoints });
    const monitor = begin();
    const states = new Set<string>();
    const costs = await minutes(30, () => states.add(monitor.status().state));
    expect([...states].filter((state) => state !== 'waiting')).toEqual(['holds']);
    expect(most(costs.slice(endpoints === 1 ? 3 : 10), 'limited')).toBe(0);
    expect(monitor.status()).toMatchObject({ events: [], counters: { runs: { unreachable: 0 } } });
    const [{ stretchedToSeconds = 60 } = {}] = monitor.view().targets;
    if (endpoints > 1) expect(stretchedToSeconds).toBeGreaterThan(60);
  });

test('a provider that grants nothing is unreachable after a few rounds, and judged again once it grants', async () => {
  const { grants, begin, minutes } = limited();
  const monitor = begin();
  await minutes(10);
  grants.limit = 0;
  await minutes(1);
  expect(monitor.status().state).toBe('holds');
  await minutes(5);
  expect(monitor.status()).toMatchObject({
    state: 'unreachable',
    silence: { reason: 'rate-limited' },
  });
  grants.limit = 60;
  await minutes(4);
  expect(monitor.status().state).toBe('holds');
});
