import { expect, test } from '@playwright/test';
import { probes } from '../../probes/index.ts';
import { type Behaviour, type Call, day, type Reply, right } from '../../sandbox/behaviour.ts';
import { count, type Fault, hour, htmlPage, living, minute } from '../faults/fault.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { jwtVariants } from '../faults/token-forms.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

/*
 * Providers of four kinds that people have reported, each with its verdict: the token endpoint fails on some dates,
 * something in front of the service refuses tokens, requests are limited by the test clock, and the endpoint answers
 * alike with and without a token.
 */

/** What the gate says of a provider. By default no clause is violated, and the exit code is 0. */
interface Verdict {
  readonly exit?: number;
  readonly violated?: readonly string[];
  /** Some of the unverified clauses. */
  readonly unverified?: readonly string[];
  /** A part of the line about an unjudged provider, or of a finding's reason. */
  readonly says?: string;
}

type Kind = Readonly<Record<string, readonly [Partial<Behaviour>, Verdict]>>;

const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);
const no = { success: false, message: 'No.' };
const isTokenRequest = ({ path }: Call): boolean => path.endsWith('/auth/token');

/** Right credentials get another answer at some instants. */
const failing = (isBad: (date: string) => boolean, reply: Reply): Fault => ({
  granted: (token, call, state) =>
    isBad(new Date(call.now).toISOString()) ? reply : right.granted(token, call, state),
});

const isLeapDay = (date: string): boolean => date.includes('-02-29T');
const onDate = (date: string): Verdict => ({
  exit: 1,
  violated: ['TOKEN-1'],
  unverified: ['EXPIRY-7'],
  says: `the credentials are valid on ${date}`,
});

const dates: Kind = {
  'refuses tokens on the last day of a month': [
    failing((date) => /-(0[469]|11)-30T/.test(date), { status: 403, json: no }),
    onDate('2026-06-30'),
  ],
  'fails on the leap day': [failing(isLeapDay, { status: 401, json: no }), onDate('2028-02-29')],
  'sends an empty envelope on the leap day': [
    failing(isLeapDay, { status: 200, json: { success: true, message: '', data: null } }),
    onDate('2028-02-29'),
  ],
  'is down on the last day of a year': [
    failing((date) => date.includes('-12-31T'), { status: 503, json: no }),
    { exit: 2, unverified: ['EXPIRY-7'], says: 'unavailable (status 503)' },
  ],
  'gives no token after some years': [
    failing((date) => date >= '2030', { status: 401, json: no }),
    { unverified: ['EXPIRY-7'] },
  ],
};

/** Something in front of the endpoints answers requests with such an Authorization header. */
const front = (reply: Reply, isRefused: (authorization: string) => boolean): Fault => ({
  finish: (answer, call) =>
    !isTokenRequest(call) && isRefused(call.headers.authorization ?? '') ? reply : answer,
});

/** It refuses every token: JWTs are longer than that. */
const shortOnly = (reply: Reply) => ({
  ...jwtVariants.jwt,
  ...front(reply, (authorization) => authorization.length > 60),
});

const unproven = {
  exit: 2,
  unverified: ['BEARER-1', 'BEARER-3', 'ERROR-1', 'EXPIRY-2'],
  says: 'no endpoint showed a difference',
};
const page = (status: number): Reply => htmlPage(status, '<h1>Bad request</h1>');

const fronts: Kind = {
  'refuses every token with 400': [shortOnly(page(400)), unproven],
  'refuses every token with 411': [shortOnly(page(411)), unproven],
  'refuses every token with 414': [shortOnly(page(414)), unproven],
  'refuses every token with 421': [shortOnly(page(421)), unproven],
  'refuses every token with 431 in JSON': [shortOnly({ status: 431, json: no }), unproven],
  'refuses odd signs in a token with 400': [
    front(page(400), (authorization) => /["<>{};,\\]|[^\0-\x7f]/.test(authorization)),
    {},
  ],
};

/** So many requests of a kind are answered in each window of the provider's own time. */
function limited(most: number, windowMs: number, isCounted = (_call: Call) => true): Fault {
  const memo = new Map<unknown, number>();
  return {
    finish(reply, call) {
      if (!isCounted(call)) return reply;
      const requests = count({ memo }, Math.floor(call.now / windowMs));
      const headers = { 'Retry-After': `${windowMs / 1000}` };
      return requests > most ? { status: 429, json: no, headers } : reply;
    },
  };
}

const waiting = { exit: 2, says: 'the provider answers 429, and asks for a longer pause' };
const hasNoToken = ({ headers }: Call): boolean => headers.authorization === undefined;

const limits: Kind = {
  'allows 60 tokens a minute': [limited(60, minute, isTokenRequest), waiting],
  'allows 100 tokens an hour': [limited(100, hour, isTokenRequest), waiting],
  'allows 100 requests without a token a minute': [limited(100, minute, hasNoToken), waiting],
  'allows 1,000 requests a minute': [limited(1000, minute), {}],
  'allows 5,000 requests a day': [limited(5000, day), {}],
};

/** Tokens live too short, but the endpoint does not show it. */
const alike = (reply: Reply): Fault => ({
  ...living(12 * hour),
  finish: (answer, call) => (isTokenRequest(call) ? answer : reply),
});

const vacuous = { exit: 2, unverified: ['EXPIRY-1'], says: 'no endpoint showed a difference' };

const answers: Kind = {
  'redirects to a login': [alike({ status: 302, headers: { Location: '/login' } }), vacuous],
  'does not allow the method': [alike({ status: 405, json: no }), vacuous],
  'is gone': [alike({ status: 410 }), vacuous],
  'is unavailable for legal reasons': [alike(page(451)), vacuous],
  'is behind a gateway that is down': [alike(page(502)), { ...vacuous, says: 'status 502' }],
};

for (const [name, [behaviour, verdict]] of Object.entries({
  ...dates,
  ...fronts,
  ...limits,
  ...answers,
}))
  test(`a provider that ${name} is judged right`, async () => {
    const target = sandboxInMemory({ ...right, ...behaviour }, startAt);
    const { clauses, exit, unjudged = '' } = await judgeProvider(target, probes);
    const named = (verdict: string) =>
      clauses.flatMap((judged) => (judged.verdict === verdict ? [judged.clause.id] : []));
    const reasons = clauses.flatMap(({ findings }) => findings.map(({ when }) => when));
    expect({ exit, violated: named('violated') }).toEqual({
      exit: verdict.exit ?? 0,
      violated: verdict.violated ?? [],
    });
    expect(named('unverified')).toEqual(expect.arrayContaining([...(verdict.unverified ?? [])]));
    expect([unjudged, ...reasons].join('\n')).toContain(verdict.says ?? '');
  });
