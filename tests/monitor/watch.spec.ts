import { expect, test } from '@playwright/test';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import {
  aTokenOpensTheEndpoint as opens,
  everyEndpointIsGuarded as refused,
} from '../../probes/bearer.ts';
import { quiet } from './in-memory.ts';
import type { SimulatedTime } from './simulated-time.ts';

const minute = 60_000;
const hour = 60 * minute;

const quick: Probe = { ...refused, scope: 'core', everySeconds: 60 };
const isBare = (line: string, token?: string): boolean =>
  line.startsWith('GET') && token === undefined;
/** Admits requests without a token. */
const admitting = (line: string, token?: string) => (isBare(line, token) ? {} : undefined);

test('a failure is repeated in 15 s, and then judged anew within three minutes', async () => {
  const { time, provider, watch } = quiet();
  const monitor = watch([opens, quick]);
  await time.pass(2 * minute);
  const runs = () => monitor.status().counters.runs;
  expect(runs()).toMatchObject({ passed: 4, failed: 0 });
  provider.answer = admitting;
  await time.pass(minute);
  expect(runs()).toMatchObject({ failed: 2 });
  delete provider.answer;
  await time.pass(3 * minute);
  expect(runs().failed).toBe(2);
  expect(monitor.status().state).toBe('holds');
});

const stops: [what: string, stop: (time: SimulatedTime) => void][] = [
  ['the process is stopped by a signal', (time) => time.stop(hour)],
  ['the machine is suspended', (time) => time.suspend(hour)],
  ['the machine is stopped from outside', (time) => time.pause(hour, true)],
  ['nothing stands still', () => {}],
];
for (const [what, stop] of stops)
  test(`a run without an answer while ${what} ${stop.length === 0 ? 'counts' : 'is discarded and repeated'}`, async () => {
    const { time, provider, watch } = quiet({ chosen: { [opens.name]: { everySeconds: 86_400 } } });
    let isSilent = false;
    let underWay = false;
    const exchange: typeof provider.exchange = (connection, request, where) => {
      if (!isSilent) return provider.exchange(connection, request, where);
      underWay = true;
      return new Promise((_, reject) => {
        time.after(connection.timeoutMs, () => reject(new UnreachableError('timeout', where)));
      });
    };
    const monitor = watch([opens], { provider: { ...provider, exchange } });
    isSilent = true;
    while (!underWay) await time.pass(100);
    isSilent = false;
    stop(time);
    await time.pass(minute);
    const { state, counters } = monitor.status();
    expect(state).toBe('holds');
    expect(counters.runs).toMatchObject({ passed: 1, unreachable: stop.length === 0 ? 1 : 0 });
    expect(time.sleepers()).toBe(1);
  });

test('maintenance silences verdicts, also at its edges, and probing continues', async () => {
  const { time, provider, target, watch } = quiet();
  const from = time.wall() + 10 * minute;
  const maintenance = [{ from, until: from + hour, note: 'moving' }];
  const monitor = watch([opens, quick], { targets: [{ ...target, maintenance }] });
  await time.pass(11 * minute);
  provider.answer = admitting;
  await time.pass(30 * minute);
  const [shown] = monitor.view().targets;
  expect(shown?.maintenance).toEqual({ from, until: from + hour, note: 'moving' });
  expect(shown?.status).toMatchObject({ state: 'holds', events: [] });
  expect(shown?.status.counters.findings).toEqual({});
  await time.pass(35 * minute);
  expect(monitor.status().state).toBe('violated');
});

test('a drain awaits the rounds that run, for as long as it may, and begins none', async () => {
  const { time, provider, watch } = quiet();
  const exchange: typeof provider.exchange = async (...request) => {
    await new Promise<void>((resolve) => void time.after(1_000, resolve));
    return provider.exchange(...request);
  };
  const monitor = watch([opens, quick], { provider: { ...provider, exchange } });
  while (provider.requests.length === 0) await time.pass(100);
  let isDrained: boolean | undefined;
  const drained = (ms: number) =>
    void monitor.drain(ms).then((all) => {
      isDrained = all;
    });
  drained(500);
  await time.pass(600);
  expect(isDrained).toBe(false);
  expect(monitor.view().draining).toBe(true);
  drained(10_000);
  await time.pass(10_000);
  const { length } = provider.requests;
  await time.pass(hour);
  expect(isDrained).toBe(true);
  expect(provider.requests).toHaveLength(length);
  expect(monitor.status().counters.runs.passed).toBe(1);
});
