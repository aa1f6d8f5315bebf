import { expect, test } from '@playwright/test';
import { probes } from '../../probes/index.ts';
import { down, quiet, series } from './in-memory.ts';
import { fresh, samples } from './metrics-text.ts';

const minute = 60_000;
const hour = 3_600_000;
const opens = probes.filter(({ name }) => name === 'a-token-opens-the-endpoint');

/** The values of the histogram by the bounds of its buckets, with its sum and count. */
async function buckets(metrics: Parameters<typeof samples>[0]): Promise<Record<string, string>> {
  const lines = await samples(metrics, 'probe_http_processing_seconds_(bucket|sum|count)');
  return Object.fromEntries(
    lines.map((line) => {
      const [, what = '', bound = '', value = ''] =
        /_(bucket|sum|count)\{target="t"(?:,le="(.*)")?\} (.*)$/.exec(line) ?? [];
      return [bound || what, value];
    }),
  );
}

test("the provider's processing time is counted from the first scrape on", async () => {
  const zeros = ['0.005', '0.025', '0.1', '0.25', '0.5', '1', '2.5', '10', '+Inf', 'sum', 'count'];
  expect(await buckets(fresh())).toEqual(Object.fromEntries(zeros.map((name) => [name, '0'])));
});

test('a bucket counts all durations up to its bound', async () => {
  const metrics = fresh();
  for (const seconds of [0.005, 0.0051, 1, 10, 10.5]) metrics.processed('t', seconds);
  expect(await buckets(metrics)).toEqual({
    '0.005': '1',
    '0.025': '2',
    '0.1': '2',
    '0.25': '2',
    '0.5': '2',
    1: '3',
    2.5: '3',
    10: '4',
    '+Inf': '5',
    sum: '21.5101',
    count: '5',
  });
});

test('each request of a run is counted separately', async () => {
  const { time, provider, watch } = quiet();
  const one = watch(opens);
  await time.pass(10 * minute);
  const message = await series(one.metrics.text(), 'probe_http_processing_seconds_');
  const all = provider.requests.length;
  expect(all).toBeGreaterThan(10);
  expect(message).toContain(`probe_http_processing_seconds_count{target="under-test"} ${all}`);
  expect(message).toContain(
    `probe_http_processing_seconds_bucket{target="under-test",le="0.005"} ${all}`,
  );
});

test('a maintenance window is exported while it lasts', async () => {
  const { time, target, watch } = quiet();
  const from = time.wall() + 10 * minute;
  const maintenance = [{ from, until: from + hour }];
  const one = watch(opens, { targets: [{ ...target, maintenance }] });
  const message = () => series(one.metrics.text(), 'monitor_target_in_maintenance');
  const is = (value: number) => [`monitor_target_in_maintenance{target="under-test"} ${value}`];
  await time.pass(9 * minute);
  expect(await message()).toEqual(is(0));
  await time.pass(2 * minute);
  expect(await message()).toEqual(is(1));
  await time.pass(hour);
  expect(await message()).toEqual(is(0));
});

test('the control shows the answer to its valid token, although another request was answered last', async () => {
  const { time, provider, watch } = quiet();
  const one = watch(opens);
  await time.pass(10 * minute);
  const status = () => series(one.metrics.text(), 'probe_http_status_code');
  const is = (code: number) => [
    `probe_http_status_code{target="under-test",probe="a-token-opens-the-endpoint"} ${code}`,
  ];
  expect(await status()).toEqual(is(200));
  provider.answer = (line, token) =>
    token !== undefined && line.startsWith('GET') ? { status: 401 } : undefined;
  await time.pass(10 * minute);
  expect(await status()).toEqual(is(401));
  provider.answer = down;
  await time.pass(10 * minute);
  expect(await status()).toEqual(is(0));
});

test('a run that fails in maintenance is exported as a failure', async () => {
  const { time, provider, target, watch } = quiet();
  const from = time.wall() + 10 * minute;
  const maintenance = [{ from, until: from + hour }];
  const one = watch(opens, { targets: [{ ...target, maintenance }] });
  const success = () => series(one.metrics.text(), 'probe_success');
  const is = (value: number) => [
    `probe_success{target="under-test",probe="a-token-opens-the-endpoint"} ${value}`,
  ];
  await time.pass(15 * minute);
  expect(await success()).toEqual(is(1));
  const { answer } = provider;
  provider.answer = down;
  await time.pass(5 * minute);
  expect(await success()).toEqual(is(0));
  provider.answer = answer;
  await time.pass(5 * minute);
  expect(await success()).toEqual(is(1));
});
