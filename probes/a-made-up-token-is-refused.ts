import { ahead } from '../contract/ahead.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { madeUpLike, zerosLike } from '../contract/token-form.ts';

/**
 * Texts that the service did not generate: some have the right form, and some are words that careless code
 * accepts.
 */
export const aMadeUpTokenIsRefused: Probe = {
  name: 'a-made-up-token-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, endpoint, judge, slots }) {
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    const random = [madeUpLike(token.secret), madeUpLike(token.secret), zerosLike(token.secret)];
    const answers = ahead(slots, [...random, ...words, ...attacks], ({ secret }) =>
      service.call(endpoint, bearer({ ...token, secret })),
    );
    for await (const [madeUp, answer] of answers) {
      const reason = `the token is ${madeUp.how}`;
      if (answer.status === 401 || !attacks.includes(madeUp))
        judge.refused(answer, 'BEARER-3', { control, reason });
      else judge.shut(answer, 'BEARER-3', { control, authorised: control, reason });
    }
  },
};

const word = (text: string) => ({ how: `the word ${text}`, secret: new Secret(text) });

const words = ['null', 'undefined', 'None', 'NaN', 'true', '0', '1', 'test'].map(word);

/** A firewall may refuse these before the service sees them, so only an admission counts. */
const attacks = ['*', '%', '[object Object]', 'constructor', '__proto__', "'OR'1'='1"].map(word);
