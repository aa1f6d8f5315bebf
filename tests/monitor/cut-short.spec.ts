import { expect, test } from '@playwright/test';
import type { Probe } from '../../contract/probe.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { anotherTokenLeavesTheFirstAlive as another } from '../../probes/own-end.ts';
import { quiet } from './in-memory.ts';

const minute = 60_000;

for (const how of ['reload', 'kill'] as const)
  test(`a rare probe whose first run a ${how} cuts short runs again at once`, async () => {
    const { time, provider, target, watch } = quiet();
    const hourly = { ...another, everySeconds: 3600 };
    let one = watch([opens, hourly]);
    let isCut = false;
    // Only the rare probe requests two tokens.
    provider.answer = (line) => {
      const isSecond = provider.requests.filter((request) => request.startsWith('POST')).length > 2;
      if (line.startsWith('POST') && isSecond && !isCut) {
        isCut = true;
        const changed = { ...target, toleranceMs: 6_000 };
        if (how === 'reload') one.retarget([changed]);
        else {
          one.state.flush();
          time.kill();
          one = watch([opens, hourly], { state: one.state, targets: [changed] });
        }
      }
      return undefined;
    };
    while (!isCut) await time.pass(1_000);
    await time.pass(5 * minute);
    expect(one.status().targets[0]?.state).toBe('holds');
  });

for (const [what, intrusive, runs] of [
  ['a probe runs again after each kill of its process', false, 6],
  ['a probe that may lock the account runs once a period, although its process is killed', true, 1],
] as const)
  test(what, async () => {
    const { time, watch } = quiet({ intrusive });
    let begun = 0;
    const endless: Probe = {
      ...another,
      everySeconds: 3600,
      ...(intrusive ? { stage: 'wrong-credentials' } : {}),
      run() {
        begun += 1;
        return new Promise(() => {});
      },
    };
    let one = watch([endless]);
    while (begun === 0) await time.pass(1_000);
    for (let kills = 0; kills < 5; kills += 1) {
      one.state.flush();
      time.kill();
      one = watch([endless], { state: one.state });
      await time.pass(5 * minute);
    }
    expect(begun).toBe(runs);
  });
