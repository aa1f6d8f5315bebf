import { merged } from '../contract/attempts/deviation.ts';
import { ordinaryVariations, type Variation } from '../contract/attempts/variations.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { endpointName } from '../contract/http/request.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * A service may bind a token to its first request: to the endpoint, or to the client's User-Agent. A guard may also
 * miss the token in requests of another form. The provider may turn such a request away (OPEN-9), but not with the 401
 * of an invalid token, which is valid right before and right after.
 */
export const aTokenIsGoodForEveryClient: Probe = {
  name: 'a-token-is-good-for-every-client',
  clauses: ['BEARER-1'],
  scope: 'deep',
  stage: 'present',
  async run({ service, account, endpoint, endpoints, judge }) {
    const token = await service.issue(account);
    const first = endpoints[(endpoints.indexOf(endpoint) + 1) % endpoints.length] ?? endpoint;
    await service.call(first, bearer(token));
    const plain = (): Promise<Answer> => service.call(endpoint, bearer(token));
    const answer = await plain();
    judge.admitted(answer, 'BEARER-1', `it was first used at ${endpointName(first)}`);
    if (answer.status === 401) return;
    const send = (variation: Variation) =>
      orNothing(
        service.call(endpoint, { ...merged(variation, endpoint), ...bearer(token), mayFail: true }),
      );
    let found = 0;
    for (const variation of ordinaryVariations(endpoint)) {
      const refused = await refusal(variation, send);
      if (refused === undefined) continue;
      if ((await plain()).status === 401) break;
      const [traits, by] = refused;
      const reason = traits.map(({ what }) => what.replace(/^it /, 'the request ')).join(' and ');
      judge.admitted(by, 'BEARER-1', `the token is valid, and ${reason}`);
      found += 1;
      if (found === mostFound) return;
    }
    judge.admitted(await plain(), 'BEARER-1', 'requests of other clients carried it before');
  },
};

/** A token that is bound to one client is refused to all others. */
const mostFound = 3;

/** The refusal of a request, and the one of its properties that is refused alone, or all of them. */
async function refusal(
  variation: Variation,
  send: (variation: Variation) => Promise<Answer | undefined>,
): Promise<readonly [Variation, Answer] | undefined> {
  const answer = await send(variation);
  if (answer?.status !== 401) return undefined;
  for (const trait of variation) {
    const alone = variation.length > 1 ? await send([trait]) : undefined;
    if (alone?.status === 401) return [[trait], alone];
  }
  return [variation, answer];
}
