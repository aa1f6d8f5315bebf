import { expect, test } from '@playwright/test';
import type { Source } from '../../pacts/verification.ts';
import { faulty } from '../faults/index.ts';
import {
  aged,
  callWithToken,
  expired,
  forToken,
  fromState,
  interaction,
  type Json,
  jsonBody,
  pactOf,
  pending,
  sourceOf,
  textOf,
} from './pact-builder.ts';
import { type Options, testOutcomes, verifying, withoutClock } from './verifying.ts';

/* Pacts with their outcomes: of mistakes in a pact, of states, of fixed tokens, and the exit codes. */

const refused = { response: { status: 401 } };
/** A call with the token of a state, which is refused. */
const refusal = (...states: Parameters<typeof interaction>[1]): Json =>
  callWithToken('a refusal', states, { status: 401 });

const unreadable = { body: { 'm[': { matchers: [{ match: 'type' }] } } };
const unread = interaction('unread', [], { response: { matchingRules: unreadable } });
const anyStatus = { matchingRules: { status: { $: { matchers: [{ match: 'type' }] } } } };
const dummy = { request: { headers: { Authorization: ['Bearer abc123'] } } };
/** Its value is a part of the dummy by chance. */
const short = { name: 'an account', params: { id: '1' } };
const withDummy = interaction('a dummy token', [short], dummy);
const exactly = { matchingRules: { status: { $: { matchers: [{ match: 'equality' }] } } } };
const dummyFor200 = interaction('a dummy token, exactly 200', [], { ...dummy, response: exactly });
const dummies = { body: jsonBody({ apiKey: 'my-key', secretKey: 'my-secret' }), generators: {} };
const withDummies = interaction('dummies', [], { request: { ...forToken, ...dummies } });
const dummyRefused = interaction('a dummy token, refused', [], { ...dummy, ...refused });
const header = { Authorization: fromState('Bearer ${token}') };
const ofTeam = { request: { ...dummy.request, generators: { header } } };
const unknownCredentials = interaction('sent', ['credentials of nobody'], {
  request: forToken,
  response: { status: 400 },
});
const ofNobody = refusal('a token of nobody');
const ofMethod = interaction('x', [{ name: 'a protected endpoint', params: { method: 'DELETE' } }]);
const answered = 'failed, credentials of nobody were answered by 200 with a token';
const justMade =
  'failed, a token that was just made is refused by GET /public-api/v1/widgets (401)';
const noClock = 'unverified, no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';
const needless = 'failed, a valid token is refused there too (401), so a 401 proves nothing';

testOutcomes({
  'a correct provider is judged by each interaction alone': {
    endings: {
      failed: [callWithToken('a call', ['a valid token'], { status: 204 })],
      verified: [
        callWithToken(),
        ofNobody,
        ...[callWithToken('x', [aged('23')]), callWithToken('x', [aged(23.9999999)])],
        ...[refusal(aged(24.0000001)), refusal({ name: 'a token made 24 hours ago', params: {} })],
        ...[unknownCredentials, withDummy, dummyFor200, withDummies, dummyRefused],
      ],
    },
    exit: 1,
  },
  'what proves nothing is unverified or fails': {
    endings: {
      verified: [callWithToken()],
      'unverified, Pact cannot read it: Expected a "\'"…': [unread],
      'unverified, the state "a token of yesterday" is not one of "an account", "credentials of…': [
        callWithToken('an unknown state', ['a token of yesterday']),
      ],
      'unverified, no protected endpoint of the method DELETE is known: name one in PUBLIC_API_ENDPOINTS':
        [ofMethod],
      'unverified, the parameter hours…': ['', 'some', null].map((hours) =>
        callWithToken('x', [aged(hours)]),
      ),
      'unverified, any status of the answer is right: name one, or use the matcher statusCode': [
        callWithToken('any status', undefined, anyStatus),
      ],
      'failed, no state gave accessToken': [refusal()],
      'failed, no state gave apiKey': [interaction('credentials', [], { request: forToken })],
      'failed, the example was sent: no state gave accessToken': [
        interaction('a query', [], { request: { query: { t: ['<ACCESS_TOKEN>'] } } }),
      ],
      'failed, the path /test-clock is not below /public-api/v1/ (VERSION-1)': [
        interaction('a path', [], { request: { path: '/test-clock' } }),
      ],
    },
    exit: 1,
  },
  'a provider that refuses everything fails the states': {
    endings: {
      [justMade]: [refusal('a valid token'), refusal(aged(24))],
      failed: [withDummy],
      [needless]: [dummyRefused],
    },
    provider: faulty('refuses-everything'),
    exit: 1,
  },
  'a provider that gives a token to everybody fails unknown credentials, sent or not': {
    endings: {
      [answered]: [interaction('not sent', ['credentials of nobody'], refused), unknownCredentials],
    },
    provider: { valid: () => true },
    exit: 1,
  },
  'dummies are sent as they stand on request': {
    endings: { failed: [withDummy, withDummies] },
    replacesTokens: false,
    exit: 1,
  },
  'a token of the state handler is never replaced': {
    endings: { failed: [interaction('of the team', ['a user'], ofTeam)] },
    handler: () => ({ body: { token: 'a-token-of-the-team' } }),
    exit: 1,
  },
  'without a clock tokens of some hours are unverified': {
    endings: { [noClock]: [expired], verified: [callWithToken()] },
    aim: withoutClock,
    exit: 0,
  },
});

const timed = pactOf(expired, callWithToken());
const plain = pactOf(callWithToken());
const withUnread = pactOf(callWithToken(), unread);
const waiting = { ...interaction('a call', [], refused), pending: true };
const broken = pactOf(waiting, interaction('a call', [], refused));
const beforePending = sourceOf(textOf([waiting]).replace('"4.0"', '"3.0.0"'));
const open: Options = { provider: { guard: () => undefined } };
const clockless: Options = { aim: withoutClock };
const strict: Options = { ...clockless, strict: true };

for (const [name, exit, options, ...pacts] of [
  ['without a verified interaction it is 2', 2, clockless, pactOf(expired)],
  ['without a pact it is 2', 2, {}],
  ['in strict mode unverified interactions lead to 2', 2, strict, timed],
  ['in strict mode those of a pending pact do not', 0, strict, pending(timed), plain],
  ['an interaction that Pact cannot read leads to 2', 2, {}, withUnread],
  ['one of a pending pact does not', 0, {}, pending(withUnread), plain],
  ['a failed interaction of a pending pact does not lead to 1', 0, open, pending(broken)],
  ['a failed interaction that is pending does not lead to 1', 0, open, pactOf(waiting)],
  ['an interaction before version 4 cannot be pending', 1, open, beforePending],
] satisfies [string, number, Options, ...Source[]][])
  test(`exit code: ${name}`, async () => {
    expect(await verifying(pacts, options)).toMatchObject({ exit });
  });
