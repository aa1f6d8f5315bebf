import { type Answer, header } from '../contract/http/answer.ts';
import { bearer, orNothing, under } from '../contract/http/client.ts';
import { endpointName, tokenPath } from '../contract/http/request.ts';
import { summarize } from '../contract/judge/findings.ts';
import { onceADay, type Probe } from '../contract/probe.ts';
import { inBody } from '../contract/schema.ts';

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
      ['OPEN-7', `${endpointName(endpoint)} with a valid token`, summarize(admitted)],
      ['OPEN-8', 'rate limit headers', named(admitted, /^(x-)?rate-?limit|^retry-after$/i)],
      ['OPEN-9', 'GET on the token endpoint', summarize(get)],
      ['OPEN-10', 'headers on version and end', named(admitted, ofVersions)],
      // If a request without a token is admitted, or refused with another status, other probes judge that.
      ...(refused.status === 401 ? factsOfRefusal(refused) : []),
    ] as const)
      contract.observe(id, fact, value);
    for (const [fact, scheme] of contract.selectPart(spellings)) {
      const answer = await orNothing(service.call(endpoint, under(scheme, token)));
      // If the provider is down, this call throws: then nothing is known of the header.
      if (answer === undefined) await service.call(endpoint, bearer(token));
      contract.observe('OPEN-6', fact, summarize(answer));
    }
  },
};

/** Other spellings of the scheme. RFC 9110 11.1 compares them without regard to case. */
const spellings = [
  ['bearer in small letters', 'bearer'],
  ['BEARER in capitals', 'BEARER'],
  ['two blanks after the scheme', 'Bearer '],
] as const;

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
