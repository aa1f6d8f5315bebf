import { expect, test } from '@playwright/test';
import type { Probe } from '../../contract/probe.ts';
import {
  aTokenOpensTheEndpoint as opens,
  aRequestWithoutATokenIsRefused as refused,
} from '../../probes/bearer.ts';
import { down, quiet, series } from './in-memory.ts';

const minute = 60_000;

const isBare = (line: string, token?: string) => line.startsWith('GET') && token === undefined;

/** A monitor of a provider that admits requests without a token, until `correct` is called. */
async function violated(everySeconds: number) {
  const { time, provider, target, watch } = quiet();
  const probes = [opens, { ...refused, everySeconds }];
  const one = watch(probes);
  provider.answer = (line, token) => (isBare(line, token) ? {} : undefined);
  await time.pass(3 * minute);
  const state = () => one.status().targets[0]?.state;
  expect(state()).toBe('broken');
  return { time, target, watch, one, state, probes, correct: () => void delete provider.answer };
}

test('a failed probe that is turned off and on again is judged by its next run, which comes soon', async () => {
  const { time, target, one, state, correct } = await violated(3600);
  one.retarget([{ ...target, chosen: { [refused.name]: 'off' } }]);
  correct();
  await time.pass(20 * minute);
  expect(state()).toBe('holds');
  one.retarget([target]);
  expect(state()).toBe('waiting');
  const verdict =
    'contract_clause_verdict{target="under-test",clause="BEARER-2",verdict="violated"}';
  expect(await series(one.metrics.text(), verdict)).toEqual([`${verdict} 0`]);
  await time.pass(minute);
  expect(state()).toBe('holds');
});

test('the time since which a target holds, or a clause is unverified, survives a restart after a reload', async () => {
  const { time, target, watch, one, probes } = await violated(60);
  const targets = [{ ...target, chosen: { [refused.name]: 'off' as const } }];
  one.retarget(targets);
  const before = one.status().targets[0];
  expect(before?.state).toBe('unverified');
  await one.drain(0);
  await time.pass(minute);
  const after = watch(probes, { targets, state: one.state }).status().targets[0];
  expect({ since: after?.since, clauses: after?.clauses }).toEqual({
    since: before?.since,
    clauses: before?.clauses,
  });
});

for (const how of ['reload', 'restart'] as const)
  test(`a failed probe that runs once an hour is judged anew soon after a ${how} with another address`, async () => {
    const before = await violated(3600);
    const { time, target, watch, probes, correct } = before;
    const origin = new URL('http://corrected');
    const targets = [{ ...target, connection: { ...target.connection, origin } }];
    correct();
    let { one } = before;
    if (how === 'reload') one.retarget(targets);
    else {
      one.state.flush();
      time.kill();
      one = watch(probes, { targets, state: one.state });
    }
    expect(one.status().targets[0]?.state).toBe('waiting');
    await time.pass(minute);
    expect(one.status().targets[0]?.state).toBe('holds');
  });

test('a probe that may lock the account does not keep a target from being judged at another address', async () => {
  const { time, provider, target, watch } = quiet({ intrusive: true });
  const one = watch([opens, { ...refused, stage: 'wrong-credentials', everySeconds: 3600 }]);
  provider.answer = down;
  await time.pass(125 * minute);
  delete provider.answer;
  const origin = new URL('http://corrected');
  one.retarget([{ ...target, connection: { ...target.connection, origin } }]);
  await time.pass(5 * minute);
  const { state, events = [] } = one.status().targets[0] ?? {};
  expect(state).not.toBe('partly');
  expect(events.filter(({ until }) => until === undefined)).toEqual([]);
});

test('a failed probe that may lock the account keeps its period after a restart', async () => {
  const { time, provider, watch } = quiet({ intrusive: true });
  let runs = 0;
  const wrong: Probe = {
    ...refused,
    stage: 'wrong-credentials',
    everySeconds: 3600,
    run(world) {
      runs += 1;
      return refused.run(world);
    },
  };
  provider.answer = (line, token) => (isBare(line, token) ? {} : undefined);
  const { state } = watch([opens, wrong]);
  await time.pass(3 * minute);
  const before = runs;
  state.flush();
  time.kill();
  watch([opens, wrong], { state });
  await time.pass(30 * minute);
  expect(runs).toBe(before);
});
