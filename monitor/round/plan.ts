import { createHash } from 'node:crypto';
import { isSuccess, payloadMismatch } from '../../contract/admission.ts';
import { bearer } from '../../contract/http/client.ts';
import { endpointName } from '../../contract/http/request.ts';
import {
  daily,
  isIntrusive,
  needsClock,
  type Probe,
  payloadProbeName,
  stages,
} from '../../contract/probe.ts';
import { PayloadMismatchError } from '../../contract/round/attempt.ts';
import { endpointsFor } from '../../contract/round/target.ts';
import type { WatchedEndpoint, WatchedTarget } from './watched-target.ts';

/** One probe on one endpoint of a target. */
export interface Place {
  /** Unique among the places of a target; names the place in the state file too. */
  readonly key: string;
  readonly probe: Probe;
  readonly endpoint: WatchedEndpoint;
  readonly everySeconds: number;
}

/** The key of the place of a probe on an endpoint with this name. */
export const createPlaceKey = (probe: Probe, endpoint: string): string =>
  probe.scope === 'service' ? probe.name : `${probe.name} ${endpoint}`;

/** The request with a valid token: what blackbox_exporter's metrics describe. */
const controlName = 'a-token-opens-the-endpoint';

export const isControl = ({ probe }: Pick<Place, 'probe'>): boolean => probe.name === controlName;

/** The `everySeconds` of the quick probes. */
const quickSeconds = 60;

/** The probes that a monitor can run. @param allowed whether wrong credentials may be sent, which may lock an account */
export const selectMonitored = (probes: readonly Probe[], allowed = false): Probe[] =>
  probes.filter(
    (probe) =>
      !needsClock(probe) && (isIntrusive(probe) ? allowed : probe.everySeconds !== undefined),
  );

/**
 * The places of a target, in the order of a round. A probe's own period is scaled: at 30 instead of 60 seconds, all run
 * twice as often. @param usualSeconds how often the quick probes run, unless the target says otherwise
 */
export function planPlaces(target: WatchedTarget, probes: readonly Probe[], usualSeconds: number) {
  const { endpoints, chosen = {}, intrusive, periodSeconds = usualSeconds } = target;
  const places = selectMonitored([...probes, payloadProbe], intrusive).flatMap((probe) => {
    const choice = chosen[probe.name];
    if (choice === 'off') return [];
    const { everySeconds: usual = daily } = probe;
    const scaled = (usual * periodSeconds) / quickSeconds;
    const ownSeconds = usual === daily ? Math.max(periodSeconds, Math.min(daily, scaled)) : scaled;
    const everySeconds = choice?.everySeconds ?? ownSeconds;
    return selectEndpoints(probe, endpoints).map((endpoint): Place => {
      const key = createPlaceKey(probe, endpointName(endpoint));
      return { key, probe, endpoint, everySeconds };
    });
  });
  const turn = ({ probe }: Place): number => stages.indexOf(probe.stage);
  return places.sort((a, b) => turn(a) - turn(b));
}

/** The endpoints of a probe: each one, one for all of them, or those with a schema. */
const selectEndpoints = (probe: Probe, endpoints: WatchedTarget['endpoints']) =>
  probe === payloadProbe
    ? endpoints.filter(({ unfit }) => unfit !== undefined)
    : endpointsFor(probe, { endpoints });

/** From 0 up to 1, exclusive. */
export const hashToFraction = (name: string): number =>
  createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;

/** The body of a success must match the schema of the endpoint's owner. No clause depends on it (OPEN-7). */
export const payloadProbe: Probe = {
  name: payloadProbeName,
  clauses: ['OPEN-7'],
  scope: 'core',
  stage: 'present',
  anyToken: true,
  everySeconds: 60,
  async run({ service, account, endpoint, contract }) {
    const answer = await service.call(endpoint, bearer(await service.issue(account)));
    if (!isSuccess(answer.status))
      return contract.unproven(`the endpoint answers ${answer.status}`);
    const { unfit }: WatchedEndpoint = endpoint;
    const why = unfit && payloadMismatch(answer, unfit);
    if (why !== undefined) throw new PayloadMismatchError(why);
  },
};
