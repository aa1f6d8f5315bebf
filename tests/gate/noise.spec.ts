import { expect, test } from '@playwright/test';
import { targetAt } from '../../gate/under-test.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, type Reply, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { accidents, noisy } from '../faults/transport.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { nightly } from '../nightly.ts';
import { isSampled, night } from '../sample.ts';
import { random } from '../simulation/random.ts';

/** Rounds for each kind of noise: in a night twenty, with its day as seed. `NIGHT=2026-05-20` repeats them. */
const rounds = night === undefined ? 1 : 20;

/** Selects one request in a hundred from a seed, and counts the selected requests. */
function onePercent(seed: string): { strikes: () => boolean; struck: () => number } {
  const { chance } = random(seed);
  let struck = 0;
  const strikes = (): boolean => {
    const hit = chance(0.01);
    if (hit) struck += 1;
    return hit;
  };
  return { strikes, struck: () => struck };
}

for (const [kind, accident] of Object.entries(accidents))
  test.describe(() => {
    if (!isSampled(kind, 3)) nightly();
    test(`a correct provider behind a network with one percent of ${kind} is not reported`, async () => {
      test.setTimeout(60_000 * rounds);
      for (let round = 1; round <= rounds; round++) {
        const seed = `${night ?? 'a day'}, round ${round}`;
        const { strikes, struck } = onePercent(seed);
        const behaviour = { ...right, ...noisy(accident, strikes) };
        await using sandbox = await startSandbox({ behaviour });
        const { results, unjudged, exit } = await judgeProvider(targetAt(sandbox.baseUrl), probes);
        const findings = results.flatMap((result) => result.findings);
        const label = `seed ${seed}: ${unjudged ?? 'judged'}`;
        expect({ findings, exit }, label).toEqual({ findings: [], exit: 0 });
        expect(struck(), label).toBeGreaterThan(0);
      }
    });
  });

/**
 * A correct provider that answers every request to these paths from this number on with the same reply.
 * @param most how many of them it answers wrongly
 */
function stoppingAt(
  request: number,
  reply: Reply,
  paths = /./,
  most = Number.POSITIVE_INFINITY,
): Behaviour {
  let requests = 0;
  return {
    ...right,
    finish: (answer, { path }) => {
      if (!paths.test(path)) return answer;
      requests += 1;
      return requests < request || requests >= request + most ? answer : reply;
    },
  };
}

for (const [what, reply] of [
  ['404', { status: 404, json: { success: false, message: 'Not found.' } }],
  ['500', { status: 500, body: 'Internal Server Error' }],
  ['a maintenance page', { status: 200, body: '<h1>Back soon</h1>' }],
] as const)
  test(`a provider that answers everything with ${what} in mid-round is not judged`, async () => {
    const { requests } = await judgeProvider(sandboxInMemory(right), probes);
    for (const share of stops) await expectUnjudged(Math.round(share * requests), reply);
  });

const blocked: Reply = {
  status: 403,
  body: '<h1>403 Forbidden</h1>',
  headers: { 'Content-Type': 'text/html' },
};

test('a provider whose firewall blocks the token endpoint in mid-round is not judged', async () => {
  const words = ' Forbidden: a firewall: set rate (PUBLIC_API_RATE)';
  for (const request of [30, 110, 170]) await expectUnjudged(request, blocked, /token$/, words);
});

test('a firewall that blocks the endpoints in mid-round is not reported', async () => {
  const reasons = new Set<string | undefined>();
  for (const request of [30, 110, 300, 500, 700, 850]) {
    const { findings, unjudged } = await judgedWith(
      stoppingAt(request, blocked, /widgets|reports/),
    );
    expect(findings, `from request ${request} on`).toEqual([]);
    reasons.add(unjudged);
  }
  expect([...reasons].join()).toContain('GET /public-api/v1/widgets with a new token answers 403');
});

/** After which share of the requests a provider stops: in a night once in each stage of a round. */
const stops = night === undefined ? [0.12, 0.75] : [0.06, 0.12, 0.32, 0.6, 0.75, 0.85, 0.95];

async function expectUnjudged(
  request: number,
  reply: Reply,
  paths = /./,
  words = '',
): Promise<void> {
  const { findings, unjudged, exit } = await judgedWith(stoppingAt(request, reply, paths));
  expect(findings, `from request ${request} on`).toEqual([]);
  expect(unjudged).toBe(
    `the provider stopped answering properly in the middle of the round: every request to /public-api/v1/auth/token answers ${reply.status}${words}`,
  );
  expect(exit).toBe(2);
}

async function judgedWith(behaviour: Behaviour) {
  const { results, unjudged, exit } = await judgeProvider(sandboxInMemory(behaviour), probes);
  return { findings: results.flatMap((result) => result.findings), unjudged, exit };
}

test('a token that a short outage prevents is not reported', async () => {
  const reply = { status: 500, body: 'Internal Server Error' };
  for (const request of [125, 500, 850]) {
    const { findings } = await judgedWith(stoppingAt(request, reply, /./, 60));
    expect(findings, `from request ${request} on`).toEqual([]);
  }
});
