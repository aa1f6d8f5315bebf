import { described, merged, type Way } from '../contract/attempts/deviation.ts';
import { search } from '../contract/attempts/search.ts';
import { ordinaryVariations } from '../contract/attempts/variations.ts';
import { bearer } from '../contract/http/client.ts';
import { endpointName } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/**
 * Neither sequential nor concurrent requests use up a token, whatever client sends them. A service may bind a token to
 * its first endpoint or User-Agent, or miss it in requests of another form: header names are case-insensitive (RFC 9110
 * 5.1). The provider may turn such a request away (OPEN-9), but not with 401.
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
    if ((await contract.admits(valid, 'BEARER-1', reason)).status === 401) return;
    for (const name of ['authorization', 'AUTHORIZATION']) {
      const headers = { [name]: seal`Bearer ${token.secret}` };
      await contract.admits({ headers, token }, 'BEARER-1', `the header's name is ${name}`);
    }
    const request = (variation: Way) => ({ ...merged(variation, endpoint), ...valid });
    await search(world, ordinaryVariations(endpoint), {
      valid,
      request,
      // Here the refusal is the fault.
      isRefusal: ({ status }) => status !== 401,
      isFault: async () => (await service.call(endpoint, valid)).status !== 401,
      reachesGuard: async () => false,
      async report(variation) {
        const what = `the token is valid, and of the request: ${described(variation)}`;
        await contract.admits({ ...request(variation), mayFail: true }, 'BEARER-1', what);
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
