import { expect, test } from '@playwright/test';
import { refusalMessage } from '../../contract/admission.ts';
import { hours } from '../../contract/durations.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { type Canary, type Check, createCanary } from '../../monitor/canary/canary.ts';
import { findEvidence, isOdd, proofs, readAdmission } from '../../monitor/canary/evidence.ts';

const at = { boot: 'one', monotonic: 0, uptime: 0, wall: 0 };
const canary = createCanary({ s: at, r: at }, 404);
const tolerance = { toleranceMs: 5_000 };
const young = { least: hours(1), most: hours(1) };
/** Past its end, but within the tolerance. */
const over = { least: hours(24) + 4_999, most: hours(24) + 5_000 };
const dead = { least: hours(25), most: hours(25) };
const refusal = JSON.stringify({ success: false, message: refusalMessage });

const answer = (status: number, body = '{}'): Answer => ({
  request: { line: 'GET /public-api/v1/widgets   Authorization: Bearer [secret]' },
  status,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(body),
  phases: { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 },
});

for (const [status, age, seen] of [
  [404, young, true],
  [401, young, false],
  [403, young, 'wrong_answer'],
  [404, over, true],
  [401, dead, false],
  [200, dead, true],
  [403, dead, 'wrong_answer'],
] as const)
  test(`${status} to a canary of ${age.least / 3_600_000} h whose control was 404 is ${seen}`, () => {
    expect(
      readAdmission(answer(status, status === 401 ? refusal : '{}'), canary, age, tolerance),
    ).toBe(seen);
  });

const evidence = (before: Canary, check: Check, answer: Answer) =>
  findEvidence({ before, check, answer, endpointName: 'GET /', scrub: (text) => text }, []);

const check = { at: 0, age: young, phase: 'before', admitted: true, verdict: 'ok' } as const;
const nearlyOver = { least: hours(24) - 30_000, most: hours(24) - 29_000 };
const page = '<html>200</html>';
for (const [what, odd, status, body, age, verdict] of [
  ["the document's 401", false, 401, refusal, nearlyOver, 'early_reject'],
  ['another 401', true, 401, page, nearlyOver, 'early_reject'],
  ['data after the end', false, 200, '{}', dead, 'late_accept'],
  ['a page after the end', true, 200, page, dead, 'late_accept'],
  ['a page shortly before the end', true, 200, page, nearlyOver, 'ok'],
  ['a page long before the end', false, 200, page, young, 'ok'],
  ['a wrong answer', true, 500, page, young, 'wrong_answer'],
] as const)
  test(`${what} is ${odd ? 'odd' : 'not odd'}`, () => {
    const admitted = verdict !== 'early_reject' && verdict !== 'wrong_answer';
    const seen = { answer: answer(status, body), check: { ...check, age, admitted, verdict } };
    expect(isOdd(seen)).toBe(odd);
  });

test('an inconclusive check is no evidence: young and admitted, undecided, or a wrong answer before the end', () => {
  const open = { ...canary, controlStatus: 200 };
  for (const verdict of ['ok', 'undecided', 'wrong_answer'] as const)
    expect(evidence(open, { ...check, verdict }, answer(200))).toBeUndefined();
  const age = { least: hours(24) - 360_001, most: hours(24) - 1 };
  expect(evidence(open, { ...check, age }, answer(200))).toBeUndefined();
});

test('an admission shortly before the end proves EXPIRY-1, also where the token may be past its end', () => {
  const shown = evidence(canary, { ...check, age: nearlyOver }, answer(200));
  expect(shown).toMatchObject({ clause: 'EXPIRY-1', findings: [] });
  const age = { least: hours(24) - 300_000, most: hours(24) + 300_000 };
  const open = { ...check, verdict: 'undecided', age } as const;
  expect(evidence(canary, open, answer(200))).toMatchObject({ clause: 'EXPIRY-1', findings: [] });
  expect(evidence(canary, { ...open, admitted: false }, answer(401))).toBeUndefined();
  expect(evidence({ ...canary, state: 'expired' }, open, answer(200))).toBeUndefined();
});

const admitted = '401, since the token has expired';
for (const [what, state, verdict, status, clause, about, expected] of [
  ['refused too early', 'alive', 'early_reject', 401, 'EXPIRY-1', 'EXPIRY-1', 'any answer but 401'],
  ['admitted too late', 'alive', 'late_accept', 200, 'EXPIRY-2', 'EXPIRY-2', admitted],
  ['admitted after it was dead', 'expired', 'late_accept', 200, 'EXPIRY-5', 'EXPIRY-5', admitted],
  ['refused by the wrong status', 'alive', 'wrong_answer', 403, 'ERROR-1', 'EXPIRY-2', '401 {"'],
] as const)
  test(`a canary that is ${what} breaks ${clause}`, () => {
    const phase = verdict === 'early_reject' ? 'before' : 'after';
    const age = phase === 'before' ? young : dead;
    const shown = evidence(
      { ...canary, state, controlStatus: 200 },
      { ...check, age, phase, verdict },
      answer(status, status === 401 ? refusal : '{}'),
    );
    expect(shown?.clause).toBe(about);
    const quoted = expect.stringContaining(expected);
    expect(shown?.findings).toMatchObject([{ clause, probe: proofs[about], expected: quoted }]);
  });

test('a correct refusal after the end is judged in full', () => {
  const after = { ...check, age: dead, phase: 'after', admitted: false } as const;
  const open = { ...canary, controlStatus: 200 };
  expect(evidence(open, after, answer(401, refusal))?.findings).toEqual([]);
  const other = answer(401, '{"success":false,"message":"Expired."}');
  const when = expect.stringContaining('a canary that has expired');
  expect(evidence(open, after, other)?.findings).toMatchObject([{ clause: 'ERROR-3', when }]);
});
