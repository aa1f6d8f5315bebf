import { expect, test } from '@playwright/test';
import { aRequestWithoutATokenIsRefused as refused } from '../../probes/a-request-without-a-token-is-refused.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { quiet, series, watching } from './in-memory.ts';

const minute = 60_000;

/** A monitor of a provider that admits requests without a token, until `correct` is called. */
async function violated(everySeconds: number) {
  const { time, provider, target } = quiet();
  const probes = [opens, { ...refused, everySeconds }];
  const one = watching(probes, { time, provider, targets: [target] });
  const isBare = (line: string, token?: string) => line.startsWith('GET') && token === undefined;
  provider.answer = (line, token) => (isBare(line, token) ? {} : undefined);
  await time.pass(3 * minute);
  const state = () => one.status().targets[0]?.state;
  expect(state()).toBe('broken');
  return {
    ...{ time, target, one, state, probes, provider },
    correct: () => void delete provider.answer,
  };
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
