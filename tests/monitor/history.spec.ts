import { expect, test } from '@playwright/test';
import type { Ending } from '../../contract/attempt.ts';
import { history } from '../../monitor/history.ts';
import type { Run } from '../../monitor/run.ts';
import { aTokenOpensTheEndpoint as probe } from '../../probes/a-token-opens-the-endpoint.ts';

const run = (startedAt: number, ending: Ending): Run => ({
  target: 'one',
  startedAt,
  requests: 1,
  outcome: { probe, endpoint: 'GET /', ending, findings: [], observations: [], durationSeconds: 1 },
});

test('the last runs are kept, oldest first, and no more of them', () => {
  const one = history({ cells: 3, failures: 2 });
  for (let at = 0; at < 10; at++) one.add(run(at, 'kept'));
  expect(one.cells().map(({ startedAt }) => startedAt)).toEqual([7, 8, 9]);
});

test('failures outlive the successes after them, up to their own bound', () => {
  const one = history({ cells: 3, failures: 2 });
  for (const [at, ending] of (['broken', 'unreachable', 'defect'] as const).entries())
    one.add(run(at, ending));
  for (let at = 3; at < 10; at++) one.add(run(at, 'kept'));
  expect(one.failures().map(({ startedAt }) => startedAt)).toEqual([1, 2]);
});
