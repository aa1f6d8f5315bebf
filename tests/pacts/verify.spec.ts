import { expect, test } from '@playwright/test';
import type { Source } from '../../pacts/verify/verification.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import {
  aged,
  callWithToken,
  expired,
  forToken,
  fromState,
  interaction,
  type Json,
  pactOf,
  pending,
  sourceOf,
  textOf,
} from './pact-builder.ts';
import { type Options, testOutcomes, verifying, withoutClock } from './verifying.ts';

/* Pacts with their outcomes: of mistakes in a pact, of states, of fixed tokens, and the exit codes. */

const refused = { response: { status: 401 } };
/** A call with the token of a state, which is refused. */
const refusal = (description: string, ...states: Parameters<typeof interaction>[1]): Json =>
  callWithToken(description, states, { status: 401 });

const unreadable = { body: { 'm[': { matchers: [{ match: 'type' }] } } };
const unread = interaction('unread', [], { response: { matchingRules: unreadable } });
const anyStatus = { matchingRules: { status: { $: { matchers: [{ match: 'type' }] } } } };
const madeUp = { request: { headers: { Authorization: ['Bearer abc123'] } } };
const header = { Authorization: fromState('Bearer ${token}') };
const ofTeam = { request: { ...madeUp.request, generators: { header } } };
const unknownCredentials = interaction('sent', ['credentials of nobody'], {
  request: forToken,
  response: { status: 400 },
});
let unknownRequests = 0;
const answered = 'failed, credentials of nobody were answered by 200 with a token';
const justMade =
  'failed, a token that was just made is refused by GET /public-api/v1/widgets (401)';
const noClock = 'unverified, no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';

testOutcomes({
  'a correct provider is judged by each interaction alone': {
    rows: [
      [callWithToken(), 'verified'],
      [callWithToken('a call', ['a valid token'], { status: 204 }), 'failed'],
      [refusal('a token of nobody', 'a token of nobody'), 'verified'],
      [callWithToken('just before the end', [aged('23')]), 'verified'],
      [callWithToken('a second before the end', [aged(23.99972)]), 'verified'],
      [refusal('just after the end', aged(24.0000001)), 'verified'],
      [unknownCredentials, 'verified'],
      [interaction('a dummy token', [], madeUp), 'verified'],
      [interaction('a dummy token, refused', [], { ...madeUp, ...refused }), 'verified'],
    ],
    exit: 1,
  },
  'what proves nothing is unverified or fails': {
    rows: [
      [callWithToken(), 'verified'],
      [unread, 'unverified, Pact cannot read it: Expected a "\'"…'],
      [
        callWithToken('an unknown state', ['a token of yesterday']),
        'unverified, the state "a token of yesterday" is not one of "an account", "credentials of…',
      ],
      [
        interaction('a method', [{ name: 'a protected endpoint', params: { method: 'DELETE' } }]),
        'unverified, no protected endpoint of the method DELETE is known: name one in PUBLIC_API_ENDPOINTS',
      ],
      ...['', 'some', null].map(
        (hours) => [callWithToken('x', [aged(hours)]), 'unverified, the parameter hours…'] as const,
      ),
      [
        callWithToken('any status', undefined, anyStatus),
        'unverified, any status of the answer is right: name one, or use the matcher statusCode',
      ],
      [refusal('no state'), 'failed, no state gave accessToken'],
      [interaction('credentials', [], { request: forToken }), 'failed, no state gave apiKey'],
      [
        interaction('a query', [], { request: { query: { t: ['<ACCESS_TOKEN>'] } } }),
        'failed, the example was sent: no state gave accessToken',
      ],
      [
        interaction('a path', [], { request: { path: '/test-clock' } }),
        'failed, the path /test-clock is not below /public-api/v1/ (VERSION-1)',
      ],
    ],
    exit: 1,
  },
  'a provider that refuses everything fails the states': {
    rows: [
      [refusal('a new token', 'a valid token'), justMade],
      [refusal('an old token', aged(24)), justMade],
      [interaction('a dummy token', [], madeUp), 'failed'],
      [
        interaction('a dummy token, refused', [], { ...madeUp, ...refused }),
        'failed, a valid token is refused there too (401), so a 401 proves nothing',
      ],
    ],
    provider: faulty('refuses-everything'),
    exit: 1,
  },
  'a provider that gives a token to everybody fails unknown credentials, sent or not': {
    rows: [
      [interaction('not sent', ['credentials of nobody'], refused), answered],
      [unknownCredentials, answered],
    ],
    provider: { valid: () => true },
    exit: 1,
  },
  'a provider that gives a token to unknown credentials at their second request fails them': {
    rows: [[unknownCredentials, answered]],
    provider: { valid: (...of) => right.valid(...of) || ++unknownRequests === 2 },
    exit: 1,
  },
  'a provider that knows a token by its form fails a token of nobody': {
    rows: [[refusal('a token of nobody', 'a token of nobody'), 'failed']],
    provider: faulty('token-by-its-form'),
    exit: 1,
  },
  'a dummy token is sent as it stands on request': {
    rows: [[interaction('a dummy token', [], madeUp), 'failed']],
    replacesTokens: false,
    exit: 1,
  },
  'a token of the state handler is never replaced': {
    rows: [[interaction('of the team', ['a user'], ofTeam), 'failed']],
    handler: () => ({ body: { token: 'a-token-of-the-team' } }),
    exit: 1,
  },
  'without a clock tokens of some hours are unverified': {
    rows: [
      [expired, noClock],
      [callWithToken(), 'verified'],
    ],
    aim: withoutClock,
    exit: 0,
  },
});

const timed = pactOf(expired, callWithToken());
const plain = pactOf(callWithToken());
const withUnread = pactOf(callWithToken(), unread);
const waiting = { ...interaction('a call', [], refused), pending: true };
const open: Options = { provider: { guard: () => undefined } };
const clockless: Options = { aim: withoutClock };
const strict: Options = { ...clockless, strict: true };

for (const [name, pacts, options, exit] of [
  ['without a verified interaction it is 2', [pactOf(expired)], clockless, 2],
  ['without a pact it is 2', [], {}, 2],
  ['in strict mode unverified interactions lead to 2', [timed], strict, 2],
  ['in strict mode those of a pending pact do not', [pending(timed), plain], strict, 0],
  ['an interaction that Pact cannot read leads to 2', [withUnread], {}, 2],
  ['one of a pending pact does not', [pending(withUnread), plain], {}, 0],
  [
    'a failed interaction of a pending pact does not lead to 1',
    [pending(pactOf(waiting))],
    open,
    0,
  ],
  ['a failed interaction that is pending does not lead to 1', [pactOf(waiting)], open, 0],
  ['another one does', [pactOf(waiting, interaction('a call', [], refused))], open, 1],
  [
    'an interaction before version 4 cannot be pending',
    [sourceOf(textOf([waiting]).replace('"4.0"', '"3.0.0"'))],
    open,
    1,
  ],
] satisfies [string, Source[], Options, number][])
  test(`exit code: ${name}`, async () => {
    expect(await verifying(pacts, options)).toMatchObject({ exit });
  });
