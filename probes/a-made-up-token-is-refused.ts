import type { Probe } from '../contract/probe.ts';
import { Secret } from '../contract/secret.ts';
import { bearer } from '../contract/service.ts';
import { madeUpLike } from '../contract/token-form.ts';

/** Texts that nobody issued: random ones of the right form, and the words that careless code takes for a token. */
export const aMadeUpTokenIsRefused: Probe = {
  name: 'a-made-up-token-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const { how, secret } of [madeUpLike(token.secret), madeUpLike(token.secret), ...words]) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};

const words = [
  'null',
  'undefined',
  'true',
  '0',
  '1',
  '*',
  '%',
  'test',
  '[object Object]',
  'constructor',
  '__proto__',
  "'OR'1'='1",
].map((word) => ({
  how: `the word ${word}`,
  secret: new Secret(word),
}));
