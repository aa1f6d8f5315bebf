import { expect, test } from '@playwright/test';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { isIntrusive, needsClock } from '../../contract/probe.ts';
import { tokensStopped } from '../../contract/round/disturbance.ts';
import type { Target } from '../../contract/round/target.ts';
import { RoundFacts } from '../../contract/round/verdict.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { faulty } from '../faults/index.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

const reason = 'after wrong credentials no token was given any more';

/** A service that locks the account for good after some wrong credentials. */
function lockingAfter(most: number): Behaviour {
  let refused = 0;
  return {
    ...right,
    valid: (...of) => {
      const isValid = refused < most && right.valid(...of);
      if (!isValid) refused += 1;
      return isValid;
    },
  };
}

const unverified = ['TOKEN-2 unverified', 'TOKEN-3 unverified', 'BEARER-6 unverified'];

test('a limit of forty living tokens leaves every clause verified', async () => {
  const day = 86_400_000;
  const limited: Behaviour = {
    ...right,
    granted: (token, call, state) => {
      const living = [...state.tokens.values()].filter(({ madeAt }) => call.now - madeAt < day);
      if (living.length <= 40) return right.granted(token, call, state);
      state.tokens.delete(token.text);
      return { status: 403, json: { success: false, message: 'Too many tokens.' } };
    },
  };
  const { clauses, exit } = await judgeProvider(sandboxInMemory(limited), probes);
  expect(clauses.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
  expect(exit).toBe(0);
});

/** What the token endpoint of a service that counts wrong secrets has seen. */
interface Counted {
  inARow: number;
  mostInARow: number;
  wrong: number;
}

/** A service that locks the account at so many wrong secrets in a row. */
function lockingAt(limit: number) {
  const seen: Counted = { inARow: 0, mostInARow: 0, wrong: 0 };
  const behaviour: Behaviour = {
    ...right,
    valid(sent, state) {
      if (sent.apiKey !== state.account.apiKey) return false;
      const isRight = right.valid(sent, state) && seen.inARow < limit;
      seen.inARow = isRight ? 0 : seen.inARow + 1;
      seen.wrong += isRight ? 0 : 1;
      seen.mostInARow = Math.max(seen.mostInARow, seen.inARow);
      return isRight;
    },
    denied: (...of) =>
      seen.inARow < limit
        ? right.denied(...of)
        : { status: 423, json: { success: false, message: 'Account locked.' } },
  };
  return { seen, behaviour };
}

/** Of the clauses about credentials: the verdicts, and the reasons. */
async function aboutCredentials(behaviour: Behaviour, options: Partial<Target> = {}) {
  const { clock: _clock, ...target } = sandboxInMemory(behaviour);
  const intrusive = probes.filter(isIntrusive);
  const { clauses, observations } = await judgeProvider({ ...target, ...options }, intrusive);
  const of = clauses.filter(({ clause }) => /TOKEN-[23]|BEARER-6/.test(clause.id));
  return {
    verdicts: of.map(({ verdict, cause }) => cause ?? verdict),
    reasons: of.map(({ reason: why }) => why),
    locked: observations.find(({ fact }) => fact === 'right credentials after wrong ones')?.value,
  };
}

test('at most four wrong secrets in a row lock no account, and all forms are tried', async () => {
  const { seen, behaviour } = lockingAt(5);
  const { verdicts, locked } = await aboutCredentials(behaviour);
  expect(verdicts).toEqual(['holds', 'holds', 'holds']);
  expect(locked).toBeUndefined();
  expect(seen.mostInARow).toBeLessThanOrEqual(4);
  expect(seen.wrong).toBeGreaterThan(35);
});

test('a lock is named by the answer itself, and no wrong secret follows', async () => {
  const { seen, behaviour } = lockingAt(3);
  const { verdicts, reasons, locked } = await aboutCredentials(behaviour);
  expect(verdicts).toEqual(['prevented', 'prevented', 'prevented']);
  for (const why of reasons) expect(why).toMatch(/: 423 Account locked\.$/);
  expect(locked).toBe('423 Account locked.');
  // The right secret counts too: it is asked for three times more, once by each later probe.
  expect(seen.wrong).toBeLessThanOrEqual(4 + 8);
});

test('what was proved before a lock counts', async () => {
  const { seen, behaviour } = lockingAt(1000);
  const locking: Behaviour = {
    ...behaviour,
    valid: (...of) => behaviour.valid(...of) && seen.wrong < 10,
  };
  const { verdicts, locked } = await aboutCredentials(locking);
  expect(verdicts).toEqual(['holds', 'prevented', 'holds']);
  expect(locked).toMatch(/^400 Invalid credentials\./);
});

for (const [most, verdict] of [
  [0, 'unconfigured'],
  [4, 'holds'],
] as const)
  test(`with PUBLIC_API_WRONG_CREDENTIALS ${most} the right key gets no more wrong secrets`, async () => {
    const { seen, behaviour } = lockingAt(1000);
    const { verdicts, reasons } = await aboutCredentials(behaviour, { wrongCredentials: most });
    expect(verdicts).toEqual([verdict, verdict, verdict]);
    expect(seen.wrong).toBeLessThanOrEqual(most);
    const why = 'PUBLIC_API_WRONG_CREDENTIALS is 0, so no wrong credentials are sent';
    expect(reasons).toEqual(Array(3).fill(most === 0 ? why : undefined));
  });

test('wrong credentials excuse a missing token only if they were sent', () => {
  const nothing = { endpoint: '', findings: [], observations: [], durationSeconds: 0 };
  const first = sandboxInMemory(right);
  const excusesAfter = (isOff?: true, target: Target = first) => {
    const facts = new RoundFacts();
    for (const probe of probes.filter(isIntrusive))
      facts.results.set(probe.name, { probe, outcome: 'passed', ...nothing, isOff });
    return probes.filter(needsClock).map((probe) => tokensStopped(probe, facts, target));
  };
  expect(new Set(excusesAfter())).toEqual(new Set([reason]));
  expect(new Set(excusesAfter(true))).toEqual(new Set([undefined]));
  const withSecond = { ...first, secondAccount: first.account };
  expect(new Set(excusesAfter(undefined, withSecond))).toEqual(new Set([undefined]));
});

test('wrong credentials go to the second account alone', async () => {
  const second = { apiKey: new Secret('second-key'), secretKey: new Secret('second-secret') };
  const { seen, behaviour } = lockingAt(5);
  const both: Behaviour = {
    ...behaviour,
    valid: (sent, state) =>
      (sent.apiKey === 'second-key' && sent.secretKey === 'second-secret') ||
      behaviour.valid(sent, state),
  };
  const { verdicts } = await aboutCredentials(both, { secondAccount: second });
  expect(verdicts).toEqual(['holds', 'holds', 'holds']);
  expect(seen.wrong).toBe(0);
});

test('an outage after wrong credentials is named in the reason', async () => {
  let tokens = 0;
  const grants: Behaviour['keep'] = (token, state) => {
    right.keep(token, state);
    tokens += 1;
    if (tokens > 2) throw new UnreachableError('connect', 'POST /token', 'ECONNREFUSED');
  };
  const target = sandboxInMemory({ ...right, keep: grants });
  const due = probes.filter(({ name }) => name === 'wrong-credentials-get-no-token');
  const { clauses } = await judgeProvider(target, due);
  const why = `wrong-credentials-get-no-token: unreachable: POST /token: no connection (ECONNREFUSED)`;
  expect(clauses.map((clause) => clause.reason)).toEqual([why, why]);
});

test('an account that wrong credentials lock leaves the other clauses verified', async () => {
  const { clock: _clock, ...target } = sandboxInMemory(lockingAfter(6));
  const present = probes.filter((probe) => !needsClock(probe));
  const { clauses } = await judgeProvider(target, present);
  const judged = clauses.filter(({ cause }) => cause === 'prevented');
  expect(judged.map(({ clause, verdict }) => `${clause.id} ${verdict}`)).toEqual(unverified);
});

test('probes that need a clock do not lock an account, however many endpoints there are', async () => {
  const target = sandboxInMemory(lockingAfter(6));
  const [first, ...others] = target.endpoints;
  const further = [1, 2, 3, 4].map((page) => ({ ...first, path: `${first.path}?page=${page}` }));
  const due = probes.filter(needsClock);
  const endpoints = [first, ...others, ...further] as const;
  const { clauses, exit } = await judgeProvider({ ...target, endpoints }, due);
  expect(clauses.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
  expect(exit).toBe(0);
});

for (const days of [-200, 30])
  test(`a missing token after expiry is found where the provider's clock is ${days} days ahead`, async () => {
    const behaviour = faulty('no-token-after-expiry');
    const target = sandboxInMemory(behaviour, Date.now() + days * 86_400_000);
    const { clauses } = await judgeProvider(
      target,
      probes.filter((probe) => probe.clauses.includes('EXPIRY-6')),
    );
    const verdict = clauses.find(({ clause }) => clause.id === 'EXPIRY-6')?.verdict;
    expect(verdict).toBe('violated');
  });
