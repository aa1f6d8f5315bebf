import {
  envelopeBreaches,
  isEndpointAnswer,
  isSuccess,
  isWebPage,
  mayBeFromFront,
  validationStatuses,
} from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, isHead, outline } from '../http/answer.ts';
import { bearer, orNothing } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import type { ClauseOf } from '../judge/findings.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import { randomLike } from '../token-form.ts';
import { type Deviation, describeWay, mergeWay, type Secrets, type Way } from './deviation.ts';
import { answerTo, groupPlaces, search } from './search.ts';

/**
 * The endpoint refuses a valid token, or the credentials, at each of many places. Those that fit together share a
 * request, and only an admission counts.
 * @param credentials the secrets in the places; by default a token
 * @throws UnreachableError
 */
export async function refusesAll(
  world: World,
  clause: MustId,
  places: readonly Deviation[],
  credentials?: Secrets,
): Promise<void> {
  const token = await world.service.issue(world.account);
  const real = credentials ?? { TOKEN: token.secret };
  const { contract } = world;
  const valid = bearer(token);
  const first = await contract.admits(valid, 'BEARER-1');
  if (first.status === 401) return;
  // An accident may have answered the first.
  const control = isSuccess(first.status) ? first : await contract.admits(valid, 'BEARER-1');
  const request = (group: Way): CallOptions => ({
    ...mergeWay(group, world.endpoint, real),
    ...(credentials === undefined && { token }),
  });
  await search(world, contract.selectPart(groupPlaces(places, real)), {
    valid,
    request,
    isRefusal: ({ status }) => status === 401,
    isFault: (answer, group) => isFault(world, group, real, { answer, control }),
    // If a guess alone is turned away too, the server refuses its kind, whether or not the token is valid.
    async reachesGuard(group) {
      const { status = 0 } = (await answerTo(world, request(group.slice(-1)))) ?? {};
      return status === 401 || status === control.status || isSuccess(status);
    },
    // If two servers share an address, only one of them may have the fault. A proxy's page does not recur.
    async report([first, ...more], { answer, resend }) {
      let tries = 3;
      while (tries > 0 && (await orNothing(resend()))?.status !== answer.status) tries -= 1;
      const others = more.length === 0 ? '' : `, together with ${more.length} other places`;
      const reason = `${first?.what}${others}`;
      const expected = '401, as without a valid token';
      if (tries > 0)
        contract.violated(clause, answer, { reason, expected, received: outline(answer) });
    },
    unproven: ([first]) => contract.unproven(`many requests were turned away: ${first?.what}`),
  });
}

const alike = (status: number): string =>
  `with and without a valid token the endpoint answers ${status}`;

/** Whether the answer is the endpoint's, or shows that the service has read the secrets: made-up ones get another. */
async function isFault(
  world: World,
  group: Way,
  real: Secrets,
  { answer, control }: { readonly answer: Answer; readonly control: Answer },
): Promise<boolean> {
  const { status } = answer;
  if (isEndpointAnswer(answer, control) && !isWebPage(control)) return true;
  const isAlike = status === control.status;
  if (!isAlike && !isSuccess(status) && !validationStatuses.has(status)) return false;
  const entries = Object.entries(real).map(([name, secret]) => [name, randomLike(secret)]);
  const other = await answerTo(world, mergeWay(group, world.endpoint, Object.fromEntries(entries)));
  if (other === undefined) return false;
  if (isAlike && other.status === status) world.contract.unproven(alike(status));
  // A proxy may have sent a page instead of the answer: the endpoint itself does not answer with pages.
  return other.status === 401 && (!isWebPage(answer) || isWebPage(control));
}

/** The 401 and its envelope; an answer to HEAD has no body. */
const isEnvelope = (answer: Answer): boolean =>
  answer.status === 401 && envelopeBreaches(answer).length === 0;

/**
 * An unauthorised request gets the contract's 401, whatever its other properties. If it does not, the same request with
 * a valid token shows whether a proxy refuses it in any case.
 * @param control the answer to a plain request with the token @param clause violated when the request is admitted
 * @throws UnreachableError
 */
export async function checkEnvelope(
  world: World,
  ways: readonly Way[],
  { token, control }: { readonly token: Token; readonly control: Answer },
  clause: ClauseOf,
): Promise<void> {
  const valid = bearer(token);
  await search(world, ways, {
    valid,
    request: (way) => mergeWay(way, world.endpoint),
    isRefusal: (answer, way) =>
      isEnvelope(answer) || (isFromFront(answer, way) && !isEndpointAnswer(answer, control)),
    isFault: async (answer, way) =>
      answer.status === 401 || isSignificant(world, answer, way, { valid, plain: control }),
    report: (way, exchanged) =>
      world.contract.judgeRefusal(exchanged, clause, { control, reason: describeWay(way) }),
  });
}

/**
 * Whether something in front of the service may answer such a request instead. A server that lacks an accepted type may
 * say so (RFC 9110 12.1, OPEN-9). A firewall refuses an odd text in words of its own, so of odd texts only an admission,
 * a crash and a 401 count.
 */
const isFromFront = ({ status }: Answer, way: Way): boolean =>
  status === 406 || (status < 500 && status !== 401 && way.some(({ odd }) => odd));

/** How often the control is requested: a proxy may answer one of them. */
const controls = 3;

/** Whether another status is significant: not if a valid token gets it too. @param plain a valid token's answer */
async function isSignificant(
  world: World,
  answer: Answer,
  way: Way,
  { valid, plain }: { readonly valid: CallOptions; readonly plain: Answer },
): Promise<boolean> {
  const { status } = answer;
  const options = mergeWay(way, world.endpoint);
  // Preconditions come after the guard (RFC 9110 13.2.1), so the same answer to a valid token explains nothing. But one
  // to HEAD may be an intermediary's.
  const isExplained = !isSuccess(status) && status !== 304 && status !== 412;
  for (let count = 0; count < controls; count++) {
    const control = await answerTo(world, { ...options, ...valid });
    if (control === undefined || control.status === 401) return false;
    // If something in front of the service refuses the token, the service has not seen the control.
    if (control.status === plain.status && mayBeFromFront(plain)) {
      if (status === plain.status) world.contract.unproven(alike(status));
      return false;
    }
    if (control.status === status && (isExplained || isHead(answer))) return false;
  }
  return true;
}
