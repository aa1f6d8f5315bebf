import type { StateStore } from '../../monitor/state/state.ts';
import {
  aTokenOpensTheEndpoint as opens,
  aRequestWithoutATokenIsRefused as refused,
} from '../../probes/bearer.ts';
import { quiet } from './in-memory.ts';
import { expect, test } from './state-file.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A monitor that has seen a violation, with the rows of a target that has left the targets file. */
async function withPast(state: StateStore) {
  const { time, provider, target, watch } = quiet({ periodSeconds: 600 });
  state.put('away', 'slot', 'a', time.wall());
  const begin = () => watch([refused], { state });
  const violate = async (): Promise<void> => {
    provider.answer = (line, token) =>
      token === undefined && line.startsWith('GET') ? {} : undefined;
    await time.pass(25 * minute);
    delete provider.answer;
    await time.pass(25 * minute);
  };
  begin();
  await violate();
  const end = time.wall();
  const past = () => ({
    targets: state
      .targets()
      .filter((name) => name !== '')
      .sort(),
    hours: state.hours(target.name, 0).filter(({ from }) => from < end).length,
  });
  return { time, begin, violate, past };
}

test('a wall clock that is years ahead for some hours removes nothing', async ({ open }) => {
  const { time, violate, past } = await withPast(open());
  const before = past();
  expect(before).toEqual({
    targets: ['away', 'under-test'],
    hours: 1,
  });
  time.step(400 * day);
  await time.pass(3 * hour);
  await violate();
  time.step(-400 * day);
  await time.pass(2 * hour);
  expect(past()).toEqual(before);
});

for (const [how, restarts] of [
  ['', false],
  [', also over restarts', true],
] as const)
  test(`a wall clock that stays ahead for a day is right, and old rows are removed${how}`, async ({
    open,
  }) => {
    const { time, begin, past } = await withPast(open());
    await time.pass(hour);
    time.step(400 * day);
    for (let passed = 0; passed < 23; passed += 1) {
      if (restarts && passed % 5 === 4) {
        time.kill();
        begin();
      }
      await time.pass(hour + minute);
    }
    expect(past()).toMatchObject({ targets: ['away', 'under-test'], hours: 1 });
    await time.pass(12 * hour);
    expect(past()).toMatchObject({ targets: ['under-test'], hours: 0 });
  });

test('a wall clock that is years ahead for some hours drops no canary', async () => {
  const { time, target, watch } = quiet({ canaries: { everySeconds: 4 * 3600 } });
  const monitor = watch([]);
  const rows = () => [...monitor.state.entries(target.name, 'canary').keys()];
  await time.pass(20 * hour);
  const before = rows();
  expect(before.length).toBeGreaterThan(3);
  time.step(400 * day);
  await time.pass(5 * hour);
  time.step(-400 * day);
  await time.pass(5 * hour);
  expect(rows()).toEqual(expect.arrayContaining(before));
});

test('a wall clock that is years ahead for some hours drops no canary that cannot be opened', async () => {
  const { time, target, watch } = quiet({ canaries: { everySeconds: 4 * 3600 } });
  const secretKey = target.account.secretKey.derive((key) => `${key}x`);
  const mistyped = { ...target, account: { ...target.account, secretKey } };
  const first = watch([]);
  await time.pass(20 * hour);
  const { state } = first;
  const before = [...state.entries(target.name, 'canary').keys()];
  await first.drain(1_000);
  time.kill();
  watch([], { state, targets: [mistyped] });
  await time.pass(hour);
  time.step(400 * day);
  await time.pass(5 * hour);
  time.step(-400 * day);
  expect([...state.entries(target.name, 'canary').keys()]).toEqual(before);
});

test('a wall clock that is years ahead for some hours removes no latency', async () => {
  const { time, watch } = quiet();
  const monitor = watch([opens]);
  const latency = () => monitor.status().targets[0]?.latency ?? [];
  await time.pass(5 * hour);
  const before = latency().slice(0, -1);
  expect(before.length).toBeGreaterThan(8);
  time.step(400 * day);
  await time.pass(3 * hour);
  time.step(-400 * day);
  await time.pass(hour);
  expect(latency()).toEqual(expect.arrayContaining(before));
});

test('runs under a wall clock that was ahead are not among those of the last 48 hours', async () => {
  const { time, watch } = quiet();
  const monitor = watch([opens]);
  time.step(400 * day);
  await time.pass(hour);
  time.step(-400 * day);
  await time.pass(10 * minute);
  const { now, targets } = monitor.status();
  for (const part of ['hours', 'latency'] as const)
    expect(targets[0]?.[part]?.filter(({ from }) => from > now)).toEqual([]);
  expect(targets[0]?.hours).toHaveLength(1);
});
