import { expect, test } from '@playwright/test';
import { isEndpointAnswer, isWebPage, missingInputHint } from '../../contract/admission.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { bearer } from '../../contract/http/client.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import type { Contract } from '../../contract/judge/contract.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { widgets as endpoint, serviceAnswering } from '../client/simulated-service.ts';
import { always, answer, contractGetting, contractOver, refusal, widgets } from './answers.ts';

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
  ['another protocol', answer(101), 'BEARER-2: 101'],
  ['200 to HEAD', answer(200, '', head), 'BEARER-2: 200'],
  ['400', answer(400, refusal), 'ERROR-1: 400 application/json'],
  ['400 to 2048 characters', answer(400, '', { longestLine: 2048 }), 'ERROR-1: 400'],
  ['404 to more', answer(404, '', { longestLine: 2049 }), `unproven: ${tooLong} (404): no token`],
  ['413 to more', answer(413, '', { longestLine: 2049 }), `unproven: ${tooLong} (413): no token`],
  ['414', answer(414), `unproven: ${tooLong} (414): no token`],
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
    'a 401 whose message ends with a line',
    answer(401, { ...refusal, message: `${refusal.message}\n` }),
    'ERROR-3: 401 with the message "Invalid or expired access token.\\n"',
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
  ...[400, 422, 302, 304, 403, 404, 405, 415, 500].map((status): [number, string] => {
    const hint = status === 400 || status === 422 ? missingInputHint : '';
    return [
      status,
      `unproven: with and without a valid token the endpoint answers ${status}${hint}`,
    ];
  }),
];

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

test('an answer to no more characters than the control had is judged', async () => {
  const long = answer(200, widgets, { longestLine: 3000 });
  expect(await refused(answer(404, '', { longestLine: 3000 }), long)).toEqual(['ERROR-1: 404']);
});

test('a success is reported although its control is refused', async () => {
  const both = await refused(answer(200, widgets), answer(401, refusal));
  expect(both).toEqual(['BEARER-2: 200 application/json']);
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
  ['a list of things where it had none', answer(200, { ...widgets, data: [] }), usual],
  ['nothing, as the endpoint itself', answer(204), answer(204), answer(204)],
  ['HEAD as the endpoint would', answer(200, '', typed), answer(200, '', typed)],
];

const harmless: Ways = [
  ['a 401', usual, answer(401, refusal)],
  ['200 around a refusal', usual, answer(200, { ...refusal, data: null })],
  ['a body of another form', usual, answer(200, { hello: 'world' })],
  ['a way that leads nowhere with a token', answer(404), answer(200, widgets)],
  ['an endpoint that does not succeed straight', answer(404), answer(404), answer(404)],
  ['HEAD without a type', answer(200, '', head), answer(200, '', head), answer(200, '', head)],
  ['no data', answer(200, { data: {} }), answer(200, { data: null }), answer(200, { data: {} })],
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

test('a page is no JSON, whatever its type, and not empty', () => {
  const type = 'text/html';
  const answers = [answer(200, '<p>', { type }), answer(200, widgets, { type }), answer(200)];
  expect(answers.map(isWebPage)).toEqual([true, false, false]);
});

const right = answer(401, refusal);
const page = answer(401, '<html>', { type: 'text/html' });
const german = answer(401, { success: false, message: 'Nicht erlaubt.' });
const contrast = { control, reason: 'no token was sent' };

const clausesOf = ({ record }: Contract): string[] => record.findings.map(({ clause }) => clause);

test('the first refusal of a valid token explains those that violate other clauses, and the first reason counts', async () => {
  const contract = contractGetting(right);
  for (const clause of ['EXPIRY-1', 'BEARER-1', 'EXPIRY-1'] as const)
    await contract.admits({}, clause);
  expect(clausesOf(contract)).toEqual(['EXPIRY-1', 'EXPIRY-1']);
  contract.unproven('another reason');
  expect(contract.record.unproven).toBe('the same request with a valid token was refused');
});

test("a valid token's refusal in other words may be an accident, and the contract's own is none", async () => {
  const found = async (...refused: Answer[]): Promise<string[]> => {
    const service = serviceAnswering(async () => refused.pop() ?? control);
    const contract = contractOver(service, endpoint);
    await contract.admits({}, 'BEARER-1');
    return clausesOf(contract);
  };
  expect(await found(right)).toEqual(['BEARER-1']);
  expect(await found(page)).toEqual([]);
});

test('each answer is confirmed by itself, and the provider is checked for a status that no valid token got', async () => {
  const checked: unknown[] = [];
  const checkAlive = async (status?: number): Promise<void> => void checked.push(status);
  const contract = contractGetting(right, { checkAlive });
  const judge = (given: Answer, valid = control, resend = async () => right) =>
    contract.judgeRefusal({ answer: given, resend }, 'BEARER-2', { ...contrast, control: valid });
  const login = answer(200, '<html>', { type: 'text/html; charset=utf-8' });
  await judge(login, login);
  for (const accident of [page, german, answer(500), answer(200, { success: true })])
    await judge(accident);
  expect(clausesOf(contract)).toEqual([]);
  for (const repeated of [answer(401), answer(403), answer(409)])
    await judge(repeated, repeated.status === 409 ? repeated : control, async () => repeated);
  for (const accident of [german, answer(500)]) await judge(accident);
  expect(clausesOf(contract)).toEqual(['ERROR-2', 'ERROR-1', 'BEARER-2']);
  expect(checked).toEqual([undefined, 403, undefined]);
});

test('an endpoint that looks at its input first is judged if it refuses a request without a token', async () => {
  const contract = contractGetting(right);
  const input = answer(422);
  await contract.judgeRefusal(always(input), 'BEARER-3', { ...contrast, control: input });
  expect(clausesOf(contract)).toEqual(['BEARER-3']);
});

test('a request that alone gets no answer violates ERROR-1, and proves nothing else', async () => {
  const token = { secret: new Secret('t'), madeAt: 0 };
  const lost = new UnreachableError('reset', 'GET /public-api/v1/widgets');
  const service = serviceAnswering(async () => control);
  service.call = async (_endpoint, options) => (options?.token ? control : Promise.reject(lost));
  const contract = contractOver(service, endpoint);
  const admitted = await contract.admits(bearer(token), 'BEARER-1');
  const valid = { ...admitted, request: { ...admitted.request, token } };
  const refusing = contract.refuses({}, 'BEARER-2', { ...contrast, control: valid });
  await expect(refusing).rejects.toBe(lost);
  expect(clausesOf(contract)).toEqual(['ERROR-1']);
  expect(await contract.missing()).toBeUndefined();
  expect(contract.record.unproven).toBe('a request without a token gets no answer');
});

for (const [from, most, cost, ...sent] of [
  [0, 2, 1, 'ab', '', 2],
  [2, 2, 1, 'c', 'd', 4],
  [4, 2, 1, '', 'e', undefined],
  [3, 2, 3, 'b', '', 6],
] as const)
  test(`of two lists, a part of ${most} requests from ${from} has ${sent.slice(0, 2).join('')}`, () => {
    const contract = contractGetting(right, { part: { from, most } });
    const lists = ['abc', 'de'].map((rows) => contract.selectPart([...rows], () => cost).join(''));
    expect([...lists, contract.record.nextRow]).toEqual(sent);
  });
