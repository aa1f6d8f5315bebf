import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { payloadCheck } from '../../config/endpoint-fields.ts';
import { readTargetsFile } from '../../config/targets.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { StateOpenError } from '../../monitor/state/opening.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { probes } from '../../probes/index.ts';
import { openFactsOfTheEndpoints as facts } from '../../probes/open-facts.ts';
import { down, inMemory, quiet, series, watching } from './in-memory.ts';
import { account } from './provider.ts';
import { simulatedTime } from './simulated-time.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The target of a configuration file whose only endpoint has this schema. */
function read(schema?: object): readonly WatchedTarget[] {
  const file = test.info().outputPath('monitor.yaml');
  const endpoint = { method: 'GET', path: '/public-api/v1/widgets', schema };
  const one = {
    name: 'a',
    url: 'http://in-memory',
    canaries: 'off',
    endpoints: [endpoint],
    credentials: { apiKeyEnv: 'KEY', secretKeyEnv: 'SECRET' },
  };
  writeFileSync(file, JSON.stringify({ targets: [one] }));
  const env = { KEY: account.apiKey, SECRET: account.secretKey };
  return readTargetsFile(file, { env, probes }).targets;
}

test('a payload schema that a reload adds, changes or removes takes effect at once', async () => {
  const { time, watch } = quiet();
  const one = watch([opens], { targets: read() });
  const payload = () =>
    one
      .status()
      .targets[0]?.probes.find(({ name }) => name === 'the-payload-is-as-its-schema-says');
  await time.pass(2 * minute);
  expect(payload()).toBeUndefined();
  one.retarget(read({ required: ['gadgets'] }));
  await time.pass(2 * minute);
  expect(payload()?.last).toMatchObject({ ending: 'broken', reason: 'payload' });
  one.retarget(read({ required: ['widgets'] }));
  await time.pass(2 * minute);
  expect(payload()?.last?.ending).toBe('kept');
  const runs = payload()?.runs.length ?? 0;
  expect(runs).toBeGreaterThan(0);
  one.retarget(read());
  expect(payload()).toBeUndefined();
});

test('a target at a new address is judged anew, and one at its old address is not', async () => {
  const { time, provider, target, watch } = quiet();
  const state = openStateStore(':memory:');
  const movedTo = (address: string): WatchedTarget[] => [
    { ...target, connection: { ...target.connection, origin: new URL(address) } },
  ];
  const { lifetime } = provider;
  provider.lifetime = 0;
  const one = watch([opens], { state, targets: movedTo('http://old') });
  await time.pass(2 * minute);
  const stateOf = (watching: typeof one) => watching.status().targets[0]?.state;
  expect(stateOf(one)).toBe('broken');
  await one.drain(0);
  const again = watch([opens], { state, targets: movedTo('http://old') });
  expect(stateOf(again)).toBe('broken');
  again.retarget(movedTo('http://new'));
  expect(stateOf(again)).toBe('waiting');
  expect(again.status().targets[0]?.events).toMatchObject([
    { clause: 'BEARER-1', until: expect.anything() },
    { clause: 'TOKEN-4', until: expect.anything() },
  ]);
  expect(again.status().targets[0]?.failures).toEqual([]);
  await again.drain(0);
  const restarted = watch([opens], { state, targets: movedTo('http://new') });
  expect(restarted.status().targets[0]?.failures).toEqual([]);
  provider.lifetime = lifetime;
  await time.pass(2 * minute);
  expect(stateOf(restarted)).toBe('holds');
});

test('a fact that another provider shows at a new address is not a change', async () => {
  const { time, provider, target, watch } = quiet();
  const one = watch([facts]);
  const observations = () => one.status().targets[0]?.observations ?? [];
  await time.pass(20 * minute);
  expect(observations()).not.toEqual([]);
  const origin = new URL('http://new');
  one.retarget([{ ...target, connection: { ...target.connection, origin } }]);
  expect(observations()).toEqual([]);
  provider.answer = (line) => (line.startsWith('GET') ? { status: 204 } : undefined);
  await time.pass(hour);
  expect(observations()).toContainEqual(expect.objectContaining({ value: '204' }));
  expect(observations().filter(({ before }) => before !== undefined)).toEqual([]);
  const changes = await series(one.metrics.text(), 'contract_observation_changes_total');
  expect(changes.filter((line) => !line.endsWith(' 0'))).toEqual([]);
});

test('a target whose schema is unchanged after a reload continues undisturbed', async () => {
  const { time, provider, watch } = quiet();
  const one = watch([opens], { targets: read({ required: ['widgets'] }) });
  await time.pass(2.5 * minute);
  const { requests } = provider;
  const before = requests.length;
  one.retarget(read({ required: ['widgets'] }));
  await time.pass(1_000);
  expect(requests.length - before).toBe(0);
});

test('the payload probe is listed once for several endpoints with a schema, also after a restart', async () => {
  const { time, watch } = quiet();
  const [one] = read({ required: ['widgets'] });
  const [other] = read({ required: ['gadgets'] });
  if (one === undefined || other === undefined) throw new Error('the file has no target');
  const [widgets] = one.endpoints;
  const gadgets = { ...other.endpoints[0], path: '/public-api/v1/gadgets' };
  const state = openStateStore(':memory:');
  const targets: readonly WatchedTarget[] = [{ ...one, endpoints: [widgets, gadgets] }];
  const listed = (monitor: ReturnType<typeof watching>) =>
    monitor
      .status()
      .targets[0]?.probes.filter(({ clauses }) => clauses.includes('OPEN-7'))
      .map(({ name, last }) => [name, last?.endpoint]);
  const before = watch([opens], { targets, state });
  await time.pass(2 * minute);
  const once = [['the-payload-is-as-its-schema-says', expect.stringContaining('GET ')]];
  expect(listed(before)).toEqual(once);
  await before.drain(0);
  expect(listed(watch([opens], { targets, state }))).toEqual(once);
});

test('a reload that cannot read the state changes nothing', async () => {
  const { time, target, watch } = quiet();
  const state = openStateStore(':memory:');
  let isReadable = true;
  const unreadable: typeof state = {
    ...state,
    entries(name, kind) {
      // A start reads canaries last, so everything else has been read by then.
      if (!isReadable && name === 'b' && kind === 'canary') throw new StateOpenError('planted');
      return state.entries(name, kind);
    },
  };
  const one = watch([opens], { state: unreadable });
  await time.pass(2 * minute);
  isReadable = false;
  expect(() => one.retarget([{ ...target, name: 'b' }])).toThrow('planted');
  expect(one.status().targets.map(({ name }) => name)).toEqual([target.name]);
  const ran = (): unknown => one.status().targets[0]?.probes[0]?.runs.at(-1)?.startedAt;
  const before = ran();
  await time.pass(2 * minute);
  expect(ran()).not.toBe(before);
  isReadable = true;
  one.retarget([{ ...target, name: 'b' }]);
  expect(one.status().targets.map(({ name }) => name)).toEqual(['b']);
});

for (const [status, where] of [
  [403, 'its credentials in MONITOR_CONFIG'],
  [404, 'its url in MONITOR_CONFIG'],
] as const)
  test(`the hint for a configured target whose token endpoint answers ${status} names ${where}`, async () => {
    const { time, provider, watch } = quiet();
    provider.answer = () => ({ status });
    const one = watch([opens], { targets: read() });
    await time.pass(2 * minute);
    const { detail } = one.status().targets[0]?.probes[0]?.last ?? {};
    expect(detail).toContain(`(${where})`);
    expect(detail).not.toContain('PUBLIC_API_');
  });

test('a target with another period or other credentials starts anew', async () => {
  const { time, target, watch } = quiet();
  const one = watch([opens]);
  await time.pass(minute);
  one.retarget([{ ...target, periodSeconds: 10 }]);
  await time.pass(10 * minute);
  const { probes: message } = one.status().targets[0] ?? {};
  expect(message?.[0]?.everySeconds).toBe(10);
  expect(message?.[0]?.runs.length).toBeGreaterThan(50);
});

test('a target is judged everywhere once a reload has removed the endpoint that is down', async () => {
  const time = simulatedTime();
  const provider = inMemory(time);
  const target = { ...provider.target, canaries: 'off' as const };
  const [first, second] = target.endpoints;
  provider.answer = (line) => (line === `${second?.method} ${second?.path}` ? down() : undefined);
  const one = watching([opens], { time, provider, targets: [target] });
  const state = () => one.status().targets[0]?.state;
  await time.pass(5 * minute);
  expect(state()).toBe('partly');
  one.retarget([{ ...target, endpoints: [first] }]);
  await time.pass(5 * minute);
  expect(state()).toBe('holds');
  const open = one.status().targets[0]?.events?.filter(({ until }) => until === undefined);
  expect(open).toEqual([]);
});

test('a payload failure is forgotten once a reload has removed the schema of its endpoint', async () => {
  const time = simulatedTime();
  const provider = inMemory(time);
  const [first, second] = provider.target.endpoints;
  if (second === undefined) throw new Error('the target has two endpoints');
  const fitting = { ...first, unfit: payloadCheck({ required: ['widgets'] }) };
  const failing = { ...second, unfit: payloadCheck({ required: ['gadgets'] }) };
  const target = { ...provider.target, canaries: 'off' as const };
  const having = (other: typeof second): WatchedTarget[] => [
    { ...target, endpoints: [fitting, other] },
  ];
  const one = watching([opens], { time, provider, targets: having(failing) });
  const failures = () =>
    series(
      one.metrics.text(),
      `monitor_consecutive_failures{target="${target.name}",probe="the-payload`,
    );
  await time.pass(5 * minute);
  expect(await failures()).toEqual([expect.stringMatching(/ [1-9]\d*$/)]);
  one.retarget(having(second));
  await time.pass(5 * minute);
  expect(await failures()).toEqual([expect.stringMatching(/ 0$/)]);
});

test('a canary run that a reload replaces no longer changes the metrics of its target', async () => {
  const { time, provider, target, watch } = quiet({ canaries: { everySeconds: 3600 } });
  const one = watch([opens]);
  await time.pass(210 * minute);
  const other = new Secret('another-secret-key');
  const changed = { ...target, account: { ...target.account, secretKey: other } };
  let isReloaded = false;
  // The kept token is used for hours, so this request starts a canary.
  provider.answer = (line) => {
    if (line.startsWith('POST') && !isReloaded) {
      isReloaded = true;
      one.retarget([changed]);
    }
    return undefined;
  };
  while (!isReloaded) await time.pass(1_000);
  await time.pass(minute);
  const { canaries: counts } = one.status().targets[0]?.token ?? {};
  expect(counts).toEqual({ alive: 0, expired: 0, failed: 0, lost: 4 });
  for (const [state, count] of Object.entries(counts ?? {}))
    expect(await series(one.metrics.text(), 'contract_token_canaries{')).toContain(
      `contract_token_canaries{target="under-test",state="${state}"} ${count}`,
    );
});

test('many targets that trust a large file of certificates are compared in a moment', () => {
  const { target, watch } = quiet();
  const ca = 'certificate\n'.repeat(50_000);
  const targets = Array.from({ length: 300 }, (_, index) => ({
    ...target,
    name: `target-${index}`,
    connection: { ...target.connection, ca },
  }));
  const one = watch([opens], { targets });
  const before = performance.now();
  one.retarget(targets.map((each) => ({ ...each })));
  expect(performance.now() - before).toBeLessThan(500);
});

test('a reload with other certificates of a CA takes effect at once', async () => {
  const { time, provider, target, watch } = quiet();
  const trusted = new Set<string | undefined>();
  const exchange: typeof provider.exchange = (connection, ...rest) => {
    trusted.add(connection.ca);
    return provider.exchange(connection, ...rest);
  };
  const trusting = (ca: string) => [{ ...target, connection: { ...target.connection, ca } }];
  const one = watch([opens], { provider: { ...provider, exchange }, targets: trusting('old') });
  await time.pass(minute);
  one.retarget(trusting('new'));
  await time.pass(minute);
  expect([...trusted]).toEqual(['old', 'new']);
});
