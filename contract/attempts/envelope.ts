import { envelopeBreaches, isEndpointAnswer, isSuccess, mayBeOfFront } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, isHead, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import { described, merged, type Way } from './deviation.ts';
import { answerTo, search } from './search.ts';

/** The 401 and its envelope; an answer to HEAD has no body. */
export const isEnvelope = (answer: Answer): boolean =>
  answer.status === 401 && envelopeBreaches(answer).length === 0;

/**
 * An unauthorised request gets the contract's 401, whatever its other properties. If it does not, the same request with
 * a valid token shows whether a proxy refuses it in any case.
 * @param control the endpoint's own answer to a plain request with the token
 * @param clause the one that is violated when the request is admitted
 * @returns the answer to each way
 * @throws Unreachable
 */
export async function checkEnvelope(
  world: World,
  ways: readonly Way[],
  { token, control }: { readonly token: Token; readonly control: Answer },
  clause: MustId,
): Promise<ReadonlyMap<Way, Answer>> {
  const answers = new Map<Way, Answer>();
  const valid = bearer(token);
  await search(world, ways, {
    valid,
    request: (way) => merged(way, world.endpoint),
    isRefusal(answer, way) {
      answers.set(way, answer);
      return isEnvelope(answer) || isFromFront(answer, way);
    },
    isFault: async (answer, way) =>
      answer.status === 401 || isSignificant(world, answer, way, { valid, plain: control }),
    async report(way, exchanged) {
      const violated = isEndpointAnswer(exchanged.answer, control) ? clause : 'ERROR-1';
      await world.contract.judgeRefusal(exchanged, violated, { control, reason: described(way) });
    },
  });
  return answers;
}

/** Whether something in front of the service may answer such a request instead: a firewall answers with a page. */
const isFromFront = (answer: Answer, way: Way): boolean =>
  way.some(
    ({ odd, tolerated }) =>
      tolerated?.includes(answer.status) ||
      (odd && byFirewalls.has(answer.status) && jsonOf(answer).is !== 'json'),
  );

const byFirewalls = new Set([200, 400, 403, 404, 405, 406, 413, 414, 415, 426, 431, 501]);

/** How often the control is requested: a proxy may answer one of them. */
const controls = 3;

/**
 * Whether a status other than 401 is significant: not if a valid token gets it too, or gets no answer.
 * @param plain the answer to a plain request with the valid token
 */
async function isSignificant(
  world: World,
  answer: Answer,
  way: Way,
  { valid, plain }: { readonly valid: CallOptions; readonly plain: Answer },
): Promise<boolean> {
  const { status } = answer;
  const options = merged(way, world.endpoint);
  if (way.some(({ odd }) => odd)) {
    // A firewall that answers in JSON also refuses odd credentials in a header without meaning.
    const headers = { ...options.headers, 'X-Note': `${options.authorization}` };
    const noted = await answerTo(world, { ...options, headers, ...valid });
    if (noted?.status === status) return false;
  }
  // Preconditions come after the guard (RFC 9110 13.2.1), so the same answer to a valid token explains nothing. But one
  // to HEAD may be an intermediary's.
  const isExplained = !isSuccess(status) && status !== 304 && status !== 412;
  for (let count = 0; count < controls; count++) {
    const control = await answerTo(world, { ...options, ...valid });
    if (control === undefined || control.status === 401) return false;
    // If something in front of the service refuses the token, the service has not seen the control.
    if (control.status === plain.status && mayBeOfFront(plain)) return false;
    if (control.status === status && (isExplained || isHead(answer))) return false;
  }
  return true;
}
