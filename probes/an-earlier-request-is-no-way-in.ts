import { randomUUID } from 'node:crypto';
import { spoilt } from '../contract/attempts/tokens.ts';
import { cookiesOf } from '../contract/http/answer.ts';
import { bearer, type Service } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { madeUp } from '../contract/token-form.ts';

/**
 * The guard must judge each request. A session's cookie, or a verdict that is cached by client, by connection or by a
 * part of the token, admits requests that it never judged, and everybody who shares a connection behind a proxy. A
 * service that repeats an answer by its Idempotency-Key must ask the guard first.
 */
export const anEarlierRequestIsNoWayIn: Probe = {
  name: 'an-earlier-request-is-no-way-in',
  clauses: ['BEARER-1', 'BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, contract }) {
    const token = await service.issue(account);
    const { how, token: other } = spoilt(token);
    const wrong = bearer(other);
    await contract.send(wrong);
    const refused = 'a refused request went before';
    const control = await contract.admits(bearer(token), 'BEARER-1', refused);
    for (const [cookies, source] of [
      [token.cookies, 'the answer that gave a token'],
      [cookiesOf(control), 'an authorised answer'],
    ] as const) {
      const headers = { Cookie: cookies ?? '' };
      const reason = `only the cookies of ${source} are sent`;
      if (cookies !== undefined)
        await contract.refuses({ headers }, 'BEARER-2', { control, reason });
    }
    const keyed = { headers: { 'Idempotency-Key': randomUUID() } };
    const authorised = 'an authorised request went right before it';
    await contract.send({ ...bearer(token), ...keyed });
    const reason = `${authorised}, and its token is ${how}`;
    await contract.refuses({ ...wrong, ...keyed }, 'BEARER-3', { control, reason });
    await contract.refuses(keyed, 'BEARER-2', { control, reason: authorised });
    const unknown = bearer(madeUp(token));
    const refuse = async (via: Service, before: string): Promise<void> => {
      const same = `${before} went before it on the same connection`;
      await contract.refuses({ via }, 'BEARER-2', { control, reason: same });
      const both = `the token is made up, and ${same}`;
      await contract.refuses({ ...unknown, via }, 'BEARER-3', { control, reason: both });
    };
    await service.connection(async (via) => {
      await contract.admits({ ...bearer(token), via }, 'BEARER-1');
      await refuse(via, 'an authorised request');
    });
    await service.connection(async (via) => {
      await contract.send({ via });
      await refuse(via, 'a refused request');
      const blocked = 'a refused request went before it on the same connection';
      await contract.admits({ ...bearer(token), via }, 'BEARER-1', blocked);
    });
  },
};
