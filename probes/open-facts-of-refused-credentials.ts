import { answerTo } from '../contract/attempts/grants.ts';
import type { OpenId } from '../contract/clauses.ts';
import { type Answer, header } from '../contract/http/answer.ts';
import type { Body } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/** The contract shows neither status nor body of the answer to wrong or incomplete credentials. */
export const openFactsOfRefusedCredentials: Probe = {
  name: 'open-facts-of-refused-credentials',
  clauses: ['OPEN-2', 'OPEN-3', 'OPEN-9'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { apiKey, secretKey } = world.account;
    const encoded = [apiKey, secretKey].map((half) => half.derive(encodeURIComponent));
    const form = seal`apiKey=${encoded[0] ?? ''}&secretKey=${encoded[1] ?? ''}`;
    const small = { apikey: apiKey, secretkey: secretKey };
    const capital = { APIKEY: apiKey, SECRETKEY: secretKey };
    const facts: readonly (readonly [id: OpenId, fact: string, body: Body])[] = [
      ['OPEN-2', 'wrong credentials', { json: { apiKey, secretKey: 'not-the-secret-key' } }],
      ['OPEN-2', 'incomplete credentials', { json: { apiKey } }],
      ['OPEN-2', 'malformed JSON', { type: 'application/json', text: '{' }],
      ['OPEN-3', 'field names in small letters', { json: small }],
      ['OPEN-3', 'field names in capital letters', { json: capital }],
      [
        'OPEN-9',
        'form-encoded credentials',
        { type: 'application/x-www-form-urlencoded', text: form },
      ],
    ];
    for (const [id, fact, body] of facts)
      world.contract.observe(id, `answer to ${fact}`, summary(await answerTo(world, { body })));
  },
};

const summary = (answer: Answer | undefined): string =>
  answer === undefined
    ? 'no answer'
    : `${answer.status} ${header(answer, 'content-type')?.split(';')[0] ?? ''}`.trim();
