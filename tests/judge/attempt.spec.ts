import { expect, test } from '@playwright/test';
import { days } from '../../contract/durations.ts';
import { NoTokenError } from '../../contract/http/client.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import type { Probe, Stage } from '../../contract/probe.ts';
import { type AttemptContext, attempt, presentClock } from '../../contract/round/attempt.ts';
import { ProviderRound } from '../../contract/round/provider-round.ts';
import type { RoundFacts } from '../../contract/round/verdict.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { ClockError } from '../../contract/time/clock.ts';
import { sandboxAccount } from '../../sandbox/provider.ts';
import { serviceAnswering, widgets } from '../client/simulated-service.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { answer } from './answers.ts';
import { judgeProvider } from './judge-provider.ts';

const canary = 'CANARY-7f3a9c51';

/** The result of a probe with this `run`. */
function outcomeOf(
  run: Probe['run'],
  { status = 200, ...more }: Partial<AttemptContext> & { readonly status?: number } = {},
  once?: true,
) {
  const scope = once ? 'service' : 'core';
  const probe: Probe = { name: 'a-probe', clauses: ['BEARER-2'], scope, stage: 'present', run };
  const secret = new Secret(canary);
  const account = { apiKey: secret, secretKey: secret };
  const service = serviceAnswering(async () => answer(status));
  const of = { endpoint: widgets, endpoints: [widgets] as const, clock: presentClock };
  const world = { service, account, ...of };
  const scrub = (text: string): string => text.replaceAll(canary, '[secret]');
  return attempt(probe, world, { scrub, simulated: false, ...more });
}

const throwing = (error: unknown) => async (): Promise<void> => {
  throw error;
};

const breaking: Probe['run'] = async ({ contract }) =>
  contract.violated('ERROR-1', answer(200), { reason: '', expected: '', received: canary });

test('a probe without findings passes', async () => {
  const result = await outcomeOf(async () => {});
  expect(result).toMatchObject({
    outcome: 'passed',
    endpoint: 'GET /public-api/v1/widgets',
    findings: [],
    observations: [],
  });
  expect(result.durationSeconds).toBeGreaterThanOrEqual(0);
  expect(result.unproven).toBeUndefined();
  const { endpoint } = await outcomeOf(async () => {}, {}, true);
  expect(endpoint).toBe('POST /public-api/v1/auth/token');
});

test('an unreachable provider breaks no clause', async () => {
  const result = await outcomeOf(throwing(new UnreachableError('timeout', 'GET /x', '10 ms')));
  expect(result).toMatchObject({
    outcome: 'unreachable',
    reason: 'timeout',
    detail: 'GET /x: no complete answer in time (10 ms)',
    findings: [],
  });
});

test('a breach found before the provider was lost stays a breach, with the reason', async () => {
  const result = await outcomeOf(async (world) => {
    await breaking(world);
    throw new UnreachableError('reset', 'GET /x');
  });
  expect(result).toMatchObject({ outcome: 'failed', reason: 'reset' });
  expect(result.findings).toHaveLength(1);
});

test('any other error is a defect of this suite, whatever was found, and shows no secret', async () => {
  const result = await outcomeOf(async (world) => {
    await breaking(world);
    throw new TypeError(`${canary} is no function`);
  });
  expect(result.outcome).toBe('defect');
  expect(result.detail).toMatch(/^TypeError: \[secret\] is no function\n {4}at .*attempt\.spec/);
  expect(result.detail).not.toContain(canary);
  expect(result.findings).toHaveLength(1);
  const thrown = await outcomeOf(throwing(`thrown ${canary}`));
  expect(thrown).toMatchObject({ outcome: 'defect', detail: 'thrown [secret]' });
});

test('a missing token for correct credentials breaks TOKEN-1 and proves nothing else', async () => {
  const result = await outcomeOf(throwing(new NoTokenError(answer(200, { ok: 1 }))));
  expect(result).toMatchObject({ outcome: 'failed', unproven: 'no token was issued: 200' });
  expect(result.findings).toMatchObject([
    {
      clause: 'TOKEN-1',
      when: 'the credentials are valid',
      received: '200 application/json, 8 bytes: /success is missing',
    },
  ]);
});

test('a missing token after wrong credentials breaks no clause', async () => {
  const unproven = 'the account may be locked';
  const tokensStopped = (): string => unproven;
  const result = await outcomeOf(throwing(new NoTokenError(answer(429))), { tokensStopped });
  expect(result).toMatchObject({
    outcome: 'passed',
    findings: [],
    unproven: `${unproven}: 429`,
  });
});

test('a failing test clock ends the run: no probe can continue without it', async () => {
  await expect(outcomeOf(throwing(new ClockError('it is gone')))).rejects.toThrow('it is gone');
});

test('a disturbance explains a refused token, which then breaks no clause', async () => {
  const run: Probe['run'] = async ({ contract }) => {
    await contract.admits({}, 'BEARER-1');
  };
  expect(await outcomeOf(run, { status: 401 })).toMatchObject({ outcome: 'failed' });
  expect(await outcomeOf(run, { status: 401, disturbed: 'EXPIRY-4 is broken' })).toMatchObject({
    outcome: 'passed',
    unproven: 'EXPIRY-4 is broken',
  });
});

const probeOf = (name: string, stage: Stage, run: Probe['run'], more?: Partial<Probe>): Probe => ({
  ...{ name, stage, run, clauses: ['BEARER-2'], scope: 'service' },
  ...more,
});

test('a round that continues another one goes forward in time, and counts the requests of both', async () => {
  const target = sandboxInMemory();
  const sets: number[] = [];
  const set = (at: number) => target.clock?.set(sets.push(at) && at) ?? Promise.reject();
  const clock = target.clock && { ...target.clock, set };
  const daily = probeOf('daily', 'simulated', (world) => world.clock.pass(days(1)));
  const play = async (earlier?: RoundFacts) => {
    const round = new ProviderRound({ ...target, clock }, undefined, earlier);
    round.start('simulated', [daily]);
    await round.close();
    return { ...round.facts, facts: round.facts, from: Math.min(...sets.splice(0)) };
  };
  const first = await play();
  const second = await play(first.facts);
  expect(second.from).toBeGreaterThan(first.instant ?? Infinity);
  expect(second.requests).toBe(2 * first.requests);
});

test('a defect outside of a probe ends the round without a secret, and the second account is one too', async () => {
  const { apiKey } = sandboxAccount;
  const target = sandboxInMemory();
  const read = () => Promise.reject(new TypeError(`no ${apiKey}`));
  const clock = target.clock && { ...target.clock, read };
  const due = [probeOf('any', 'present', async () => {})];
  await expect(judgeProvider({ ...target, clock }, due)).rejects.toThrow('no [secret]');
  const secondAccount = {
    apiKey: new Secret('second-key'),
    secretKey: new Secret('second-secret'),
  };
  const { client } = new ProviderRound({ ...target, secondAccount });
  expect(client.scrub('second-secret')).toBe('[secret]');
});
