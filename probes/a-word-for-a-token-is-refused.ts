import { ahead } from '../contract/ahead.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret } from '../contract/secrets/secret.ts';

/**
 * Words that careless code treats as a token: words for an unset value, tokens of tests and examples, patterns, and
 * names that every object has.
 */
export const aWordForATokenIsRefused: Probe = {
  name: 'a-word-for-a-token-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 900,
  anyToken: true,
  async run({ service, account, endpoint, judge, slots }) {
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    const others = [...words, ...attacks].filter((word) => !token.secret.equals(new Secret(word)));
    const answers = ahead(slots, others, (word) =>
      service.call(endpoint, bearer({ ...token, secret: new Secret(word) })),
    );
    for await (const [word, answer] of answers) {
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

/** A firewall may refuse these before the service sees them, so only an admission counts. */
const attacks = [
  ...['*', '%', '[object Object]', 'constructor', '__proto__', "'OR'1'='1"],
  // The contract's own placeholder.
  '<ACCESS_TOKEN>',
];
