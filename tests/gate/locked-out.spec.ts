import { expect, test } from '@playwright/test';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { isIntrusive, needsClock } from '../../contract/probe.ts';
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

test('clauses whose probes locked the account are unverified, and not held', async () => {
  const { clock: _clock, ...target } = sandboxInMemory(lockingAfter(6));
  const intrusive = probes.filter(isIntrusive);
  const { clauses, exit } = await judgeProvider(target, intrusive, { strict: true });
  const judged = clauses.filter(({ reason: why = '' }) => why.includes(reason));
  expect(judged.map(({ clause, verdict }) => `${clause.id} ${verdict}`)).toEqual(unverified);
  expect(exit).toBe(2);
});

test('a limit of sixty living tokens leaves the clauses about credentials verified', async () => {
  const day = 86_400_000;
  const limited: Behaviour = {
    ...right,
    granted: (token, call, state) => {
      const living = [...state.tokens.values()].filter(({ madeAt }) => call.now - madeAt < day);
      if (living.length <= 60) return right.granted(token, call, state);
      state.tokens.delete(token.text);
      return { status: 403, json: { success: false, message: 'Too many tokens.' } };
    },
  };
  const { clauses, exit } = await judgeProvider(sandboxInMemory(limited), probes);
  const unproven = clauses.filter(({ verdict }) => verdict !== 'holds');
  expect([unproven.map(({ clause }) => clause.id), exit]).toEqual([['EXPIRY-4'], 0]);
});

test('an outage after wrong credentials is named in the reason', async () => {
  let tokens = 0;
  const grants: Behaviour['keep'] = (token, state) => {
    right.keep(token, state);
    tokens += 1;
    if (tokens > 2) throw new Unreachable('connect', 'POST /token', 'ECONNREFUSED');
  };
  const target = sandboxInMemory({ ...right, keep: grants });
  const due = probes.filter(({ name }) => name === 'wrong-credentials-get-no-token');
  const { clauses } = await judgeProvider(target, due);
  const why = `wrong-credentials-get-no-token: ${reason}: POST /token: no connection (ECONNREFUSED)`;
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

test('a static token violates EXPIRY-2 and EXPIRY-6, and leaves five clauses open', async () => {
  const { exit, clauses } = await judgeProvider(sandboxInMemory(faulty('static-token')), probes);
  const open = clauses.filter(({ verdict }) => verdict === 'unverified');
  expect([exit, ...open.map(({ cause }) => cause)]).toEqual([1, ...Array(5).fill('prevented')]);
  const violated = clauses.filter(({ verdict }) => verdict === 'violated');
  expect(violated.map(({ clause }) => clause.id)).toEqual(['EXPIRY-2', 'EXPIRY-6']);
  expect(violated[1]?.findings[0]).toMatchObject({
    probe: 'a-new-token-follows-the-expired-one',
    endpoint: 'GET /public-api/v1/widgets',
    when: expect.stringMatching(
      /^at 25 h .* after the token was made, 24 hours have elapsed since/,
    ),
    asked: 'POST /public-api/v1/auth/token',
    expected: 'a new token',
    received: 'the same token',
  });
});

/** The clauses of all probes where the token endpoint gives no token at some instants. */
async function refusingTokens(isRefused: (date: string) => boolean, status: number) {
  const granted: Behaviour['granted'] = (token, call, state) =>
    isRefused(new Date(call.now).toISOString())
      ? { status, json: { success: false, message: 'No.' } }
      : right.granted(token, call, state);
  const target = sandboxInMemory({ ...right, granted }, Date.UTC(2026, 4, 20, 9, 17, 23));
  const { clauses } = await judgeProvider(target, probes);
  const of = (id: string) => clauses.find(({ clause }) => clause.id === id);
  return { token: of('TOKEN-1'), dates: of('EXPIRY-7') };
}

for (const status of [403, 500])
  test(`a ${status} to right credentials on the leap day is a finding that names the date`, async () => {
    const { token, dates } = await refusingTokens((date) => date.includes('-02-29T'), status);
    expect(token?.verdict).toBe('violated');
    expect(token?.findings[0]?.when).toBe('the credentials are valid on 2028-02-29');
    expect(token?.findings[0]?.received).toMatch(new RegExp(`^${status} `));
    expect(dates?.reason).toBe(
      `24-hours-on-every-date: no token was issued: ${status} on 2028-02-29`,
    );
  });

test('a server error that begins years later is a finding, and a refusal may be the end of the account', async () => {
  const later = (date: string): boolean => date >= '2030';
  const failing = await refusingTokens(later, 500);
  expect(failing.token?.findings[0]?.when).toMatch(/^the credentials are valid on 20\d\d-/);
  const refusing = await refusingTokens(later, 401);
  expect(refusing.token?.verdict).toBe('holds');
  expect(refusing.dates?.reason).toMatch(/token was given any more: 401 on 2038-01-18$/);
});
