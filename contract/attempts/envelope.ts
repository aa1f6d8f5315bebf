import { isEndpointAnswer, isRefusal } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, isHead, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import { described, merged } from './deviation.ts';
import { search } from './search.ts';
import type { Variation } from './variations.ts';

/**
 * An unauthorised request gets the contract's 401, whatever its other properties. If it does not, the same request with
 * a valid token shows whether a proxy refuses it in any case.
 * @param admitted the endpoint's own answer to a valid token
 * @param clause the one that is violated when the request is admitted
 * @returns the variations that got the 401
 * @throws Unreachable
 */
export async function checkEnvelope(
  { service, account, endpoint, contract }: World,
  variations: readonly Variation[],
  admitted: Answer,
  clause: MustId,
): Promise<readonly Variation[]> {
  const fitting = new Set<Variation>();
  const call = (options: CallOptions): Promise<Answer> =>
    service.call(endpoint, { ...options, mayFail: true });
  await search(variations, {
    send: (variation) => orNothing(call(merged(variation, endpoint))),
    isRefusal(answer, variation) {
      if (isEnvelope(answer)) fitting.add(variation);
      return isEnvelope(answer) || isFromFront(answer, variation);
    },
    async isFault(answer, variation) {
      if (answer.status === 401) return true;
      const valid = bearer(await service.issue(account));
      const options = merged(variation, endpoint);
      const controlOf = (more: CallOptions) => orNothing(call({ ...more, ...valid }));
      const noted = variation.some(({ odd }) => odd) ? beside(options) : undefined;
      if (noted !== undefined && (await controlOf(noted))?.status === answer.status) return false;
      for (let count = 0; count < controls; count++)
        if (!differs(answer, await controlOf(options))) return false;
      return true;
    },
    async report(variation, answer) {
      const violated = isEndpointAnswer(answer, admitted) ? clause : 'ERROR-1';
      const again = () => call(merged(variation, endpoint));
      const contrast = { control: admitted, reason: described(variation) };
      await contract.judgeRefusal({ answer, again }, violated, contrast);
    },
  });
  return variations.filter((variation) => fitting.has(variation));
}

/** How often the control is requested when the status is not 401: a proxy may answer one of them. */
const controls = 3;

/** The 401 and its envelope; an answer to HEAD has no body. */
const isEnvelope = (answer: Answer): boolean =>
  isHead(answer) ? answer.status === 401 : isRefusal(answer);

/** Whether something in front of the service may answer such a request instead: a firewall answers with a page. */
const isFromFront = (answer: Answer, variation: Variation): boolean =>
  variation.some(
    ({ odd, tolerated }) =>
      tolerated?.includes(answer.status) ||
      (odd && byFirewalls.has(answer.status) && jsonOf(answer).is !== 'json'),
  );

const byFirewalls = new Set([200, 400, 403, 404, 405, 406, 413, 414, 415, 426, 431, 501]);

/**
 * The request with its odd credentials in a header without meaning. A firewall in front of an API may answer in JSON,
 * and then it answers this request too, although its token is valid.
 */
const beside = ({ authorization, headers, ...options }: CallOptions): CallOptions | undefined =>
  typeof authorization === 'string'
    ? { ...options, headers: { ...headers, 'X-Note': authorization } }
    : undefined;

/** Whether a status other than 401 is significant: not if a valid token gets it too, or gets no answer. */
function differs(answer: Answer, control: Answer | undefined): boolean {
  const { status } = answer;
  if (control === undefined || control.status === 401) return false;
  // Without a body it is unknown whether the endpoint or an intermediary has answered.
  if (isHead(answer)) return control.status !== status;
  // Preconditions come after the guard (RFC 9110 13.2.1): the same answer to a valid token explains nothing.
  if (status === 304 || status === 412 || (status >= 200 && status < 300)) return true;
  return control.status !== status;
}
