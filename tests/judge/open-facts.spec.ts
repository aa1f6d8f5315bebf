import { expect, test } from '@playwright/test';
import { judgeProvider } from '../../contract/round/round.ts';
import { ledger } from '../../contract/round/verdict.ts';
import { sandboxInMemory } from '../../gate/in-memory.ts';
import { openFactsOfTheScheme } from '../../probes/open-facts-of-the-scheme.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { faulty } from '../../sandbox/faults/index.ts';

async function factsOf(behaviour: Behaviour) {
  const { results } = await judgeProvider(sandboxInMemory(behaviour), [openFactsOfTheScheme]);
  return ledger(results);
}

test('an endpoint that answers 404 with and without a token tells nothing of the scheme', async () => {
  expect(await factsOf(faulty('nothing-there'))).toEqual(await factsOf(right));
});

test('the status of an authorised answer is not a fact of the scheme', async () => {
  expect(await factsOf(faulty('endpoints-without-success'))).toEqual(await factsOf(right));
});
