import { isEndpointAnswer, isSuccess, isWebPage, validating } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, outline } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import { madeUpLike } from '../token-form.ts';
import { type Deviation, merged, type Secrets, type Way } from './deviation.ts';
import { checkEnvelope } from './envelope.ts';
import { packed } from './pack.ts';
import { answerTo, search } from './search.ts';

/** The places, and the secrets in them. */
interface Attack {
  readonly clause: MustId;
  readonly places: readonly Deviation[];
  /** A valid token, for the control. */
  readonly token: Token;
  readonly real: Secrets;
  /** Made-up secrets: if the answer differs from the answer to these, the service has read the real ones. */
  readonly madeUp: Secrets;
}

/** The endpoint refuses a valid token in each of these places. @throws Unreachable */
export async function refusesAll(
  world: World,
  clause: MustId,
  places: readonly Deviation[],
): Promise<void> {
  const token = await world.service.issue(world.account);
  const [real, madeUp] = [{ TOKEN: token.secret }, { TOKEN: madeUpLike(token.secret) }];
  await refusesEach(world, { clause, places, token, real, madeUp });
}

/**
 * The endpoint refuses the secrets at each of many places. Plain ones get the contract's 401. Of the others, those that
 * fit together share a request, and only an admission counts.
 * @throws Unreachable
 */
export async function refusesEach(world: World, attack: Attack): Promise<void> {
  const { clause, places, token, real } = attack;
  const { contract } = world;
  const valid = bearer(token);
  const control = await contract.admits(valid, 'BEARER-1');
  if (control.status === 401) return;
  const request = (group: Way): CallOptions => ({
    ...merged(group, world.endpoint, real),
    ...(real.TOKEN && { token }),
  });
  const ordinary = places
    .filter(({ plain }) => plain)
    .map((place) => [{ what: place.what, options: request([place]) }]);
  const answers = await checkEnvelope(world, ordinary, { token, control }, clause);
  if ([...answers.values()].some(({ status }) => status === control.status))
    return contract.unproven(
      `with and without a valid token the endpoint answers ${control.status}`,
    );
  const others = places.filter(({ plain }) => !plain);
  await search(world, packed(others, real), {
    valid,
    request,
    isRefusal: ({ status }) => status === 401,
    isFault: (answer, group) => isFault(world, attack, group, { answer, control }),
    // If a guess alone is turned away too, the server refuses its kind, whether or not the token is valid.
    async reachesGuard(group) {
      const status = (await answerTo(world, request(group.slice(-1))))?.status;
      return (
        status !== undefined && (status === 401 || status === control.status || isSuccess(status))
      );
    },
    // If two servers share an address, only one of them may have the fault. A proxy's page does not recur.
    async report([first, ...more], { answer, again }) {
      let tries = 3;
      while (tries > 0 && (await orNothing(again()))?.status !== answer.status) tries -= 1;
      const others = more.length === 0 ? '' : `, together with ${more.length} other places`;
      const reason = `${first?.what}${others}`;
      const expected = '401, as without a valid token';
      if (tries > 0)
        contract.violated(clause, answer, { reason, expected, received: outline(answer) });
    },
    unproven: ([first]) => contract.unproven(`many requests were turned away: ${first?.what}`),
  });
}

/** Whether the answer is the endpoint's, or differs from the answer to made-up secrets. */
async function isFault(
  world: World,
  { madeUp }: Attack,
  group: Way,
  { answer, control }: { readonly answer: Answer; readonly control: Answer },
): Promise<boolean> {
  const { status } = answer;
  const isOwn = isEndpointAnswer(answer, control);
  const isInPath = group.some(({ items = [] }) => items.some(({ part }) => part === 'path'));
  if (isOwn && !isInPath) return true;
  const isAlike = status === control.status;
  if (isInPath ? !isOwn : !isAlike && !isSuccess(status) && !validating.has(status)) return false;
  const other = await answerTo(world, merged(group, world.endpoint, madeUp));
  if (other === undefined) return false;
  // Something public may be at another path.
  if (isInPath) return other.status !== status;
  if (isAlike && other.status === status)
    world.contract.unproven(`with and without a valid token the endpoint answers ${status}`);
  // A proxy may have sent a page instead of the answer: the endpoint itself does not answer with pages.
  return other.status === 401 && (!isWebPage(answer) || isWebPage(control));
}
