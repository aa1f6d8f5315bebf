import { answerTo } from '../contract/attempts/grants.ts';
import type { OpenId } from '../contract/clauses.ts';
import { type Answer, header } from '../contract/http/answer.ts';
import { bearer, under } from '../contract/http/client.ts';
import { type Body, type CallOptions, endpointName, tokenPath } from '../contract/http/request.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import { onceADay, type Probe } from '../contract/probe.ts';
import { inBody } from '../contract/schema.ts';
import { type Secret, seal, type Token } from '../contract/secrets/secret.ts';

/** The contract shows neither status nor body of the answer to wrong or incomplete credentials. */
export const openFactsOfRefusedCredentials: Probe = {
  name: 'open-facts-of-refused-credentials',
  clauses: ['OPEN-2', 'OPEN-3', 'OPEN-9'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { apiKey, secretKey } = world.account;
    const encoded = (half: Secret) => half.derive(encodeURIComponent);
    const form = seal`apiKey=${encoded(apiKey)}&secretKey=${encoded(secretKey)}`;
    const asForm = { type: 'application/x-www-form-urlencoded', text: form };
    const facts: readonly (readonly [id: OpenId, fact: string, body: Body])[] = [
      ['OPEN-2', 'wrong credentials', { json: { apiKey, secretKey: 'not-the-secret-key' } }],
      ['OPEN-2', 'incomplete credentials', { json: { apiKey } }],
      ['OPEN-2', 'malformed JSON', { type: 'application/json', text: '{' }],
      ['OPEN-3', 'names in small letters', { json: { apikey: apiKey, secretkey: secretKey } }],
      ['OPEN-3', 'names in capital letters', { json: { APIKEY: apiKey, SECRETKEY: secretKey } }],
      ['OPEN-9', 'form-encoded credentials', asForm],
    ];
    // After the right credentials a few wrong ones lock no account.
    await world.service.issue(world.account);
    const { left = facts.length } = world.guesses ?? {};
    for (const [id, fact, body] of facts.slice(left < 2 ? 2 : 0))
      world.contract.observe(id, `answer to ${fact}`, summary(await answerTo(world, { body })));
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
    for (const [fact, options] of contract.selectPart(headersLike(token))) {
      const answer = await orNothing(service.call(endpoint, options));
      // If the provider is down, this call throws: then nothing is known of the header.
      if (answer === undefined) await service.call(endpoint, bearer(token));
      const result =
        answer === undefined ? 'no answer' : describeResult(answer.status, admitted.status);
      contract.observe('OPEN-6', fact, result);
    }
  },
};

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

/** Other spellings of the right header. RFC 9110 11.1 compares schemes without regard to case. */
function headersLike(token: Token): readonly (readonly [fact: string, options: CallOptions])[] {
  const { secret } = token;
  const right = seal`Bearer ${secret}`;
  const query = seal`access_token=${secret.derive(encodeURIComponent)}`;
  return [
    ['bearer in small letters', under('bearer', token)],
    ['BEARER in capitals', under('BEARER', token)],
    ['two blanks after the scheme', under('Bearer ', token)],
    ['a tab after the scheme', { authorization: seal`Bearer\t${secret}`, token }],
    ['another word after the token', { authorization: seal`Bearer ${secret} other`, token }],
    ['the right header before another', { authorization: [right, 'Bearer other'], token }],
    ['the right header after another', { authorization: ['Bearer other', right], token }],
    ['the right header, and a token in the query', { ...bearer(token), query }],
  ];
}

/** @param admitted the status with a valid token, which may be an error of the endpoint's own */
function describeResult(status: number, admitted: number): string {
  if (status === 401) return 'refused';
  return status === admitted || status < 400 ? 'admitted' : String(status);
}
