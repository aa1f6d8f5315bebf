import { expect, test } from '@playwright/test';
import { copyOf } from '../../pacts/verify/copy.ts';
import type { Core } from '../../pacts/verify/core.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { fromState } from './made-up.ts';
import { teamHandler } from './team-handler.ts';
import {
  callWithToken,
  endings,
  endingsOf,
  forToken,
  interaction,
  ownPact,
  pactOf,
  sharedCore,
  sourceOf,
  textOf,
  verifying,
} from './verifying.ts';

/*
 * Ways in which Pact is green although nothing was verified. Each one fails here or is impossible. The tests of missing
 * pacts, filters and brokers in the environment are in verify-process.spec.ts, that of proxies in verify-core.spec.ts.
 */

const refused = { response: { status: 401 } };
const refusal = pactOf(callWithToken('an expired token', ['a valid token'], { status: 401 }));

test('a state that throws is a defect, and the example token is not sent instead', async () => {
  const run = await verifying(refusal, {
    isDefective: true,
    onVisit: () => {
      throw new Error('this state is broken');
    },
  });
  expect(run.exit).toBe(3);
  expect(run.defect).toContain('this state is broken');
  expect(endings(run)).toEqual([
    'an expired token: unverified, a defect of this suite ended the run before it',
  ]);
});

test('an unknown state leaves its interaction unverified, without a request', async () => {
  const unknown = pactOf(callWithToken('a call', ['a token of yesterday'], { status: 401 }));
  const run = await verifying(unknown);
  expect(run.exit).toBe(2);
  expect(endings(run)).toEqual([
    'a call: unverified, the state "a token of yesterday" is not one of "an account", "credentials of nobody", "a protected endpoint", "a valid token", "a token of nobody", "a token made some hours ago": set PACT_STATES_URL to the state handler of the provider',
  ]);
  expect(run.pacts[0]?.interactions[0]?.asked).toBeUndefined();
});

test('an example that was sent because no state gave the value fails its interaction', async () => {
  const pact = pactOf(
    callWithToken('no state', [], { status: 401 }),
    interaction('credentials', [], { request: forToken, response: { status: 400 } }),
    interaction('a query', [], { request: { query: { t: ['<ACCESS_TOKEN>'] } }, ...refused }),
  );
  expect(await endingsOf(pact)).toEqual([
    'no state: failed, no state gave accessToken',
    'credentials: failed, no state gave apiKey',
    'a query: failed, the example was sent: no state gave accessToken',
  ]);
});

test('an interaction that declares itself pending fails nothing, but hides no other failure', async () => {
  const pending = { ...interaction('a call', [], refused), pending: true };
  const provider = { guard: () => undefined };
  const alone = await verifying(pactOf(pending), { provider });
  expect([alone.exit, ...endings(alone)]).toEqual([0, 'a call: failed']);
  const beside = pactOf(pending, interaction('another', [], refused));
  expect((await verifying(beside, { provider })).exit).toBe(1);
  // The field `pending` does not exist before version 4.
  const older = sourceOf(textOf(pending).replace('"4.0"', '"3.0.0"'));
  expect((await verifying(older, { provider })).exit).toBe(1);
});

/** A path at which this provider refuses every request, although its endpoints are correct. */
const shut = '/public-api/v1/shut';
const shutting: Partial<Behaviour> = {
  route: (call, state) =>
    call.path === shut
      ? { method: 'GET', path: shut, reply: { status: 401 } }
      : right.route(call, state),
};
const clientError = { $: { matchers: [{ match: 'statusCode', status: 'clientError' }] } };

for (const [what, parts] of [
  [
    'one of several statuses',
    { request: { path: shut }, response: { status: 403, matchingRules: { status: clientError } } },
  ],
  [
    "the answer at a state handler's path",
    {
      request: { path: '/public-api/v1/auth/token', generators: { path: fromState('${path}') } },
      ...refused,
    },
  ],
] as const)
  test(`a 401 that is ${what} needs a control too`, async () => {
    await using handler = await teamHandler(() => ({ body: { path: shut } }));
    const pact = pactOf(interaction('a call', ['it is forbidden'], parts));
    expect(await endingsOf(pact, { statesUrl: handler.url, provider: shutting })).toEqual([
      'a call: failed, a valid token is refused there too (401), so a 401 proves nothing',
    ]);
  });

test('two interactions with one description and one state are both verified', async () => {
  const pact = pactOf(callWithToken('a call', ['a valid token'], { status: 204 }), callWithToken());
  expect(await endingsOf(pact)).toEqual(['a call: failed', 'a call: verified']);
});

/** A core that verifies, but whose results the test replaces with false ones. */
const lying = (lie: (results: string) => string): Core => ({
  close: () => {},
  verify: async (...job) => lie(await sharedCore().verify(...job)),
});

for (const [what, lie, defect] of [
  ['all is well, and nothing of any interaction', () => '{"result":true}', 'gave no results'],
  ['nothing', () => '', 'gave no results'],
  ['nothing of one', (output) => change(output, (all) => all.slice(1)), 'gave 0 results'],
  ['one twice', (output) => change(output, (all) => [...all, all[0]]), 'gave 2 results'],
  [
    'neither good nor bad',
    (output) => change(output, (all) => all.map((one) => ({ ...one, result: 'Skipped' }))),
    'gave no verdict',
  ],
  [
    'good, with a difference',
    (output) =>
      change(output, (all) => all.map((one) => ({ ...one, mismatch: { mismatches: [{}] } }))),
    'gave no verdict',
  ],
] as const satisfies [string, (output: string) => string, string][])
  test(`a core that reports ${what} is a defect, and never a pass`, async () => {
    const run = await verifying(ownPact, { isDefective: true, core: lying(lie) });
    expect(run.exit).toBe(3);
    expect(run.defect).toContain(`Pact's core ${defect}`);
  });

function change(output: string, by: (all: { result: string }[]) => unknown[]): string {
  const results = JSON.parse(output);
  return JSON.stringify({ ...results, interactionResults: by(results.interactionResults) });
}

test('a core that passes an interaction without a request is a defect, and so is one with two requests', async () => {
  const idle: Core = {
    close: () => {},
    verify: async (copy) => JSON.stringify({ interactionResults: goodOf(copy) }),
  };
  const run = await verifying(ownPact, { isDefective: true, core: idle });
  expect(run.exit).toBe(3);
  expect(run.defect).toContain('one interaction was set up 0 times and asked 0 times');
  const eager: Core = {
    close: () => {},
    verify: async (...job) => {
      await sharedCore().verify(...job);
      return sharedCore().verify(...job);
    },
  };
  const twice = await verifying(ownPact, { isDefective: true, core: eager });
  expect(twice.exit).toBe(3);
  expect(twice.defect).toContain('one interaction was set up 2 times and asked 2 times');
});

/** The results of a copy if all its interactions passed. */
function goodOf(copy: string): object[] {
  const marks = copy.matchAll(/"providerStates":\[\{"name":"([^"]*)"/g);
  return Array.from(marks, ([, mark]) => ({ providerStates: [mark], result: 'OK' }));
}

test('only requests and expectations of a pact reach the core', () => {
  const parts = {
    ...interaction('a call', ['a valid token'], {
      request: { headers: { 'X-Pact-Interaction': ['another'] } },
    }),
    key: 'its own',
    pending: true,
    transport: 'grpc',
    pluginConfiguration: { protobuf: {} },
    comments: { text: ['a comment'] },
  };
  const { pact } = pactOf(parts);
  const marks = new Map(pact.interactions.map((only) => [only, 'a-mark']));
  const copy = JSON.parse(copyOf(pact, marks));
  expect(copy).toEqual({
    consumer: { name: 'a-consumer' },
    provider: { name: 'public-api' },
    interactions: [
      {
        type: 'Synchronous/HTTP',
        description: 'a call',
        providerStates: [{ name: 'a-mark' }],
        request: {
          method: 'GET',
          path: '/public-api/v1/widgets',
          headers: { 'x-pact-interaction': ['a-mark'] },
        },
        response: { status: 200 },
      },
    ],
    metadata: { pactSpecification: { version: '4.0.0' } },
  });
});
