import { expect, test } from '@playwright/test';
import { judgeProvider } from '../../contract/round/round.ts';
import { sandboxInMemory } from '../../gate/in-memory.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';

const reason = 'after wrong credentials no token was given any more';

test('clauses whose probes locked the account are unverified, and not held', async () => {
  let refused = 0;
  const locking = {
    ...right,
    valid: (...of: Parameters<typeof right.valid>) => {
      const isValid = refused <= 5 && right.valid(...of);
      if (!isValid) refused += 1;
      return isValid;
    },
  };
  const { clock: _clock, ...target } = sandboxInMemory(locking);
  const intrusive = probes.filter((probe) => probe.intrusive === true && probe.needs === undefined);
  const { clauses, exit } = await judgeProvider(target, intrusive, { strict: true });
  const judged = clauses.filter(({ reason: why = '' }) => why.includes(reason));
  expect(judged.map(({ clause, verdict }) => `${clause.id} ${verdict}`)).toEqual([
    'TOKEN-2 unverified',
    'TOKEN-3 unverified',
    'BEARER-6 unverified',
  ]);
  expect(exit).toBe(2);
});
