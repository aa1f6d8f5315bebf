import { describeWay, mergeWay, type Way } from '../contract/attempts/deviation.ts';
import { jwtForgeries } from '../contract/attempts/jwt-forgeries.ts';
import { credentialPlaces, tokenPlaces, tokenSchemes } from '../contract/attempts/places.ts';
import { checkEnvelope, refusesAll } from '../contract/attempts/refusals.ts';
import { search } from '../contract/attempts/search.ts';
import { alterLast, forgeTokens } from '../contract/attempts/tokens.ts';
import { listVariations } from '../contract/attempts/variations.ts';
import { bearer, under } from '../contract/http/client.ts';
import { endpointName } from '../contract/http/request.ts';
import { onceADay, type Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/** All refusals are compared with this. A store that is written with a delay refuses a token that is a moment old. */
export const aTokenOpensTheEndpoint: Probe = {
  name: 'a-token-opens-the-endpoint',
  clauses: ['TOKEN-4', 'BEARER-1'],
  scope: 'core',
  stage: 'first',
  quick: true,
  opensConnection: true,
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, contract }) {
    const token = await service.issue(account);
    await contract.admits(bearer(token), ['TOKEN-4', 'BEARER-1']);
    await contract.missing();
  },
};

/**
 * Neither sequential nor concurrent requests use up a token, whatever client sends them. Header names are
 * case-insensitive (RFC 9110 5.1). The provider may turn such a request away (OPEN-9), but not with 401.
 */
export const aTokenIsGoodForManyUses: Probe = {
  name: 'a-token-is-good-for-many-uses',
  clauses: ['BEARER-1'],
  scope: 'deep',
  stage: 'present',
  async run(world) {
    const { service, account, endpoint, endpoints, contract } = world;
    const token = await service.issue(account);
    const valid = bearer(token);
    const first = endpoints[(endpoints.indexOf(endpoint) + 1) % endpoints.length] ?? endpoint;
    await contract.send({ to: first, ...valid });
    const reason = `it was first used at ${endpointName(first)}`;
    const admitted = await contract.admits(valid, 'BEARER-1', reason);
    if (admitted.status === 401) return;
    for (const name of ['authorization', 'AUTHORIZATION']) {
      const headers = { [name]: seal`Bearer ${token.secret}` };
      await contract.admits({ headers, token }, 'BEARER-1', `the header's name is ${name}`);
    }
    const request = (variation: Way) => ({ ...mergeWay(variation, endpoint), ...valid });
    await search(world, listVariations(endpoint, admitted), {
      valid,
      request,
      // Here the refusal is the fault.
      isRefusal: ({ status }) => status !== 401,
      isFault: async () => (await service.call(endpoint, valid)).status !== 401,
      reachesGuard: async () => false,
      async report(variation) {
        const what = `the token is valid, and of the request: ${describeWay(variation)}`;
        await contract.admits(request(variation), 'BEARER-1', what);
      },
    });
    await contract.admits(valid, 'BEARER-1', 'requests of other clients carried it before');
    const often = `it is one of ${concurrent} uses at once, after many others`;
    const uses = Array.from({ length: concurrent }, () =>
      contract.admits(valid, 'BEARER-1', often),
    );
    await Promise.all(uses);
    await contract.missing();
  },
};

/** With those before them they are more than twenty-five. */
const concurrent = 8;

/** What every endpoint must do; the deep probes try the same in all its forms on one of them. */
export const everyEndpointIsGuarded: Probe = {
  name: 'every-endpoint-is-guarded',
  clauses: ['BEARER-1', 'BEARER-2', 'BEARER-3', 'BEARER-4', 'ERROR-1', 'ERROR-2', 'ERROR-3'],
  scope: 'core',
  stage: 'present',
  quick: true,
  everySeconds: 300,
  anyToken: true,
  async run({ service, account, contract }) {
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    await contract.missing({}, { control, reason: 'there is no Authorization header' });
    const reason = 'the scheme is Basic';
    await contract.refuses(under('Basic', token), 'BEARER-4', { control, reason });
    const { how, token: other } = alterLast(token);
    await contract.refuses(bearer(other), 'BEARER-3', { control, reason: `the token is ${how}` });
  },
};

/**
 * Only the Authorization header counts. Gateways and frameworks also read tokens from the query (RFC 6750 2.3), from
 * forms (2.2), from cookies, with which any web page could send requests, and from many headers.
 */
export const aTokenInQueryCookieHeaderOrBodyIsRefused: Probe = {
  name: 'a-token-in-query-cookie-header-or-body-is-refused',
  clauses: ['BEARER-2'],
  ...onceADay,
  run: (world) => refusesAll(world, 'BEARER-2', tokenPlaces(world.endpoint)),
};

/**
 * Every part of a token counts: look-ups by prefix, and comparisons that stop early or ignore case, accept others. Of a
 * JWT also the signature counts: that it declares to need none, or brings the key with it, is no reason (RFC 8725).
 */
export const anotherTokenIsRefused: Probe = {
  name: 'another-token-is-refused',
  clauses: ['BEARER-3'],
  ...onceADay,
  async run(world) {
    const { service, account, contract } = world;
    const token = await service.issue(account);
    const forgeries = [...forgeTokens(token.secret), ...jwtForgeries(token.secret, account)];
    const ways = contract
      .selectPart(forgeries)
      .map(
        ({ how, secret, odd }): Way => [
          { what: `the token is ${how}`, options: bearer({ ...token, secret }), odd },
        ],
      );
    const control = await contract.admits(bearer(token), 'BEARER-1');
    await checkEnvelope(world, ways, { token, control }, 'BEARER-3');
  },
};

/** Only Bearer counts, a complete word before a blank (RFC 9110 11.4). The token itself is valid. */
export const anotherSchemeIsRefused: Probe = {
  name: 'another-scheme-is-refused',
  clauses: ['BEARER-4'],
  ...onceADay,
  run: (world) => refusesAll(world, 'BEARER-4', tokenSchemes),
};

/** If a service accepts the key and the secret key elsewhere, clients send them with every request. */
export const theCredentialsOpenNoEndpoint: Probe = {
  name: 'the-credentials-open-no-endpoint',
  clauses: ['BEARER-5'],
  scope: 'deep',
  stage: 'present',
  run(world) {
    const { account } = world;
    const credentials = { KEY: account.apiKey, SECRET: account.secretKey };
    return refusesAll(world, 'BEARER-5', credentialPlaces, credentials);
  },
};
