import { expect, test } from '@playwright/test';
import { isEndpointAnswer, missingInputHint } from '../../contract/admission.ts';
import type { Answer } from '../../contract/http/answer.ts';
import type { Contract } from '../../contract/judge/contract.ts';
import { answer, contractGetting, refusal, widgets } from './answers.ts';

const control = answer(200, widgets);

/** The clause and text of each finding, and what the judge left unproven. */
async function found(
  given: Answer,
  judge: (contract: Contract) => Promise<unknown>,
): Promise<string[]> {
  const contract = contractGetting(given);
  await judge(contract);
  const { findings, unproven } = contract.record;
  return [
    // findings.spec.ts tests the sizes.
    ...findings.map(
      (finding) => `${finding.clause}: ${finding.received.replace(/,? \d+ bytes?/, '')}`,
    ),
    ...(unproven === undefined ? [] : [`unproven: ${unproven}`]),
  ];
}

const refused = (given: Answer, admitted: Answer = control): Promise<string[]> =>
  found(given, (contract) =>
    contract.refuses({}, 'BEARER-2', { control: admitted, reason: 'no token' }),
  );

const tooLong = 'it is too long for the provider';
const head = { line: 'HEAD /public-api/v1/widgets' };

/** Answers to a request that must be refused, and their findings when the control was answered by 200. */
const refusals: [what: string, given: Answer, ...found: string[]][] = [
  ['the 401 of the document', answer(401, refusal)],
  ['a 401 with a byte order mark', answer(401, `\ufeff${JSON.stringify(refusal)}`)],
  ['a HEAD that gets 401, which has no body', answer(401, '', head)],
  ['success', answer(200, widgets), 'BEARER-2: 200 application/json'],
  ['200 around the refusal', answer(200, refusal), 'ERROR-1: 200 application/json'],
  ['200 to HEAD', answer(200, '', head), 'BEARER-2: 200'],
  ['400', answer(400, refusal), 'ERROR-1: 400 application/json'],
  ['400 to 2048 characters', answer(400, '', { longestLine: 2048 }), 'ERROR-1: 400'],
  ['404 to more', answer(404, '', { longestLine: 2049 }), `unproven: ${tooLong} (404): no token`],
  ['431', answer(431), `unproven: ${tooLong} (431): no token`],
  ['a 401 without a body', answer(401), 'ERROR-2: 401: the body is empty, expected a JSON object'],
  [
    'a 401 that is a page',
    answer(401, '<html>', { type: 'text/html' }),
    'ERROR-2: 401 text/html: the body is not JSON, expected a JSON object',
  ],
  [
    'a 401 with another message',
    answer(401, { success: false, message: 'Unauthorized' }),
    'ERROR-3: 401 with the message "Unauthorized"',
  ],
  [
    'a 401 wrong in both',
    answer(401, { success: 0, message: '' }),
    'ERROR-2: 401 application/json: /success is a number, expected false',
    'ERROR-3: 401 with the message ""',
  ],
];

for (const [what, given, ...expected] of refusals)
  test(`${what} is judged as a refusal`, async () => {
    expect(await refused(given)).toEqual(expected);
  });

/** The result when the request gets the same status with and without a valid token, so a guard may not exist. */
const alike: [status: number, found: string][] = [
  [200, 'BEARER-2: 200'],
  [409, 'BEARER-2: 409'],
];
for (const status of [400, 422])
  alike.push([
    status,
    `unproven: with and without a valid token the endpoint answers ${status}${missingInputHint}`,
  ]);
for (const status of [302, 304, 403, 404, 405, 415, 500])
  alike.push([status, `unproven: with and without a valid token the endpoint answers ${status}`]);

for (const [status, expected] of alike)
  test(`the judge decides on ${status} with and without a valid token`, async () => {
    expect(await refused(answer(status), answer(status))).toEqual([expected]);
  });

test('a success is a success where the endpoint itself denies in its body', async () => {
  const denies = answer(200, { success: false, message: 'None left.' });
  expect(await refused(denies, denies)).toEqual(['BEARER-2: 200 application/json']);
  expect(await refused(answer(404, refusal), answer(404, {}))).toEqual([
    'ERROR-1: 404 application/json',
  ]);
});

test('a success is reported although its control is refused', async () => {
  const both = await refused(answer(200, widgets), answer(401, refusal));
  expect(both).toEqual(['BEARER-2: 200 application/json']);
});

test('a valid token that is refused breaks the clause, and proves nothing else', async () => {
  expect(await found(answer(401, refusal), (contract) => contract.admits({}, 'EXPIRY-1'))).toEqual([
    'EXPIRY-1: 401 application/json',
    'unproven: the same request with a valid token was refused',
  ]);
});

const token = { accessToken: 't' };

/** A token response with this data. */
const issued = (data: unknown): Answer => answer(200, { success: true, message: '', data });

type Issue = [what: string, given: Answer, ...found: string[]];

const issues: Issue[] = [
  ['the envelope', issued(token)],
  ['more fields', answer(200, { success: true, message: '', data: { ...token, ttl: 1 }, id: 1 })],
  ['no body', answer(200), 'TOKEN-1: 200: the body is empty, expected a JSON object'],
  [
    'success in words',
    answer(200, { success: 'true', message: '', data: token }),
    'TOKEN-1: 200 application/json: /success is a string, expected true',
  ],
  [
    'no data',
    answer(200, { success: true, message: '', accessToken: 'CANARY-7f3a9c51' }),
    'TOKEN-1: 200 application/json: /data is missing',
  ],
  [
    'an empty token',
    issued({ accessToken: '' }),
    'TOKEN-1: 200 application/json: /data/accessToken is an empty string, expected a string that is not empty',
  ],
  ...['a b', 't\0'].map(
    (accessToken): Issue => [
      `a token that no header carries: ${JSON.stringify(accessToken)}`,
      issued({ accessToken }),
      'TOKEN-1: 200 application/json: /data/accessToken holds white space or a control character',
    ],
  ),
];

for (const [what, given, ...expected] of issues)
  test(`${what} is judged as the answer of the token endpoint`, async () => {
    expect(await found(given, (contract) => contract.issues({}))).toEqual(expected);
  });

const usual = answer(200, widgets);
const typed = { ...head, type: 'application/json' };
const preflight = answer(204, '', { line: 'OPTIONS /public-api/v1/widgets' });

/** The answers to a bypass with a valid token and without one, and the endpoint's own where it is not `usual`. */
type Ways = readonly [what: string, control: Answer, around: Answer, authorised?: Answer][];

const breaches: Ways = [
  ['the same body', usual, answer(200, widgets)],
  ['another body of the same form', usual, answer(200, { ...widgets, data: [3] })],
  ['nothing, as the endpoint itself', answer(204), answer(204), answer(204)],
  ['HEAD as the endpoint would', answer(200, '', typed), answer(200, '', typed)],
];

const harmless: Ways = [
  ['a 401', usual, answer(401, refusal)],
  ['200 around a refusal', usual, answer(200, { ...refusal, data: null })],
  ['a body of another form', usual, answer(200, { hello: 'world' })],
  ['a way that leads nowhere with a token', answer(404), answer(200, widgets)],
  ['an endpoint that does not succeed straight', answer(404), answer(404), answer(404)],
  ['an empty answer to OPTIONS, which is a preflight', preflight, preflight, answer(204)],
];

const isOwn = (control: Answer, around: Answer, authorised = usual): boolean =>
  isEndpointAnswer(control, authorised) && isEndpointAnswer(around, control);

for (const [what, ...answers] of breaches)
  test(`${what} is recognised as the endpoint's own answer`, () => {
    expect(isOwn(...answers)).toBe(true);
  });

for (const [what, ...answers] of harmless)
  test(`${what} is not recognised as the endpoint's own answer`, () => {
    expect(isOwn(...answers)).toBe(false);
  });
