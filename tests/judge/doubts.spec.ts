import { expect, test } from '@playwright/test';
import type { Answer } from '../../contract/http/answer.ts';
import type { KnownDeviation } from '../../contract/known.ts';
import { withDoubts } from '../../contract/round/verdict.ts';
import { claimsIn, claimText, doubtsIn } from '../../contract/token-claims.ts';
import { encode } from '../../contract/token-form.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { withoutClock } from '../report/rounds.ts';
import { answer } from './answers.ts';
import { judgeProvider } from './judge-provider.ts';

const iat = Date.UTC(2026, 4, 20, 9, 17, 23) / 1000;
const day = 86_400;
const jwt = (claims: object): string => `${encode({ alg: 'HS256' })}.${encode(claims)}.c2lnbmVk`;

/** An answer with a token, `lateSeconds` after its `iat`. */
function given(data: object, lateSeconds = 0): Answer {
  const json = { success: true, message: 'ok', data: { accessToken: 'opaque-token-1', ...data } };
  const valid = answer(200, json);
  const date = new Date((iat + lateSeconds) * 1000).toUTCString();
  return { ...valid, headers: [...valid.headers, ['Date', date]] };
}

const ended = (exp?: unknown, more: object = { iat }) => ({ accessToken: jwt({ ...more, exp }) });

for (const [data, claimed, doubtful = ''] of [
  [{}, ''],
  [ended(iat + day), '24 h (exp − iat of its JWT)'],
  [ended(iat + day + 60), '24 h (exp − iat of its JWT)'],
  [ended(iat + day + 61), '1 d (exp − iat of its JWT)', 'EXPIRY-2'],
  [ended(), 'for ever (its JWT has no exp)', 'EXPIRY-2'],
  [ended(iat + 5400, {}), '1.5 h (exp of its JWT)', 'EXPIRY-1'],
  [ended('soon'), ''],
  [{ expiresIn: day }, '24 h (expiresIn)'],
  [{ expires_in: 3600 }, '1 h (expires_in)', 'EXPIRY-1'],
  [{ expires_in: '2592000' }, '30 d (expires_in)', 'EXPIRY-2'],
  [{ expiresIn: day * 1000 }, '24 h (expiresIn)'],
  [{ expiresIn: 24 }, '24 h (expiresIn)'],
  [{ expiresAt: new Date((iat + day) * 1000).toISOString() }, '24 h (expiresAt)'],
  [{ expiresAt: iat + 2 * day }, '2 d (expiresAt)', 'EXPIRY-2'],
  [{ expires_at: (iat + 3600) * 1000 }, '1 h (expires_at)', 'EXPIRY-1'],
  [{ expiresAt: '2026-05-20T12:00:00' }, ''],
  [{ expiresAt: null, expiresIn: true }, ''],
  [
    { ...ended(iat + 3600), expiresIn: 30 * day },
    '1 h (exp − iat of its JWT), 30 d (expiresIn)',
    'EXPIRY-1 EXPIRY-2',
  ],
] as const)
  test(`an answer with ${JSON.stringify(data).slice(0, 150)} claims ${claimed || 'nothing'}`, () => {
    const claims = claimsIn(given(data));
    expect(claimText(claims)).toBe(claimed);
    expect(Object.keys(doubtsIn(claims)).join(' ')).toBe(doubtful);
  });

test('a JWT that is given again claims its whole life, not what is left of it', () => {
  const claims = claimsIn(given({ ...ended(iat + day), expiresIn: day - 7200 }, 7200));
  expect(claimText(claims)).toBe('24 h (exp − iat of its JWT), 24 h (expiresIn)');
});

/** Of all that the reports show. */
async function judged(behaviour: Partial<Behaviour>, hasClock: boolean) {
  const target = sandboxInMemory({ ...right, ...behaviour });
  const clock = hasClock ? target.clock : undefined;
  const about = probes.filter(
    ({ clauses }) => clauses.includes('EXPIRY-2') || clauses.includes('TOKEN-1'),
  );
  const { exit, clauses, observations } = await judgeProvider({ ...target, clock }, about);
  const { verdict, cause, reason } = clauses.find(({ clause }) => clause.id === 'EXPIRY-2') ?? {};
  return { exit, verdict, cause, reason, observations };
}

/** The token endpoint says that tokens live 30 days. */
const claimingAMonth: Partial<Behaviour> = {
  granted: (...args) => {
    const reply = right.granted(...args);
    const { data, ...json } = Object(reply.json);
    return { ...reply, json: { ...json, data: { ...data, expiresIn: 30 * day } } };
  },
};

test('a claim makes a clause doubtful that nothing proves, and then nothing passes', async () => {
  expect(await judged(claimingAMonth, false)).toMatchObject({
    exit: 2,
    verdict: 'unverified',
    cause: 'doubtful',
    reason:
      'the provider says that its tokens live 30 d (expiresIn), not 24 hours, which is no proof',
    observations: expect.arrayContaining([
      { id: 'OPEN-4', fact: 'claimed life of a token, no proof', value: '30 d (expiresIn)' },
    ]),
  });
  expect(await judged({}, false)).toMatchObject({ exit: 0, cause: 'unconfigured' });
});

test('the last doubt counts, and a known one is none', () => {
  const judge = (known?: readonly KnownDeviation[]) => {
    const results = ['first', 'last'].map((text) => ({ doubts: { 'EXPIRY-2': text } }));
    const clauses = withDoubts(withoutClock.clauses, results, known);
    return clauses.find(({ clause }) => clause.id === 'EXPIRY-2');
  };
  expect(judge()).toMatchObject({ cause: 'doubtful', reason: 'last' });
  const known = { clause: 'EXPIRY-2', reason: 'it is agreed' } as const;
  expect(judge([known])).toMatchObject({ verdict: 'known', reason: 'it is agreed' });
});

test('with a clock the proof counts, and not the claim', async () => {
  const right = await judged(claimingAMonth, true);
  expect({ exit: right.exit, verdict: right.verdict, cause: right.cause }).toEqual({
    exit: 0,
    verdict: 'holds',
    cause: undefined,
  });
  const wrong = await judged({ ...claimingAMonth, expired: () => false }, true);
  expect({ exit: wrong.exit, verdict: wrong.verdict, cause: wrong.cause }).toEqual({
    exit: 1,
    verdict: 'violated',
    cause: undefined,
  });
});
