import { isEndpointAnswer, isRefusal } from './admission.ts';
import { merged, type Variation } from './attacks/request-variations.ts';
import type { MustId } from './clauses.ts';
import { type Answer, isHead, jsonOf } from './http/answer.ts';
import { bearer } from './http/client.ts';
import type { CallOptions } from './http/request.ts';
import { orNothing } from './http/unreachable.ts';
import type { World } from './probe.ts';

/**
 * An unauthorised request gets the contract's 401, whatever its other properties. If it does not, the same
 * request with a valid token shows whether a proxy refuses it in any case. Then each property is omitted in turn,
 * so that the finding names only the relevant ones.
 * @param admitted the endpoint's own answer to a valid token
 * @param clause the one that is violated when the request is admitted
 * @returns whether it got that 401
 */
export async function checkEnvelope(
  world: World,
  variation: Variation,
  admitted: Answer,
  clause: MustId,
): Promise<boolean> {
  const { service, account, endpoint, judge } = world;
  const call = (options: CallOptions): Promise<Answer | undefined> =>
    orNothing(service.call(endpoint, { ...options, mayFail: true }));
  const answer = await call(merged(variation));
  if (answer === undefined || isEnvelope(answer)) return answer !== undefined;
  if (variation.some(({ tolerated = [] }) => tolerated.includes(answer.status))) return false;
  const isOdd = variation.some(({ odd }) => odd === true);
  if (isOdd && isFirewallPage(answer)) return false;
  // An accident may have replaced the answer to a plain request.
  const fits = variation.every(isPlain) && isEnvelope(await judge.about401(answer));
  if (answer.status !== 401) {
    const valid = bearer(await service.issue(account));
    const noted = isOdd ? beside(merged(variation)) : undefined;
    if (noted !== undefined && (await call({ ...noted, ...valid }))?.status === answer.status)
      return fits;
    // A proxy may answer one of the controls instead of the endpoint.
    for (let count = 0; count < controls; count++)
      if (!differs(answer, await call({ ...merged(variation), ...valid }))) return fits;
  }
  let left = variation;
  for (const trait of variation) {
    const fewer = left.filter((one) => one !== trait);
    const again = await call(merged(fewer));
    if (again !== undefined && again.status === answer.status && !isEnvelope(again)) left = fewer;
  }
  judge.refused(answer, isEndpointAnswer(answer, admitted) ? clause : 'ERROR-1', {
    control: admitted,
    reason: left.map(({ what }) => what).join(' and ') || 'it is not authorised',
  });
  return fits;
}

/** Whether a trait changes nothing, and only names the request. */
const isPlain = ({ options }: Variation[number]): boolean => Object.keys(options).length === 0;

/** How often the control is requested when the status is not 401. */
const controls = 3;

/** The 401 and its envelope; an answer to HEAD has no body. */
const isEnvelope = (answer: Answer): boolean =>
  isHead(answer) ? answer.status === 401 : isRefusal(answer);

/** The answer of a firewall instead of the service: a page, not JSON. */
const byFirewalls: ReadonlySet<number> = new Set([
  200, 400, 403, 404, 405, 406, 413, 414, 415, 426, 431, 501,
]);

const isFirewallPage = (answer: Answer): boolean =>
  byFirewalls.has(answer.status) && jsonOf(answer).is !== 'json';

/**
 * The request with its odd credentials in a header without meaning. A firewall in front of an API may answer in JSON,
 * and then it answers this request too, although its token is valid.
 */
const beside = ({ authorization, headers, ...options }: CallOptions): CallOptions | undefined =>
  typeof authorization === 'string'
    ? { ...options, headers: { ...headers, 'X-Note': authorization } }
    : undefined;

/** Preconditions come after the guard (RFC 9110 13.2.1), so the same answer to a valid token explains nothing. */
const ofPreconditions: ReadonlySet<number> = new Set([304, 412]);

/** Whether a status other than 401 is significant: not if a valid token gets it too, or gets no answer. */
function differs(answer: Answer, control: Answer | undefined): boolean {
  const { status } = answer;
  if (control === undefined || control.status === 401) return false;
  // Without a body it is unknown whether the endpoint or an intermediary has answered.
  if (isHead(answer)) return control.status !== status;
  if (ofPreconditions.has(status) || (status >= 200 && status < 300)) return true;
  return control.status !== status;
}
