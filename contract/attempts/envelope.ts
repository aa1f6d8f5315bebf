import { isEndpointAnswer, isRefusal } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, isHead, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import { type Deviation, described, merged } from './deviation.ts';
import { type Question, search } from './search.ts';

/**
 * An unauthorised request gets the contract's 401, whatever its other properties. If it does not, the same request with
 * a valid token shows whether a proxy refuses it in any case.
 * @param admitted the endpoint's own answer to a valid token
 * @param clause the one that is violated when the request is admitted
 * @returns the variations that got the 401
 * @throws Unreachable
 */
export async function checkEnvelope(
  world: World,
  variations: readonly (readonly Deviation[])[],
  admitted: Answer,
  clause: MustId,
): Promise<readonly (readonly Deviation[])[]> {
  const envelope = new Envelope(world, admitted, clause);
  await search(variations, envelope);
  return variations.filter((variation) => envelope.fits.has(variation));
}

/** How often the control is requested when the status is not 401: a proxy may answer one of them. */
const controls = 3;

class Envelope implements Question<Deviation> {
  readonly fits = new Set<readonly Deviation[]>();
  readonly #world: World;
  readonly #admitted: Answer;
  readonly #clause: MustId;

  constructor(world: World, admitted: Answer, clause: MustId) {
    this.#world = world;
    this.#admitted = admitted;
    this.#clause = clause;
  }

  send(variation: readonly Deviation[]): Promise<Answer | undefined> {
    return orNothing(this.#call(merged(variation, this.#world.endpoint)));
  }

  isRefusal(answer: Answer, variation: readonly Deviation[]): boolean {
    if (isEnvelope(answer)) this.fits.add(variation);
    const isTolerated = variation.some(({ tolerated }) => tolerated?.includes(answer.status));
    return isEnvelope(answer) || isTolerated || (isOdd(variation) && isFirewallPage(answer));
  }

  async isFault(answer: Answer, variation: readonly Deviation[]): Promise<boolean> {
    if (answer.status === 401) return true;
    const { service, account, endpoint } = this.#world;
    const valid = bearer(await service.issue(account));
    const options = merged(variation, endpoint);
    const controlOf = (more: CallOptions) => orNothing(this.#call({ ...more, ...valid }));
    const noted = isOdd(variation) ? beside(options) : undefined;
    if (noted !== undefined && (await controlOf(noted))?.status === answer.status) return false;
    for (let count = 0; count < controls; count++)
      if (!differs(answer, await controlOf(options))) return false;
    return true;
  }

  async report(variation: readonly Deviation[], answer: Answer): Promise<void> {
    const clause = isEndpointAnswer(answer, this.#admitted) ? this.#clause : 'ERROR-1';
    const again = () => this.#call(merged(variation, this.#world.endpoint));
    const contrast = { control: this.#admitted, reason: described(variation) };
    await this.#world.contract.judgeRefusal({ answer, again }, clause, contrast);
  }

  #call(options: CallOptions): Promise<Answer> {
    const { service, endpoint } = this.#world;
    return service.call(endpoint, { ...options, mayFail: true });
  }
}

const isOdd = (variation: readonly Deviation[]): boolean => variation.some(({ odd }) => odd);

/** The 401 and its envelope; an answer to HEAD has no body. */
const isEnvelope = (answer: Answer): boolean =>
  isHead(answer) ? answer.status === 401 : isRefusal(answer);

/** Whether it is the answer of a firewall instead of the service: a page, not JSON. */
const isFirewallPage = (answer: Answer): boolean =>
  jsonOf(answer).is !== 'json' &&
  [200, 400, 403, 404, 405, 406, 413, 414, 415, 426, 431, 501].includes(answer.status);

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
