import { expect, test } from '@playwright/test';
import { NoTokenError } from '../../contract/http/client.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { type AttemptContext, attempt, presentClock } from '../../contract/round/attempt.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { ClockError } from '../../contract/time/clock.ts';
import { serviceAnswering, widgets } from '../client/simulated-service.ts';
import { answer } from './answers.ts';

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
