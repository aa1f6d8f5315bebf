import { type Answer, header, jsonOf } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { endpointName, tokenPath } from '../contract/http/request.ts';
import { isObject } from '../contract/json-value.ts';
import type { Probe } from '../contract/probe.ts';

/** The contract leaves the endpoints' answers open; this probe records the facts around them. */
export const openFactsOfTheEndpoints: Probe = {
  name: 'open-facts-of-the-endpoints',
  clauses: ['OPEN-3', 'OPEN-5', 'OPEN-7', 'OPEN-8', 'OPEN-9', 'OPEN-10'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const name = endpointName(endpoint);
    const admitted = await service.call(endpoint, bearer(await service.issue(account)));
    const refused = await service.call(endpoint);
    judge.observe('OPEN-7', `${name} with a valid token`, String(admitted.status));
    // If a request without a token is admitted, or refused with another status, other probes judge that.
    if (refused.status === 401) {
      const json = jsonOf(refused);
      const fields = json.is === 'json' && isObject(json.value) ? Object.keys(json.value) : [];
      const further = fields.filter((field) => field !== 'success' && field !== 'message');
      judge.observe('OPEN-3', 'further fields of a 401', further.sort().join(', ') || 'none');
      judge.observe('OPEN-5', 'content type of a 401', header(refused, 'content-type') ?? 'none');
      const challenge = header(refused, 'www-authenticate') ?? 'none';
      judge.observe('OPEN-5', 'WWW-Authenticate of a 401', challenge);
    }
    const limits = named(admitted, /^(x-)?rate-?limit|^retry-after$/i);
    judge.observe('OPEN-8', 'rate limit headers', limits);
    const versions = named(admitted, /^(api-version|x-api-version|deprecation|sunset)$/i);
    judge.observe('OPEN-10', 'headers on version and end', versions);
    const other = await service.call({ method: 'GET', path: tokenPath });
    judge.observe('OPEN-9', 'GET on the token endpoint', String(other.status));
  },
};

const named = ({ headers }: Answer, pattern: RegExp): string =>
  [...new Set(headers.map(([name]) => name.toLowerCase()).filter((name) => pattern.test(name)))]
    .sort()
    .join(', ') || 'none';
