import { expect, test } from '@playwright/test';
import type { Target } from '../../contract/round/target.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import { jsonBody } from './made-up.ts';
import {
  aged,
  callWithToken,
  endings,
  forToken,
  interaction,
  ownPact,
  pactOf,
  pending,
  verifying,
  withoutClock,
} from './verifying.ts';

test('an unexpected answer fails its interaction alone, and names the differences', async () => {
  const body = jsonBody({ widgets: 'many' });
  const wrong = { status: 201, headers: { 'X-Count': ['1'] }, body };
  const pact = pactOf(callWithToken(), callWithToken('another', ['a valid token'], wrong));
  const { exit, pacts } = await verifying(pact);
  expect(exit).toBe(1);
  const [first, second] = pacts[0]?.interactions ?? [];
  expect(first).toMatchObject({ ending: 'verified', mismatches: [] });
  expect(second?.ending).toBe('failed');
  expect(second?.asked).toBe('GET /public-api/v1/widgets   Authorization: Bearer [secret]');
  const what = 'the status: expected 201 but was 200';
  const attribute = 'status';
  expect(second?.mismatches[0]).toEqual({ expected: '201', received: '200', what, attribute });
  expect(second?.body).toContain('{"widgets":[');
  expect(second?.mismatches.map(({ what }) => what).sort()).toEqual([
    expect.stringContaining('the body at $.widgets: '),
    expect.stringContaining('the header X-Count: '),
    expect.stringContaining('the status: '),
  ]);
});

test('a credential in an answer that only the provider knows is not shown', async () => {
  const [session, refresh] = ['9f86d081884c7d65', 'q7Wd3XvA9pLz0RtY5mKb'].map((one) => one + one);
  const body = { content: { note: 'x', refresh: 'x' }, contentType: 'application/json' };
  const response = { headers: { 'X-Session': ['x'] }, body: { ...body, encoded: false } };
  const pact = pactOf(callWithToken('a call', ['a valid token'], response));
  const { pacts } = await verifying(pact, {
    provider: {
      authorised: () => ({
        status: 200,
        headers: { 'X-Session': session ?? '' },
        json: { note: `see ${session}`, refresh },
      }),
    },
  });
  expect(pacts[0]?.interactions[0]?.mismatches).toHaveLength(3);
  const mismatches = JSON.stringify(pacts[0]?.interactions[0]?.mismatches);
  expect([session, refresh].filter((one) => mismatches.includes(one ?? ''))).toEqual([]);
});

test('an interaction that Pact cannot read concerns itself alone, and fails nothing when it is pending', async () => {
  const matchingRules = { body: { 'm[': { matchers: [{ match: 'type' }] } } };
  const unread = interaction('unread', [], { response: { status: 401, matchingRules } });
  const pact = pactOf(callWithToken(), unread, callWithToken('another'));
  const why =
    'Pact cannot read it: Expected a "\'" (single qoute) or a digit in path expression "m[" after index 1';
  const run = await verifying(pact);
  expect([run.exit, run.unjudged, ...endings(run)]).toEqual([
    2,
    undefined,
    'a call: verified',
    `unread: unverified, ${why}`,
    'another: verified',
  ]);
  expect((await verifying([pending(pact), ownPact])).exit).toBe(0);
});

const needsTime = callWithToken('an old token', [aged(24)], { status: 401 });
const noClock = 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';

test('clauses that need a clock are unverified by name without one, and strict mode fails them', async () => {
  const pact = pactOf(needsTime, callWithToken());
  const lax = await verifying(pact, { aim: withoutClock });
  expect(endings(lax)).toEqual([`an old token: unverified, ${noClock}`, 'a call: verified']);
  expect(lax.exit).toBe(0);
  expect((await verifying(pact, { aim: withoutClock, strict: true })).exit).toBe(2);
  const waiting = await verifying(pending(pact), { aim: withoutClock, strict: true });
  expect(waiting.exit).toBe(0);
});

test('a run in which nothing that counts was verified is not a success', async () => {
  const run = await verifying(pactOf(needsTime), { aim: withoutClock });
  expect([run.exit, run.unjudged, ...endings(run)]).toEqual([
    2,
    undefined,
    `an old token: unverified, ${noClock}`,
  ]);
  const none = await verifying([]);
  expect([none.exit, none.unjudged]).toEqual([2, 'there is no pact to verify']);
});

test('a protected endpoint with an unconfigured method is unverified', async () => {
  const state = { name: 'a protected endpoint', params: { method: 'DELETE' } };
  const parts = { request: { method: 'DELETE' }, response: { status: 401 } };
  const run = await verifying(pactOf(interaction('a deletion', [state], parts)));
  const why =
    'no protected endpoint of the method DELETE is known: name one in PUBLIC_API_ENDPOINTS';
  expect([run.exit, ...endings(run)]).toEqual([2, `a deletion: unverified, ${why}`]);
});

test('credentials are sent as JSON strings, whatever characters they have', async () => {
  const secretKey = 'a "quoted" \\ <b>&é\u2028 $& ${x}';
  const account = { apiKey: new Secret('key'), secretKey: new Secret(secretKey) };
  const received: unknown[] = [];
  const valid: Behaviour['valid'] = (given) => {
    received.push(given);
    return given.apiKey === 'key' && given.secretKey === secretKey;
  };
  const pact = pactOf(interaction('a token', ['an account'], { request: forToken }));
  const aim = (target: Target) => ({ ...target, account });
  const { exit } = await verifying(pact, { aim, provider: { valid } });
  expect(exit).toBe(0);
  expect(received).toEqual([...received.slice(1), { apiKey: 'key', secretKey }]);
});
