import { hash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { bearer } from '../../contract/http/client.ts';
import { exchange } from '../../contract/http/exchange.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { documentOf } from '../../monitor/probe/document.ts';
import { placesOfRound, roundOn } from '../../monitor/probe/round.ts';
import { selectedBy } from '../../monitor/probe/selection.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { probes } from '../../probes/index.ts';
import { lettingEverybodyIn, startProvider, unavailable } from './provider.ts';
import { probeAbout, target } from './runs.ts';

const namesOf = (of: WatchedTarget, all: readonly Probe[] = probes): string[] => [
  ...new Set(placesOfRound(of, { probes: all }).map(({ probe }) => probe.name)),
];

test('prerequisite probes run first, disturbing probes later, and wrong credentials last', () => {
  const made = [
    probeAbout('wrong', ['TOKEN-2'], { stage: 'wrong-credentials' }),
    probeAbout('last', ['BEARER-6'], { stage: 'disturbing' }),
    probeAbout('usual', ['BEARER-2']),
    probeAbout('first', ['TOKEN-1'], { stage: 'first' }),
  ];
  expect(namesOf({ ...target, intrusive: true }, made)).toEqual([
    'first',
    'usual',
    'last',
    'wrong',
  ]);
  expect(namesOf(target, made)).toEqual(['first', 'usual', 'last']);
  expect(namesOf({ ...target, chosen: { usual: 'off' } }, made)).toEqual(['first', 'last']);
  const [opening] = namesOf(target);
  expect(probes.find(({ name }) => name === opening)?.stage).toBe('first');
});

test('a provider that keeps the contract gets 0, also in strict mode, and uses one token for all probes that accept any', async () => {
  await using provider = await startProvider();
  const round = await roundOn(provider.target, { probes, strict: true });
  expect(round.exit).toBe(0);
  expect(round.unjudged).toBeUndefined();
  expect(round.runs.every(({ result }) => result.outcome === 'passed')).toBe(true);
  expect(round.runs).toHaveLength(placesOfRound(provider.target, { probes }).length);
  const own = round.runs.reduce((sum, { requests }) => sum + requests, 0);
  // The additional request is for the kept token; it belongs to no run.
  expect(round.requests).toBe(own + 1);
});

test('a token that a provider shows before a later run gets it is not shown', async () => {
  const tokenOf = (number: number): string => hash('sha256', `${number}`, 'base64url');
  await using provider = await startProvider();
  provider.become({
    mint: ({ tokens }) => tokenOf(tokens.size),
    unauthorised: (_cause, _call, { tokens }) => ({
      status: 401,
      json: { success: false, message: `not ${tokenOf(tokens.size)}` },
    }),
  });
  const round = await roundOn(provider.target, { probes });
  const shown = documentOf([round], round.exit);
  expect(shown).toContain('not [secret]');
  for (let number = 0; number < provider.state.tokens.size; number++)
    expect(shown).not.toContain(tokenOf(number));
});

/** The largest number of requests that a round had in progress at once, and the round. */
async function inFlight(concurrency?: number) {
  await using provider = await startProvider();
  let under = 0;
  let most = 0;
  const counting: typeof exchange = async (...asked) => {
    under += 1;
    most = Math.max(most, under);
    return exchange(...asked).finally(() => {
      under -= 1;
    });
  };
  const round = await roundOn(provider.target, { probes, exchange: counting, concurrency });
  return { most, round };
}

test('the provider gets requests of one run at a time', async () => {
  expect((await inFlight()).most).toBe(1);
});

test('a round with several requests at once has no more of them in flight, and the same result', async () => {
  const { most, round } = await inFlight(4);
  expect(most).toBe(4);
  expect(round.exit).toBe(0);
  expect(round.runs.map(({ result }) => result.probe.name)).toEqual(
    (await inFlight()).round.runs.map(({ result }) => result.probe.name),
  );
});

for (const [what, reason, more] of [
  ['that does not answer', 'timeout', {}],
  ['whose certificate is not trusted', 'tls', { tls: { version: 'TLSv1.3', earliestExpiry: 0 } }],
] as const)
  test(`a provider ${what} gets one request, and every probe is unreachable for its reason`, async () => {
    let requests = 0;
    const failing: typeof exchange = async (_wire, _shot, where) => {
      requests += 1;
      throw Object.assign(new Unreachable(reason, where, 'planted'), more);
    };
    const round = await roundOn(target, { probes, exchange: failing });
    expect(requests).toBe(1);
    expect(round).toMatchObject({ exit: 2, requests: 1 });
    expect(round.unjudged).toContain('planted');
    expect(round.runs).toHaveLength(placesOfRound(target, { probes }).length);
    expect(new Set(round.runs.map((run) => run.reason))).toEqual(new Set([reason]));
    for (const { result } of round.runs)
      expect(result.endpoint === 'POST /public-api/v1/auth/token').toBe(
        result.probe.scope === 'service',
      );
    expect(round.clauses.every(({ verdict }) => verdict === 'unverified')).toBe(true);
  });

test('a provider that has answered once still gets requests, however often it is silent then', async () => {
  await using provider = await startProvider();
  let requests = 0;
  const failing: typeof exchange = async (...request) => {
    requests += 1;
    if (requests > 3) throw new Unreachable('reset', request[2]);
    return exchange(...request);
  };
  const round = await roundOn(provider.target, { probes, exchange: failing });
  expect(round.exit).toBe(2);
  expect(requests).toBeGreaterThan(round.runs.length / 2);
});

test('refused credentials get 2, and so does a provider that proves nothing in strict mode', async () => {
  await using provider = await startProvider();
  provider.become({ valid: () => false });
  const refused = await roundOn(provider.target, { probes });
  expect(refused).toMatchObject({ exit: 2, unjudged: expect.stringContaining('refused the cred') });
  // If the provider answers every request with 404, no control can show that a token opens the endpoint.
  provider.become({ route: () => undefined });
  const selected = selectedBy(['bearer-2'], probes, [provider.target]) ?? new Set<string>();
  for (const [strict, exit] of [
    [false, 0],
    [true, 2],
  ] as const)
    expect(await roundOn(provider.target, { probes, selected, strict })).toMatchObject({ exit });
});

test('a gateway without a backend gets 2, and a provider that admits everything gets 1', async () => {
  await using provider = await startProvider();
  provider.become(unavailable);
  expect((await roundOn(provider.target, { probes })).exit).toBe(2);
  provider.become(lettingEverybodyIn);
  const broken = await roundOn(provider.target, { probes });
  expect(broken.exit).toBe(1);
  expect(
    broken.clauses.filter(({ verdict }) => verdict === 'violated').map(({ clause }) => clause.id),
  ).toContain('BEARER-2');
});

for (const concurrency of [1, 12])
  test(`only token invalidation is reported where a new token ends the earlier ones, with ${concurrency} at once`, async () => {
    await using provider = await startProvider();
    provider.become({
      keep(token, { tokens }) {
        tokens.clear();
        tokens.set(token.text, token);
      },
    });
    const oldOne = probeAbout('the-older-of-two-is-used', ['BEARER-1'], {
      async run({ service, account, contract }) {
        const older = await service.issue(account);
        await service.issue(account);
        await contract.admits(bearer(older), 'BEARER-1');
      },
    });
    const round = await roundOn(provider.target, { probes: [...probes, oldOne], concurrency });
    const violated = round.clauses.filter(({ verdict }) => verdict === 'violated');
    expect(violated.map(({ clause }) => clause.id)).toEqual(['EXPIRY-4']);
    // Only the two probes of older tokens are unproven: concurrent runs do not end each other's tokens.
    const unproven = round.runs.filter(({ result }) => result.unproven !== undefined);
    expect(new Set(unproven.map(({ result }) => result.probe.name))).toEqual(
      new Set(['another-token-leaves-the-first-alive', 'the-older-of-two-is-used']),
    );
  });

test('a defect of a probe gets 3, whatever else was found', async () => {
  await using provider = await startProvider();
  provider.become(lettingEverybodyIn);
  const mistaken = probeAbout('mistaken', ['BEARER-5'], {
    run: () => Promise.reject(new TypeError('a mistake')),
  });
  const round = await roundOn(provider.target, { probes: [...probes, mistaken] });
  expect(round.exit).toBe(3);
});

test('a payload that does not match its schema gets 1, although it breaks no clause', async () => {
  await using provider = await startProvider();
  const [first, second] = provider.target.endpoints;
  if (second === undefined) throw new Error('there are two endpoints');
  const watched: WatchedTarget = {
    ...provider.target,
    endpoints: [{ ...first, unfit: { schema: '{}', mismatch: () => '/items is missing' } }, second],
  };
  const round = await roundOn(watched, { probes });
  const selected = selectedBy(['the-payload-is-as-its-schema-says'], probes, [watched]);
  expect(round.exit).toBe(1);
  expect(round.clauses.some(({ verdict }) => verdict === 'violated')).toBe(false);
  expect(round.runs.filter(({ reason }) => reason === 'payload')).toHaveLength(1);
  expect(selected).toEqual(new Set(['the-payload-is-as-its-schema-says']));
});

test('a selection reports only the clauses of its probes, and breaches that they find', async () => {
  await using provider = await startProvider();
  provider.become({ unauthorised: () => ({ status: 403, json: {} }) });
  const selected = selectedBy(['BEARER-4'], probes, [provider.target]);
  const round = await roundOn(provider.target, { probes, ...(selected ? { selected } : {}) });
  const message = round.clauses.map(({ clause, verdict }) => `${clause.id} ${verdict}`);
  expect(message).toContain('ERROR-1 violated');
  expect(message.some((one) => one.startsWith('TOKEN-2'))).toBe(false);
});

test('no selection runs everything, and a word for an unavailable probe prints where to run it', () => {
  expect(selectedBy([], probes, [target])).toBeUndefined();
  expect(selectedBy(['bearer-4', 'a-token-opens-the-endpoint'], probes, [target])).toEqual(
    new Set([
      'a-token-opens-the-endpoint',
      'another-scheme-is-refused',
      'every-endpoint-is-guarded',
    ]),
  );
  expect(() => selectedBy(['TOKEN-2'], probes, [target])).toThrow('npm run gate -- TOKEN-2');
  expect(selectedBy(['TOKEN-2'], probes, [{ ...target, intrusive: true }])?.size).toBeGreaterThan(
    0,
  );
});
