import { expect, test } from '@playwright/test';
import type { MustId } from '../../contract/clauses.ts';
import { days } from '../../contract/durations.ts';
import { endpointName, tokenEndpointName } from '../../contract/http/request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { isIntrusive, needsClock, type Stage } from '../../contract/probe.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import {
  accountEnded,
  disturbance,
  runsAlone,
  tokensStopped,
} from '../../contract/round/disturbance.ts';
import type { Target } from '../../contract/round/target.ts';
import { RoundFacts } from '../../contract/round/verdict.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { probes } from '../../probes/index.ts';
import { rightCredentialsGetAToken } from '../../probes/token.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { widgets } from '../client/simulated-service.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { faulty } from '../faults/index.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

const reason = 'after wrong credentials no token was given any more';

test('a limit of forty living tokens leaves every clause verified', async () => {
  const limited: Behaviour = {
    ...right,
    granted: (token, call, state) => {
      const living = [...state.tokens.values()].filter(({ madeAt }) => call.now - madeAt < days(1));
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

/** A service that locks the account at so many wrong secrets in a row, or for good after so many wrong requests. */
function lockingAt(limit: number, most = Number.POSITIVE_INFINITY) {
  const seen: Counted = { inARow: 0, mostInARow: 0, wrong: 0 };
  let refused = 0;
  const behaviour: Behaviour = {
    ...right,
    valid(sent, state) {
      const isRight = right.valid(sent, state) && seen.inARow < limit && refused < most;
      refused += isRight ? 0 : 1;
      if (sent.apiKey !== state.account.apiKey) return false;
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

test('a lock that ends soon is not followed by wrong secrets either', async () => {
  const { seen, behaviour } = lockingAt(3);
  const endsSoon: Behaviour = {
    ...behaviour,
    valid(sent, state) {
      const isValid = behaviour.valid(sent, state);
      if (right.valid(sent, state)) seen.inARow = 0;
      return isValid;
    },
  };
  const { locked } = await aboutCredentials(endsSoon);
  expect(locked).toBe('400 Invalid credentials.');
  // The right secret was refused once.
  expect(seen.wrong).toBe(4 + 1);
});

test('what was proved before a lock counts', async () => {
  const { verdicts, locked } = await aboutCredentials(lockingAt(1000, 40).behaviour);
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
  const { clock: _clock, ...target } = sandboxInMemory(lockingAt(1000, 6).behaviour);
  const present = probes.filter((probe) => !needsClock(probe));
  const { clauses } = await judgeProvider(target, present);
  const judged = clauses.filter(({ cause }) => cause === 'prevented');
  expect(judged.map(({ clause }) => clause.id)).toEqual(['TOKEN-2', 'TOKEN-3', 'BEARER-6']);
});

test('probes that need a clock do not lock an account, however many endpoints there are', async () => {
  const target = sandboxInMemory(lockingAt(1000, 6).behaviour);
  const [first, ...others] = target.endpoints;
  const further = [1, 2, 3, 4].map((page) => ({ ...first, path: `${first.path}?page=${page}` }));
  const due = probes.filter(needsClock);
  const endpoints = [first, ...others, ...further] as const;
  const { clauses, exit } = await judgeProvider({ ...target, endpoints }, due);
  expect(clauses.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
  expect(exit).toBe(0);
});

for (const ahead of [-200, 30])
  test(`a missing token after expiry is found where the provider's clock is ${ahead} days ahead`, async () => {
    const behaviour = faulty('no-token-after-expiry');
    const target = sandboxInMemory(behaviour, Date.now() + days(ahead));
    const { clauses } = await judgeProvider(
      target,
      probes.filter((probe) => probe.clauses.includes('EXPIRY-6')),
    );
    const verdict = clauses.find(({ clause }) => clause.id === 'EXPIRY-6')?.verdict;
    expect(verdict).toBe('violated');
  });

/** The result of a probe of a stage that found this clause violated. */
function broken(clause: MustId, stage: Stage, endpoint: string): ProbeResult {
  const texts = { probe: '', when: '', asked: '', expected: '', received: '' };
  const findings = [{ clause, endpoint, ...texts }];
  const probe = { ...rightCredentialsGetAToken, stage };
  return { probe, endpoint, outcome: 'failed', findings, observations: [], durationSeconds: 0 };
}

const reports = 'POST /public-api/v1/reports';

test('what is broken explains a refused token where a first probe found it, and what follows an expired one', () => {
  const explains = (clause: MustId, stage: Stage, endpoint: string, simulated = false): boolean => {
    const results = [broken(clause, stage, endpoint)];
    const run = { endpoint: widgets, simulated };
    const first = disturbance(results, { ...run, probe: rightCredentialsGetAToken });
    const present = { ...rightCredentialsGetAToken, stage: 'present' } as const;
    return first === undefined && disturbance(results, { ...run, probe: present }) !== undefined;
  };
  for (const clause of ['TOKEN-4', 'BEARER-1', 'EXPIRY-4', 'BEARER-6'] as const)
    expect(explains(clause, 'first', tokenEndpointName)).toBe(true);
  expect(explains('BEARER-1', 'first', endpointName(widgets))).toBe(true);
  expect(explains('BEARER-1', 'first', reports)).toBe(false);
  expect(explains('EXPIRY-4', 'first', reports)).toBe(true);
  expect(explains('EXPIRY-4', 'simulated', reports)).toBe(false);
  expect(explains('ERROR-1', 'first', tokenEndpointName)).toBe(false);
  expect(explains('EXPIRY-6', 'simulated', reports)).toBe(true);
  expect(explains('EXPIRY-6', 'simulated', reports, true)).toBe(false);
});

test('runs go one at a time where a token ends others, and an account may end after more than a week', () => {
  const target = sandboxInMemory();
  expect(runsAlone(target, [broken('BEARER-1', 'first', reports)])).toBe(false);
  expect(runsAlone(target, [broken('EXPIRY-4', 'first', reports)])).toBe(true);
  expect(runsAlone({ ...target, maxTimeMs: 1 }, [])).toBe(true);
  expect(accountEnded(days(7))).toBeUndefined();
  expect(accountEnded(days(9) - 1)).toMatch(/^no token was issued 8 days later/);
});
