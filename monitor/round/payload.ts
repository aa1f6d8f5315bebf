import { payloadProbeName } from '../../config/defaults.ts';
import type { PayloadCheck } from '../../config/endpoint-fields.ts';
import { isSuccess, payloadMismatch } from '../../contract/admission.ts';
import { bearer } from '../../contract/http/client.ts';
import type { Probe } from '../../contract/probe.ts';
import { PayloadMismatchError } from '../../contract/round/attempt.ts';

export interface PayloadProbe extends Probe {
  readonly unfit: PayloadCheck;
}

export const isAboutPayload = (probe: Probe): probe is PayloadProbe => 'unfit' in probe;

/**
 * The contract does not specify payloads (OPEN-7), but the owner of an endpoint may: the body of a success must
 * match the owner's schema. No clause depends on it.
 */
export const payloadProbe = (unfit: PayloadCheck): PayloadProbe => ({
  name: payloadProbeName,
  unfit,
  clauses: ['OPEN-7'],
  scope: 'core',
  stage: 'present',
  anyToken: true,
  everySeconds: 60,
  async run({ service, account, endpoint, contract }) {
    const answer = await service.call(endpoint, bearer(await service.issue(account)));
    if (!isSuccess(answer.status))
      return contract.unproven(`the endpoint answers ${answer.status}`);
    const why = payloadMismatch(answer, unfit);
    if (why !== undefined) throw new PayloadMismatchError(why);
  },
});
