import { randomUUID } from 'node:crypto';
import { refusesBypasses } from '../contract/attempts/bypass.ts';
import { headerWays } from '../contract/attempts/headers.ts';
import { methodWays, pathWays, queryWays } from '../contract/attempts/paths.ts';
import { alterLast } from '../contract/attempts/tokens.ts';
import { wireWays } from '../contract/attempts/variations.ts';
import { readCookies } from '../contract/http/answer.ts';
import { bearer, orNothing } from '../contract/http/client.ts';
import { onceADay, type Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';
import { randomToken } from '../contract/token-form.ts';

/** A guard that drops a session at the first failure, or after some, lets a stranger end it. */
export const refusedRequestsChangeNothing: Probe = {
  name: 'refused-requests-change-nothing',
  clauses: ['BEARER-6'],
  scope: 'service',
  stage: 'first',
  async run({ service, account, endpoint, contract }) {
    const token = await service.issue(account);
    const valid = bearer(token);
    // If one of several servers refuses a valid token by itself, this shows before any refused request.
    for (let use = 1; use <= 2; use++) await contract.admits(valid, 'BEARER-1');
    const endsToken = async (reason: string): Promise<boolean> =>
      (await contract.admits(valid, 'BEARER-6', `${reason} went before`)).status === 401;
    const refused = Array.from({ length: 12 }, (_, index) =>
      contract.send(index % 3 === 0 ? {} : bearer(randomToken(token))),
    );
    await Promise.all(refused);
    if (await endsToken(`${refused.length} refused requests`)) return;
    const { how: alteration, token: other } = alterLast(token);
    const { secret } = token;
    // A service may take a token in a wrong place for a leaked one, or an altered one for an attack, and end it.
    for (const [how, options] of [
      ['under Basic', { authorization: seal`Basic ${secret}` }],
      ['without its scheme', { authorization: secret }],
      ['in the header X-Api-Key', { headers: { 'X-Api-Key': secret } }],
      ['in a cookie', { headers: { Cookie: seal`access_token=${secret}` } }],
      ['in the query', { query: seal`access_token=${secret}` }],
      [alteration, bearer(other)],
    ] as const) {
      await orNothing(service.call(endpoint, options));
      if (await endsToken(`a request with the token ${how}`)) return;
    }
  },
};

/** Under load a guard that samples, fails open or has a race admits one request in fifty, or refuses valid tokens. */
export const aStormOfRefusalsLetsNobodyIn: Probe = {
  name: 'a-storm-of-refusals-lets-nobody-in',
  clauses: ['BEARER-2', 'BEARER-6'],
  scope: 'deep',
  stage: 'disturbing',
  async run({ service, account, contract }) {
    const token = bearer(await service.issue(account));
    const control = await contract.admits(token, 'BEARER-1');
    const storm = await Promise.all(Array.from({ length: 60 }, () => contract.send()));
    const reason = 'it is one of sixty requests at once without a token';
    for (const exchanged of storm)
      await contract.judgeRefusal(exchanged, 'BEARER-2', { control, reason });
    await contract.admits(token, 'BEARER-6', 'sixty refused requests went before');
  },
};

/** The guard and the router read paths and methods separately, and a proxy admits or caches what looks like a file. */
export const anotherPathOrMethodIsNoWayIn: Probe = {
  name: 'another-path-or-method-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  ...onceADay,
  run: (world) =>
    refusesBypasses(world, [
      ...pathWays(world.endpoint),
      ...queryWays,
      ...methodWays(world.endpoint.method),
    ]),
};

/** Whatever a proxy may have checked or set, any client can send; and old forms of HTTP are read by other code. */
export const aTrustedHeaderIsNoWayIn: Probe = {
  name: 'a-trusted-header-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  ...onceADay,
  run: (world) =>
    refusesBypasses(world, [...headerWays(world.endpoint), ...wireWays(world.endpoint)]),
};

/**
 * The guard must judge each request, not a session's cookie, or a verdict that is cached by client, by connection or by
 * a part of the token. A service that repeats an answer by its Idempotency-Key must ask the guard first.
 */
export const anEarlierRequestIsNoWayIn: Probe = {
  name: 'an-earlier-request-is-no-way-in',
  clauses: ['BEARER-1', 'BEARER-2', 'BEARER-3'],
  ...onceADay,
  async run({ service, account, contract }) {
    const token = await service.issue(account);
    const { how, token: other } = alterLast(token);
    const wrong = bearer(other);
    await contract.send(wrong);
    const refused = 'a refused request went before';
    const control = await contract.admits(bearer(token), 'BEARER-1', refused);
    for (const [cookies, source] of [
      [token.cookies, 'the answer that gave a token'],
      [readCookies(control), 'an authorised answer'],
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
    const unknown = bearer(randomToken(token));
    for (const first of contract.selectPart(['an authorised', 'a refused'], () => 5))
      await service.connection(async (via) => {
        await contract.send({ ...(first === 'a refused' ? {} : bearer(token)), via });
        const reason = `${first} request went before it on the same connection`;
        await contract.refuses({ via }, 'BEARER-2', { control, reason });
        const both = `the token is made up, and ${reason}`;
        await contract.refuses({ ...unknown, via }, 'BEARER-3', { control, reason: both });
        await contract.admits({ ...bearer(token), via }, 'BEARER-1', reason);
      });
  },
};
