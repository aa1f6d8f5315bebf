import { answerTo } from '../contract/attempts/search.ts';
import { type Answer, header } from '../contract/http/answer.ts';
import { bearer, orNothing, under } from '../contract/http/client.ts';
import { type Body, endpointName, tokenEndpoint, tokenPath } from '../contract/http/request.ts';
import { onceADay, type Probe } from '../contract/probe.ts';
import { inBody } from '../contract/schema.ts';

/** The contract shows neither status nor body of the answer to wrong or incomplete credentials. */
export const openFactsOfRefusedCredentials: Probe = {
  name: 'open-facts-of-refused-credentials',
  clauses: ['OPEN-2'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { apiKey } = world.account;
    const facts: readonly (readonly [fact: string, body: Body])[] = [
      ['malformed JSON', { type: 'application/json', text: '{' }],
      ['wrong credentials', { json: { apiKey, secretKey: 'not-the-secret-key' } }],
      ['incomplete credentials', { json: { apiKey } }],
    ];
    // After the right credentials a few wrong ones lock no account.
    await world.service.issue(world.account);
    const { left = facts.length } = world.guesses ?? {};
    for (const [fact, body] of facts.slice(0, left < 2 ? 1 : facts.length))
      world.contract.observe(
        'OPEN-2',
        `answer to ${fact}`,
        summary(await answerTo(world, { body }, tokenEndpoint)),
      );
  },
};

const summary = (answer: Answer | undefined): string =>
  answer === undefined
    ? 'no answer'
    : `${answer.status} ${header(answer, 'content-type')?.split(';')[0] ?? ''}`.trim();

/** The contract leaves the endpoints' answers open; this probe records the facts around them. */
export const openFactsOfTheEndpoints: Probe = {
  name: 'open-facts-of-the-endpoints',
  clauses: ['OPEN-3', 'OPEN-5', 'OPEN-6', 'OPEN-7', 'OPEN-8', 'OPEN-9', 'OPEN-10'],
  ...onceADay,
  async run({ service, account, endpoint, contract }) {
    const token = await service.issue(account);
    const admitted = await service.call(endpoint, bearer(token));
    const refused = await service.call(endpoint);
    const get = await service.call({ method: 'GET', path: tokenPath });
    for (const [id, fact, value] of [
      ['OPEN-7', `${endpointName(endpoint)} with a valid token`, `${admitted.status}`],
      ['OPEN-8', 'rate limit headers', named(admitted, /^(x-)?rate-?limit|^retry-after$/i)],
      ['OPEN-9', 'GET on the token endpoint', `${get.status}`],
      ['OPEN-10', 'headers on version and end', named(admitted, ofVersions)],
      // If a request without a token is admitted, or refused with another status, other probes judge that.
      ...(refused.status === 401 ? factsOfRefusal(refused) : []),
    ] as const)
      contract.observe(id, fact, value);
    // Such an endpoint does not show whether a header was accepted.
    if (admitted.status === refused.status) return;
    for (const [fact, scheme] of contract.selectPart(spellings)) {
      const answer = await orNothing(service.call(endpoint, under(scheme, token)));
      // If the provider is down, this call throws: then nothing is known of the header.
      if (answer === undefined) await service.call(endpoint, bearer(token));
      contract.observe('OPEN-6', fact, describeResult(answer, admitted));
    }
  },
};

/** Other spellings of the scheme. RFC 9110 11.1 compares them without regard to case. */
const spellings = [
  ['bearer in small letters', 'bearer'],
  ['BEARER in capitals', 'BEARER'],
  ['two blanks after the scheme', 'Bearer '],
] as const;

/** @param admitted the answer to a valid token, which may be an error of the endpoint's own */
function describeResult(answer: Answer | undefined, admitted: Answer): string {
  if (answer === undefined) return 'no answer';
  if (answer.status === 401) return 'refused';
  const isAdmitted = answer.status === admitted.status || answer.status < 400;
  return isAdmitted ? 'admitted' : String(answer.status);
}

const ofVersions = /^(api-version|x-api-version|deprecation|sunset)$/i;

function factsOfRefusal(refused: Answer) {
  const { success, message, ...further } = Object(inBody(refused));
  const fields = Object.keys(further).sort().join(', ');
  const challenge = header(refused, 'www-authenticate');
  return [
    ['OPEN-3', 'further fields of a 401', fields || 'none'],
    ['OPEN-5', 'content type of a 401', header(refused, 'content-type') ?? 'none'],
    ['OPEN-5', 'WWW-Authenticate of a 401', challenge ?? 'none'],
  ] as const;
}

const named = ({ headers }: Answer, pattern: RegExp): string => {
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => pattern.test(name));
  return [...new Set(names)].sort().join(', ') || 'none';
};
