import { answerTo } from '../contract/attacks/grants.ts';
import { type Answer, header } from '../contract/http/answer.ts';
import type { Body } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret, seal } from '../contract/secrets/secret.ts';

/** The contract shows neither status nor body of the answer to wrong or incomplete credentials. */
export const openFactsOfRefusedCredentials: Probe = {
  name: 'open-facts-of-refused-credentials',
  clauses: ['OPEN-2', 'OPEN-3', 'OPEN-9'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { account, judge } = world;
    const { apiKey, secretKey } = account;
    const wrong = { apiKey, secretKey: new Secret('not-the-secret-key') };
    const summaryFor = async (body: Body): Promise<string> => summary(await answerTo(world, body));
    judge.observe('OPEN-2', 'answer to wrong credentials', await summaryFor({ json: wrong }));
    const incomplete = await summaryFor({ json: { apiKey } });
    judge.observe('OPEN-2', 'answer to incomplete credentials', incomplete);
    const malformed = await summaryFor({ type: 'application/json', text: '{' });
    judge.observe('OPEN-2', 'answer to malformed JSON', malformed);
    for (const [how, json] of [
      ['small letters', { apikey: apiKey, secretkey: secretKey }],
      ['capital letters', { APIKEY: apiKey, SECRETKEY: secretKey }],
    ] as const)
      judge.observe('OPEN-3', `answer to field names in ${how}`, await summaryFor({ json }));
    const form = apiKey.derive((key) => `apiKey=${encodeURIComponent(key)}`);
    const type = 'application/x-www-form-urlencoded';
    const both = secretKey.derive((secret) => `secretKey=${encodeURIComponent(secret)}`);
    const encoded = await summaryFor({ type, text: seal`${form}&${both}` });
    judge.observe('OPEN-9', 'answer to form-encoded credentials', encoded);
  },
};

const summary = (answer: Answer | undefined): string =>
  answer === undefined
    ? 'no answer'
    : `${answer.status} ${header(answer, 'content-type')?.split(';')[0] ?? ''}`.trim();
