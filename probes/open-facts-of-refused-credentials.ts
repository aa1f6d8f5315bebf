import { answerTo } from '../contract/attacks/grants.ts';
import { type Answer, header } from '../contract/http/answer.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret, seal } from '../contract/secrets/secret.ts';

/** The contract shows neither status nor body of the answer to wrong or incomplete credentials. */
export const openFactsOfRefusedCredentials: Probe = {
  name: 'open-facts-of-refused-credentials',
  clauses: ['OPEN-2', 'OPEN-3', 'OPEN-9'],
  intrusive: true,
  once: true,
  async run(world) {
    const { account, judge } = world;
    const { apiKey, secretKey } = account;
    const wrong = { apiKey, secretKey: new Secret('not-the-secret-key') };
    judge.observe(
      'OPEN-2',
      'answer to wrong credentials',
      summary(await answerTo(world, { json: wrong })),
    );
    judge.observe(
      'OPEN-2',
      'answer to incomplete credentials',
      summary(await answerTo(world, { json: { apiKey } })),
    );
    judge.observe(
      'OPEN-2',
      'answer to malformed JSON',
      summary(await answerTo(world, { type: 'application/json', text: '{' })),
    );
    for (const [how, json] of [
      ['small letters', { apikey: apiKey, secretkey: secretKey }],
      ['capital letters', { APIKEY: apiKey, SECRETKEY: secretKey }],
    ] as const)
      judge.observe(
        'OPEN-3',
        `answer to field names in ${how}`,
        summary(await answerTo(world, { json })),
      );
    const form = apiKey.derive((key) => `apiKey=${encodeURIComponent(key)}`);
    const type = 'application/x-www-form-urlencoded';
    const both = secretKey.derive((secret) => `secretKey=${encodeURIComponent(secret)}`);
    const encoded = seal`${form}&${both}`;
    judge.observe(
      'OPEN-9',
      'answer to form-encoded credentials',
      summary(await answerTo(world, { type, text: encoded })),
    );
  },
};

const summary = (answer: Answer | undefined): string =>
  answer === undefined
    ? 'no answer'
    : `${answer.status} ${header(answer, 'content-type')?.split(';')[0] ?? ''}`.trim();
