import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readTargetsFile } from '../../config/targets.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { openDatabase, StateOpenError } from '../../monitor/store/opening.ts';
import { Store } from '../../monitor/store/store.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { probes } from '../../probes/index.ts';
import { quiet } from './in-memory.ts';
import { account } from './provider.ts';

const minute = 60_000;

/** A target of the file, whose only endpoint has this schema. */
function read(schema?: object): readonly WatchedTarget[] {
  const file = test.info().outputPath('monitor.yaml');
  const monitor = {
    name: 'a',
    url: 'http://in-memory',
    monitor: { canaries: 'off' },
    endpoints: [{ method: 'GET', path: '/public-api/v1/widgets', schema }],
    credentials: { apiKeyEnv: 'KEY', secretKeyEnv: 'SECRET' },
  };
  writeFileSync(file, JSON.stringify({ targets: [monitor] }));
  const env = { KEY: account.apiKey, SECRET: account.secretKey };
  return readTargetsFile(file, { env, probes }).targets;
}

const at = (target: WatchedTarget, address: string): readonly WatchedTarget[] => [
  { ...target, connection: { ...target.connection, origin: new URL(address) } },
];

test('an unchanged target goes on, a missing one is gone, and a new one begins', async () => {
  const { time, provider, watch } = quiet();
  const [a] = read({ required: ['widgets'] });
  if (a === undefined) throw new Error('the file has a target');
  const monitor = watch([opens], { targets: [a, { ...a, name: 'b' }] });
  await time.pass(2.5 * minute);
  const before = monitor.status();
  const { length } = provider.requests;
  monitor.retarget([...read({ required: ['widgets'] }), { ...a, name: 'c' }]);
  expect(monitor.status()).toBe(before);
  expect(monitor.view().targets[0]?.endpoints).toMatchObject([{ hasSchema: true }]);
  await time.pass(minute);
  expect(monitor.view().targets.map(({ status }) => [status.target, status.state])).toEqual([
    ['a', 'holds'],
    ['c', 'holds'],
  ]);
  expect(provider.requests.length - length).toBeLessThan(10);
});

test('a target that is missing for 30 days is forgotten', async () => {
  const { time, watch } = quiet();
  const monitor = watch([opens]);
  await time.pass(minute);
  monitor.retarget([]);
  const isKnownAfter = async (days: number): Promise<boolean> => {
    await time.pass(days * 86_400_000);
    monitor.retarget([]);
    return monitor.store.load('under-test').status !== undefined;
  };
  expect(await isKnownAfter(29)).toBe(true);
  expect(await isKnownAfter(2)).toBe(false);
});

test('a round that outlives its target is not reported, and its successor begins after it', async () => {
  const { time, provider, target, watch } = quiet();
  let underWay = 0;
  let most = 0;
  const exchange: typeof provider.exchange = async (...request) => {
    most = Math.max(most, ++underWay);
    await new Promise<void>((resolve) => void time.after(5_000, resolve));
    underWay -= 1;
    return provider.exchange(...request);
  };
  const monitor = watch([opens], { provider: { ...provider, exchange } });
  while (underWay === 0) await time.pass(100);
  monitor.retarget([{ ...target, labels: { as: 'another' } }]);
  await time.pass(7_000);
  expect(monitor.status().counters.runs.passed).toBe(0);
  await time.pass(minute);
  expect(monitor.status().counters.runs.passed).toBe(1);
  expect(most).toBe(1);
  while (underWay === 0) await time.pass(100);
  monitor.retarget([{ ...target, name: 'another' }]);
  await time.pass(0);
  expect(monitor.store.load(target.name).status).toMatchObject({
    counters: { runs: { passed: 1 } },
  });
});

test('a target at a new address is judged anew, and one at its old address is not', async () => {
  const { time, provider, target, watch } = quiet();
  const { lifetime } = provider;
  provider.lifetime = 0;
  const monitor = watch([opens], { targets: at(target, 'http://old') });
  await time.pass(2 * minute);
  expect(monitor.status().state).toBe('violated');
  monitor.retarget(
    [{ ...target, labels: { as: 'another' } }].flatMap((same) => at(same, 'http://old')),
  );
  expect(monitor.status().state).toBe('violated');
  monitor.retarget(at(target, 'http://new'));
  expect(monitor.status()).toMatchObject({ state: 'waiting', events: [] });
  provider.lifetime = lifetime;
  await time.pass(5 * minute);
  expect(monitor.status().state).toBe('holds');
});

test('a reload that cannot read the state changes nothing', async () => {
  const { time, target, watch } = quiet();
  const store = new Store(openDatabase(':memory:'));
  let isReadable = true;
  const load: Store['load'] = (name) => {
    if (!isReadable && name === 'c') throw new StateOpenError('planted');
    return store.load(name);
  };
  const unreadable = new Proxy(store, {
    get: (own, name: keyof Store) => (name === 'load' ? load : own[name].bind(own)),
  });
  const monitor = watch([opens], { store: unreadable });
  await time.pass(2 * minute);
  isReadable = false;
  const [b, c] = ['b', 'c'].map((name) => ({ ...target, name }));
  if (b === undefined || c === undefined) throw new Error('two targets');
  expect(() => monitor.retarget([b, c])).toThrow('planted');
  const { lastRoundAt = 0 } = monitor.status();
  await time.pass(2 * minute);
  expect(monitor.status().lastRoundAt).toBeGreaterThan(lastRoundAt + minute);
  isReadable = true;
  monitor.retarget([b, c]);
  expect(monitor.view().targets.map(({ status }) => status.target)).toEqual(['b', 'c']);
});

test('other credentials, another period and other certificates of a CA take effect at once', async () => {
  const { time, provider, target, watch } = quiet();
  const trusted = new Set<string | undefined>();
  const exchange: typeof provider.exchange = (connection, ...rest) => {
    trusted.add(connection.ca);
    return provider.exchange(connection, ...rest);
  };
  const monitor = watch([opens], { provider: { ...provider, exchange } });
  const own = { periodSeconds: 10, objectiveRatio: 0.9 };
  const changed = { ...target, ...own, connection: { ...target.connection, ca: 'new' } };
  monitor.retarget([changed]);
  await time.pass(10 * minute);
  expect(monitor.status().counters.runs.passed).toBeGreaterThan(30);
  expect([...trusted]).toEqual(['new']);
  expect(monitor.view().targets).toMatchObject([own]);
  monitor.retarget([
    { ...changed, account: { ...target.account, secretKey: new Secret('another-secret-key') } },
  ]);
  await time.pass(minute);
  expect(monitor.status().silence?.reason).toBe('credentials');
});

test('another secret of the second credentials takes effect at once', async () => {
  const second = (secret: string) => ({
    secondAccount: { apiKey: new Secret('second-key'), secretKey: new Secret(secret) },
  });
  const { time, target, watch } = quiet(second('old'));
  const monitor = watch([opens]);
  await time.pass(2.5 * minute);
  const hasRoundAfter = async (changes: Partial<WatchedTarget>): Promise<boolean> => {
    const { lastRoundAt } = monitor.status();
    monitor.retarget([{ ...target, ...changes }]);
    await time.pass(5_000);
    return monitor.status().lastRoundAt !== lastRoundAt;
  };
  expect(await hasRoundAfter(second('old'))).toBe(false);
  expect(await hasRoundAfter(second('new'))).toBe(true);
});
