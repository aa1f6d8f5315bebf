import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { anotherTokenLeavesTheFirstAlive as another } from '../../probes/another-token-leaves-the-first-alive.ts';
import { quiet, watching } from './in-memory.ts';

const minute = 60_000;

for (const how of ['reload', 'kill'] as const)
  test(`a rare probe whose first run a ${how} cuts short runs again at once`, async () => {
    const { time, provider, target } = quiet();
    const hourly = { ...another, everySeconds: 3600 };
    let one = watching([opens, hourly], { time, provider, targets: [target] });
    let isCut = false;
    // Only the rare probe requests two tokens.
    provider.answer = (line) => {
      const isSecond = provider.asked.filter((request) => request.startsWith('POST')).length > 2;
      if (line.startsWith('POST') && isSecond && !isCut) {
        isCut = true;
        const changed = { ...target, toleranceMs: 6_000 };
        if (how === 'reload') one.retarget([changed]);
        else {
          one.state.flush();
          time.kill();
          one = watching([opens, hourly], { time, provider, state: one.state, targets: [changed] });
        }
      }
      return undefined;
    };
    while (!isCut) await time.pass(1_000);
    await time.pass(5 * minute);
    expect(one.status().targets[0]?.state).toBe('holds');
  });
