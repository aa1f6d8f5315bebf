import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import type { Run } from '../../monitor/round/run.ts';
import { judge } from '../../monitor/status/judge.ts';
import { reduceCheck } from '../../monitor/status/reduce.ts';
import type { Status } from '../../monitor/status/status.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { fresh, planFor, reducing } from './reducing.ts';
import { broken, defect, kept, probeAbout, target, unreachable } from './runs.ts';

const refuses = probeAbout('refuses', ['BEARER-2']);
const [widgets] = target.endpoints;
const plan = planFor([opens, refuses], [widgets]);
const timeout = 'GET /public-api/v1/widgets: no complete answer in time (2000 ms)';

/** A target whose first round has passed. */
function holding(of = plan) {
  const reducer = reducing(of);
  for (const { probe, endpoint } of of.places)
    reducer.take(kept(probe, { endpoint: `${endpoint.method} ${endpoint.path}` }));
  return reducer;
}

test('before any run every clause is unverified, with the reason', () => {
  const probes = [
    probeAbout('timed', ['EXPIRY-1'], { stage: 'simulated' }),
    probeAbout('wrong', ['TOKEN-2'], { stage: 'wrong-credentials' }),
    refuses,
  ];
  const verdicts = judge(planFor(probes), fresh, 0);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(mustHold.map(() => 'unverified'));
  const reasons = Object.fromEntries(verdicts.map(({ clause, reason }) => [clause.id, reason]));
  expect(reasons).toMatchObject({
    'BEARER-2': 'not all of its probes have run yet',
    'EXPIRY-1': 'takes simulated time: npm run gate',
    'TOKEN-2': 'takes wrong credentials, which may lock an account: npm run gate',
    'ERROR-1': 'no probe about it runs here: npm run gate',
  });
});

test('what the provider says makes a clause doubtful until its words change', () => {
  const issues = probeAbout('issues', ['TOKEN-1']);
  const reducer = reducing(planFor([issues], [widgets]));
  const run = kept(issues, { at: 5 });
  const doubts = { 'EXPIRY-2': 'tokens live 30 d' };
  reducer.take({ ...run, result: { ...run.result, doubts } });
  const doubtful = { verdict: 'unverified', cause: 'doubtful', reason: 'tokens live 30 d' };
  expect(reducer.verdict('EXPIRY-2')).toMatchObject(doubtful);
  expect(reducer.status().state).toBe('holds');
  reducer.take(kept(issues, { at: 6 }));
  expect(reducer.verdict('EXPIRY-2')).toMatchObject({ cause: 'unconfigured' });
  const known = [{ clause: 'EXPIRY-2' as const, reason: 'mended in spring' }];
  const tolerant = reducing({ ...planFor([issues], [widgets]), known });
  tolerant.take({ ...run, result: { ...run.result, doubts } });
  expect(tolerant.verdict('EXPIRY-2').verdict).toBe('known');
});

test('the contract holds once every probe of the first minutes has run; a long list is not waited for', () => {
  const daily = probeAbout('list', ['BEARER-3'], { scope: 'deep', everySeconds: 86_400 });
  const reducer = reducing(planFor([opens, refuses, daily], [widgets]));
  expect(reducer.take(kept(opens, { at: 5 }))).toEqual([]);
  expect(reducer.take(kept(refuses, { at: 6 }))).toEqual(['state holds']);
  expect(reducer.status()).toMatchObject({ state: 'holds', since: 6 });
  expect(reducer.verdict('BEARER-1')).toMatchObject({ since: 5 });
  expect(reducer.verdict('BEARER-3')).toMatchObject({
    verdict: 'unverified',
    reason: 'not all of its probes have run yet',
  });
  expect(reducer.take(kept(opens, { at: 7 }))).toEqual([]);
});

test('a violation is reported once, is one event from its first finding, and ends with the first passing run', () => {
  const reducer = holding();
  const begun = ['state violated', 'BEARER-2 violated'];
  expect(reducer.take(broken(refuses, 'BEARER-2', { at: 10 }))).toEqual(begun);
  expect(reducer.take(broken(refuses, 'BEARER-2', { at: 20 }))).toEqual([]);
  expect(reducer.verdict('BEARER-2')).toMatchObject({ verdict: 'violated', since: 10 });
  const event = { what: 'violated', clause: 'BEARER-2', from: 10 };
  expect(reducer.status()).toMatchObject({ since: 10, events: [event] });
  reducer.take([
    unreachable(opens, 'timeout', { at: 21 }),
    unreachable(opens, 'timeout', { at: 22 }),
  ]);
  expect(reducer.status()).toMatchObject({ state: 'violated', events: [event] });
  reducer.take(kept(opens, { at: 23 }));
  expect(reducer.take(kept(refuses, { at: 30 }))).toEqual(['state holds', 'BEARER-2 holds']);
  expect(reducer.verdict('BEARER-2')).toMatchObject({ since: 30, findings: [] });
  expect(reducer.status().events).toEqual([{ ...event, until: 30 }]);
  expect(reducer.status().counters).toEqual({
    ...fresh.counters,
    runs: { passed: 4, failed: 2, unreachable: 2, defect: 0 },
    unreachable: { timeout: 2 },
    findings: { 'BEARER-2': 2 },
  });
});

test('a run without an answer is an accident; the second in a row is an outage, which violates nothing', () => {
  const reducer = holding();
  expect(reducer.take(unreachable(opens, 'timeout', { at: 8 }))).toEqual([]);
  expect(reducer.take(kept(opens, { at: 9 }))).toEqual([]);
  reducer.take(unreachable(opens, 'timeout', { at: 10 }));
  expect(reducer.take(unreachable(opens, 'timeout', { at: 11 }))).toEqual(['state unreachable']);
  expect(reducer.verdict('BEARER-2').verdict).toBe('holds');
  expect(reducer.status()).toMatchObject({
    silence: { isEverywhere: true, reason: 'timeout', detail: timeout, since: 11 },
    events: [{ what: 'unreachable', detail: timeout, from: 11 }],
  });
  expect(reducer.take(kept(opens, { at: 12 }))).toContain('state holds');
  expect(reducer.status()).toMatchObject({ silence: undefined, events: [{ from: 11, until: 12 }] });
});

test('an answer that proves nothing, and then none, is no outage yet', () => {
  const reducer = holding();
  reducer.take(kept(opens, { at: 8, unproven: 'it answers 404' }));
  expect(reducer.take(unreachable(opens, 'timeout', { at: 9 }))).toEqual([]);
  expect(reducer.take(unreachable(opens, 'timeout', { at: 10 }))).toEqual(['state unreachable']);
});

test('no event ends before it began, also where the clock was set back; the latest hundred are kept', () => {
  const reducer = holding();
  reducer.take([broken(refuses, 'BEARER-2', { at: 10 }), kept(refuses, { at: 5 })]);
  expect(reducer.status().events).toMatchObject([{ from: 10, until: 10 }]);
  for (let at = 11; at <= 111; at += 1)
    reducer.take([broken(refuses, 'BEARER-2', { at }), kept(refuses, { at })]);
  expect(reducer.status().events).toHaveLength(100);
  expect(reducer.status().events[0]).toMatchObject({ from: 111 });
});

test('a provider that has never answered is unreachable after its first run', () => {
  expect(reducing(plan).take(unreachable(opens))).toEqual(['state unreachable']);
  const reducer = reducing(plan);
  reducer.take([broken(opens, 'BEARER-1'), unreachable(refuses)]);
  expect(reducer.status().silence).toBeUndefined();
});

test('an outage of one endpoint is partly, and of all controls everywhere', () => {
  const reducer = holding(planFor([opens, refuses]));
  const silent = (endpoint: string, reason: 'timeout' | 'dns', at: number) =>
    reducer.take([1, 2].map((more) => unreachable(opens, reason, { endpoint, at: at + more })));
  const last = { endpoint: 'POST /public-api/v1/reports' };
  expect(silent('GET /public-api/v1/widgets', 'timeout', 10)).toContain('state partly');
  expect(silent(last.endpoint, 'dns', 20)).toEqual(['state unreachable']);
  const silence = { isEverywhere: true, reason: 'dns', since: 22 };
  expect(reducer.status().silence).toMatchObject(silence);
  reducer.take(kept(opens, { ...last, at: 30 }));
  expect(reducer.status()).toMatchObject({
    state: 'partly',
    since: 30,
    events: [
      { what: 'partly', from: 30 },
      { what: 'unreachable', from: 22, until: 30 },
      { what: 'partly', from: 12, until: 22 },
    ],
  });
});

test('answers that prove nothing leave a clause unverified: at first, and after the second run in a row', () => {
  const why = 'it answers 404 to everybody';
  const reducer = reducing(plan);
  reducer.take([opens, refuses].map((probe) => kept(probe, { unproven: why })));
  expect(reducer.status()).toMatchObject({ state: 'unverified', events: [] });
  expect(reducer.verdict('BEARER-2').reason).toBe(`refuses: ${why}`);
  reducer.take([kept(opens, { at: 2 }), kept(refuses, { at: 3 })]);
  expect(reducer.status().state).toBe('holds');
  reducer.take(kept(refuses, { at: 4, unproven: why }));
  expect(reducer.status().state).not.toBe('partly');
  reducer.take([kept(opens, { at: 5 }), kept(refuses, { at: 6, unproven: why })]);
  const unproven = `GET /public-api/v1/widgets: ${why}`;
  expect(reducer.status()).toMatchObject({ state: 'partly', unproven });
  const event = { what: 'partly', detail: unproven };
  expect(reducer.status().events).toEqual([
    { ...event, from: 6 },
    { ...event, from: 2, until: 3 },
  ]);
});

test('a defect of the monitor violates no clause, and verifies none', () => {
  const reducer = holding();
  reducer.take(defect(refuses));
  expect(reducer.status().state).toBe('holds');
  expect(reducer.verdict('BEARER-2').verdict).toBe('unverified');
});

test('a clause holds only where its probe passed on every endpoint, and one violation is enough', () => {
  const reducer = reducing(planFor([refuses]));
  const there = { endpoint: 'POST /public-api/v1/reports' };
  reducer.take(kept(refuses));
  expect(reducer.verdict('BEARER-2').verdict).toBe('unverified');
  reducer.take(kept(refuses, there));
  expect(reducer.verdict('BEARER-2').verdict).toBe('holds');
  reducer.take([broken(refuses, 'BEARER-2', there), kept(refuses)]);
  expect(reducer.verdict('BEARER-2').verdict).toBe('violated');
  // It has found another violation before it got no answer.
  reducer.take([kept(refuses, there), { ...broken(refuses, 'BEARER-3'), reason: 'timeout' }]);
  expect(reducer.verdict('BEARER-2').verdict).toBe('unverified');
});

test('a missing token in a rare probe is outdated by a later run that gets one', () => {
  const issues = probeAbout('issues', ['TOKEN-1'], { scope: 'service' });
  const reducer = reducing(planFor([issues, refuses], [widgets]));
  reducer.take(broken(refuses, 'TOKEN-1', { at: 2, unproven: 'no token was issued' }));
  expect(reducer.verdict('TOKEN-1').verdict).toBe('violated');
  reducer.take(kept(issues, { at: 3, unproven: 'it answers 404' }));
  expect(reducer.verdict('TOKEN-1').verdict).toBe('violated');
  reducer.take(kept(issues, { at: 4 }));
  expect(reducer.verdict('TOKEN-1').verdict).toBe('holds');
  expect(reducer.verdict('BEARER-2').verdict).toBe('unverified');
});

test('in maintenance findings, missing answers and answers that prove nothing do not count; passing runs do', () => {
  const reducer = holding();
  const bad = [broken(refuses, 'BEARER-2'), unreachable(opens), unreachable(opens)];
  expect(reducer.take([...bad, kept(refuses, { unproven: 'it answers 404' })], true)).toEqual([]);
  expect(reducer.status()).toMatchObject({ state: 'holds', events: [] });
  expect(reducer.status().counters.findings).toEqual({});
  reducer.take(broken(refuses, 'BEARER-2'));
  expect(reducer.take(kept(refuses), true)).toEqual(['state holds', 'BEARER-2 holds']);
});

test('in maintenance a canary proves a clause, and violates none; each check is counted and shown', () => {
  const age = { least: 1_000, most: Infinity };
  const check = { at: 5, age, phase: 'before', admitted: false, verdict: 'early_reject' } as const;
  const { findings } = broken(refuses, 'EXPIRY-1').result;
  const withCanaries = { ...plan, hasCanaries: true };
  const after = (found: typeof findings, inMaintenance: boolean, before = fresh, more = {}) => {
    const evidence = { clause: 'EXPIRY-1', at: 5, findings: found } as const;
    return reduceCheck(before, { check, evidence }, { ...withCanaries, ...more }, inMaintenance);
  };
  const verdict = (status: Status) => status.clauses['EXPIRY-1'].verdict;
  const violated = after(findings, false);
  expect(verdict(violated)).toBe('violated');
  expect(verdict(after(findings, true))).toBe('unverified');
  expect(verdict(after([], true, violated))).toBe('holds');
  const known = [{ clause: 'EXPIRY-1', reason: 'mended in spring' }];
  expect(verdict(after(findings, false, fresh, { known }))).toBe('known');
  const ofProbe = after(broken(refuses, 'BEARER-2').result.findings, false, holding().status());
  expect(ofProbe.clauses['BEARER-2'].verdict).toBe('violated');
  const canaryChecks = { 'before early_reject': 1 };
  expect(violated.counters).toMatchObject({ canaryChecks, findings: { 'EXPIRY-1': 1 } });
  expect(after(findings, true).counters).toEqual({ ...fresh.counters, canaryChecks });
  let all = violated;
  for (let at = 6; at < 70; at += 1)
    all = reduceCheck(all, { check: { ...check, at } }, withCanaries);
  expect(all.checks).toHaveLength(60);
  const shown = { at: 69, leastSeconds: 1, admitted: false, verdict: 'early_reject' };
  expect(all.checks[0]).toEqual({ ...shown, mostSeconds: undefined });
});

test('of a list in parts a finding counts at once, and that nothing was found after the last part', () => {
  const list = probeAbout('list', ['BEARER-3'], { scope: 'deep', everySeconds: 86_400 });
  const reducer = reducing(planFor([list], [widgets]));
  const part = (run: Run, nextRow?: number): Run => ({
    ...run,
    result: { ...run.result, nextRow },
  });
  const verdict = (...run: Parameters<typeof part>) => {
    reducer.take(part(...run));
    return reducer.verdict('BEARER-3').verdict;
  };
  const nextRow = () => Object.values(reducer.status().places)[0]?.begun?.nextRow;
  expect(verdict(kept(list), 6)).toBe('unverified');
  expect(verdict(kept(list), 12)).toBe('unverified');
  expect(verdict(unreachable(list))).toBe('unverified');
  expect(verdict(unreachable(list))).toBe('unverified');
  expect(nextRow()).toBe(12);
  expect(reducer.status().silence?.detail).toBe(timeout);
  expect(verdict(kept(list), 18)).toBe('unverified');
  expect(verdict(kept(list))).toBe('holds');
  expect(nextRow()).toBeUndefined();
  verdict(kept(list, { unproven: 'it answers 404' }), 6);
  expect(verdict(kept(list))).toBe('unverified');
  expect(verdict(broken(list, 'BEARER-3'), 6)).toBe('violated');
  expect(verdict(kept(list), 12)).toBe('violated');
  expect(verdict(defect(list))).toBe('violated');
  expect(verdict(kept(list))).toBe('violated');
  expect(verdict(kept(list), 6)).toBe('violated');
  expect(verdict(kept(list))).toBe('holds');
  expect(verdict(kept(list), 6)).toBe('holds');
  expect(verdict(broken(list, 'BEARER-3'), 12)).toBe('violated');
});

test('a known deviation is no violation until its last day, and another one is', () => {
  const endpoint = 'GET /public-api/v1/widgets';
  const known = [{ clause: 'BEARER-2' as const, endpoint, reason: 'mended in spring', until: 100 }];
  const reducer = holding({ ...plan, known });
  expect(reducer.take(broken(refuses, 'BEARER-2', { at: 10 }))).toEqual([]);
  const mended = { verdict: 'known', reason: 'mended in spring', since: 10 };
  expect(reducer.verdict('BEARER-2')).toMatchObject(mended);
  expect(reducer.status()).toMatchObject({ state: 'holds', events: [] });
  expect(reducer.take(broken(refuses, 'BEARER-3', { at: 20 }))).toContain('BEARER-3 violated');
  expect(reducer.take(broken(refuses, 'BEARER-2', { at: 101 }))).toContain('BEARER-2 violated');
});
