import { ahead } from '../contract/ahead.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret } from '../contract/secrets/secret.ts';

/**
 * Words that careless code treats as a token: words for an unset value, tokens of tests and examples, patterns, and
 * names that every object has.
 */
export const aWordForATokenIsRefused: Probe = {
  name: 'a-word-for-a-token-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 900,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    const others = [...words, ...attacks].filter((word) => !token.secret.equals(new Secret(word)));
    const call = (word: string): Promise<Answer | undefined> => {
      const options = bearer({ ...token, secret: new Secret(word) });
      return attacks.includes(word)
        ? orNothing(service.call(endpoint, { ...options, mayFail: true }))
        : service.call(endpoint, options);
    };
    for await (const [word, answer] of ahead(others, call)) {
      if (answer === undefined) continue;
      const reason = `the token is the word ${word}`;
      if (answer.status === 401 || !attacks.includes(word))
        judge.refused(answer, 'BEARER-3', { control, reason });
      else judge.shut(answer, 'BEARER-3', { control, authorised: control, reason });
    }
  },
};

const words = [
  ...['null', 'undefined', 'None', 'NaN', 'true', 'false', '0', '1', '123456'],
  ...['test', 'dev', 'debug', 'demo', 'default', 'token', 'admin', 'guest', 'anonymous'],
  '00000000-0000-0000-0000-000000000000',
];

/** A firewall may refuse these, or drop their connection, before the service sees them, so only an admission counts. */
const attacks = [
  ...['*', '%', '[object Object]', 'constructor', '__proto__', "'OR'1'='1"],
  // The contract's own placeholder.
  '<ACCESS_TOKEN>',
];
