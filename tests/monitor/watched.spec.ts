import { expect, test } from '@playwright/test';
import {
  aTokenOpensTheEndpoint as opens,
  aRequestWithoutATokenIsRefused as refused,
} from '../../probes/bearer.ts';
import { inMemory, quiet, series, watching } from './in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A correct provider whose answers take a second. */
function slow() {
  const time = simulatedTime();
  const provider = inMemory(time);
  let underWay = 0;
  const exchange: typeof provider.exchange = async (...requests) => {
    underWay += 1;
    const answer = await provider.exchange(...requests);
    await new Promise<void>((resolve) => void time.after(1_000, resolve));
    underWay -= 1;
    return answer;
  };
  const [first] = provider.target.endpoints;
  return {
    time,
    provider,
    slowly: { ...provider, exchange },
    target: { ...provider.target, endpoints: [first] as const },
    /** Advances time until a request is in progress. */
    async requested(): Promise<void> {
      while (underWay === 0) await time.pass(50);
    },
  };
}

test('a run that begins in maintenance and ends after it violates no clause', async () => {
  const { time, provider, slowly, target } = slow();
  const one = watching([refused], { time, provider: slowly, targets: [target] });
  await time.pass(10 * minute);
  // A round begins within a second of this, and its third request, the one without a token, ends after the window.
  const until = time.wall() + 10 * minute + 2_500;
  one.retarget([{ ...target, maintenance: [{ from: until - minute, until }] }]);
  await time.pass(9.8 * minute);
  provider.answer = (line) => (line.startsWith('GET') ? {} : undefined);
  // The second attempt sees it too.
  while (time.wall() < until + 6_000) await time.pass(100);
  delete provider.answer;
  await time.pass(5 * minute);
  const { events, failures, state } = one.status().targets[0] ?? {};
  expect({ events, state }).toEqual({ events: [], state: 'holds' });
  expect(failures).toHaveLength(1);
});

test('answers that prove nothing in maintenance begin no event, and change no verdict', async () => {
  const { time, provider, target, watch } = quiet();
  const from = time.wall() + 10 * minute;
  const maintenance = [{ from, until: from + hour }];
  const one = watch([opens, refused], { targets: [{ ...target, maintenance }] });
  await time.pass(11 * minute);
  provider.answer = (line) => (line.startsWith('GET') ? { status: 404 } : undefined);
  await time.pass(20 * minute);
  const { events, state } = one.status().targets[0] ?? {};
  expect({ events, state, verdict: one.verdict('BEARER-2') }).toEqual({
    events: [],
    state: 'holds',
    verdict: 'holds',
  });
  const successes = await series(one.metrics.text(), 'probe_success{');
  expect(successes).toEqual([expect.stringMatching(/ 1$/)]);
  await time.pass(hour);
  expect(one.status().targets[0]).toMatchObject({ state: 'unverified', events: [] });
});

test('a canary whose target restarts during a check is checked once from then on', async () => {
  const { time, provider, slowly, target, requested } = slow();
  const canaries = { everySeconds: 48 * 3600 };
  const one = watching([], { time, provider: slowly, targets: [{ ...target, canaries }] });
  await time.pass(30_000);
  const before = provider.requests.length;
  expect(before).toBe(2);
  await requested();
  one.retarget([{ ...target, canaries, labels: { as: 'another' } }]);
  await time.pass(22.25 * hour);
  // The interrupted check is repeated, and the checks at 12 and 23 hours run once each.
  expect(provider.requests.length - before).toBe(4);
});

test('a canary that is being started when its target restarts is dropped', async () => {
  const { time, slowly, target, requested } = slow();
  const canaries = { everySeconds: 4 * 3600 };
  const one = watching([], { time, provider: slowly, targets: [{ ...target, canaries }] });
  await requested();
  one.retarget([{ ...target, canaries, labels: { as: 'another' } }]);
  await time.pass(minute);
  const { alive } = one.status().targets[0]?.token?.canaries ?? {};
  expect(one.state.entries(target.name, 'canary').size).toBe(alive);
});
