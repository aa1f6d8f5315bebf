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
  ofClass,
  pactOf,
  pending,
  sourceOf,
  textOf,
  withToken,
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
const exampleQuery = { query: { t: ['<ACCESS_TOKEN>'] } };
const exactly = { matchingRules: { status: { $: { matchers: [{ match: 'equality' }] } } } };
const inLowerCase = { headers: { Authorization: ['bearer abc123'] } };
const dummyFor200 = interaction('exactly 200', [], { request: inLowerCase, response: exactly });
const dummies = { body: jsonBody({ apiKey: 'my-key', secretKey: 'my-secret' }), generators: {} };
const withDummies = interaction('dummies', [], { request: { ...forToken, ...dummies } });
const dummyRefused = interaction('a dummy token, refused', [], { ...dummy, ...refused });
const header = { Authorization: fromState('Bearer ${token}') };
const ofTeam = { request: { ...dummy.request, generators: { header } } };
const unknown = (response: object, request: object = {}): Json =>
  interaction('sent', ['credentials of nobody'], {
    request: { ...forToken, ...request },
    response,
  });
const unknownCredentials = unknown({ status: 400 });
const ofNobody = refusal('a token of nobody');
const ofMethod = (method: string) => ({ name: 'a protected endpoint', params: { method } });
const answered = 'failed, credentials of nobody were answered by 200 with a token';
const justMade =
  'failed, a token that was just made is refused by GET /public-api/v1/widgets (401)';
const kept = 'and PACT_DUMMY_TOKENS is set to keep it';
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
        interaction('by name', ['a valid token'], { request: { ...withToken, ...exampleQuery } }),
        interaction('x', ['a valid token', ofMethod('get')], { request: withToken }),
      ],
    },
  },
  'what proves nothing is unverified or fails': {
    endings: {
      verified: [callWithToken()],
      'unverified, Pact cannot read it: Expected a "\'"…': [unread],
      'unverified, the state "constructor" is not one of "an account", "credentials of nobody", "…':
        [callWithToken('an unknown state', ['constructor'])],
      'unverified, no protected endpoint of the method DELETE is known: name one in PUBLIC_API_ENDPOINTS':
        [interaction('x', [ofMethod('DELETE')])],
      'unverified, the parameter hours…': ['', 'some', null, 8785].map((hours) =>
        callWithToken('x', [aged(hours)]),
      ),
      'unverified, any status of the answer is right: name one, or use the matcher statusCode': [
        callWithToken('any status', undefined, anyStatus),
      ],
      'failed, no state gave accessToken': [refusal()],
      'failed, no state gave apiKey': [interaction('credentials', [], { request: forToken })],
      'failed, the example was sent: no state gave accessToken': [
        exampleQuery,
        { headers: { Authorization: ['Bearer <ACCESS_TOKEN>'] } },
        { headers: { 'X-Token': ['<ACCESS_TOKEN>'] } },
        { method: 'POST', body: jsonBody('<ACCESS_TOKEN>') },
      ].map((request) => interaction('an example', [], { request })),
      'failed, the path /test-clock is not below /public-api/v1/ (VERSION-1)': [
        interaction('a path', [], { request: { path: '/test-clock' } }),
      ],
    },
  },
  'a provider that refuses everything fails the states': {
    endings: {
      [justMade]: [refusal('a valid token'), refusal(aged(24))],
      'failed, the provider refuses a valid token too': [withDummy],
      [needless]: [dummyRefused],
    },
    provider: faulty('refuses-everything'),
  },
  'a provider that gives a token to everybody fails unknown credentials, sent or not': {
    endings: {
      [answered]: [interaction('not sent', ['credentials of nobody'], refused), unknownCredentials],
    },
    provider: { valid: () => true },
  },
  'dummies are sent as they stand on request': {
    endings: {
      [`failed, no state gives the token "abc123", ${kept}`]: [withDummy],
      [`failed, no state gives the credentials "my-key", ${kept}`]: [withDummies],
    },
    replacesTokens: false,
  },
  'unknown credentials may be refused by 401, which needs no control, and get what is no token': {
    endings: {
      verified: [unknown({ status: 401 }), unknown(ofClass('clientError'), dummies)],
    },
    provider: { denied: () => ({ status: 401 }) },
  },
  'a provider that issues no token fails the states': {
    endings: {
      'failed, no state can be made: the answer to valid credentials was 200 without a usable token':
        [callWithToken()],
    },
    provider: { granted: () => ({ status: 200, json: {} }) },
  },
  'a token of the state handler is never replaced': {
    endings: {
      'failed, the provider refuses what the states gave': [interaction('x', ['a user'], ofTeam)],
    },
    handler: () => ({ body: { token: 'a-token-of-the-team' } }),
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
