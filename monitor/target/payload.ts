import { jsonOf, outline } from '../../contract/http/answer.ts';
import { bearer } from '../../contract/http/client.ts';
import type { Probe } from '../../contract/probe.ts';
import { PayloadMismatchError } from '../../contract/round/attempt.ts';
import { compileSchema, sentence } from '../../contract/schema.ts';

/** The expected payload of an authorised answer. */
export interface PayloadCheck {
  /** The schema as JSON. If it changes, the target counts as a different one. */
  readonly schema: string;
  /** The first difference from the schema: one line, free of the payload's values. */
  mismatch(payload: unknown): string | undefined;
}

/** Compiles the schema of an endpoint's owner. @throws Error of one line when it is not a schema */
export function payloadCheck(schema: Record<string, unknown> | boolean): PayloadCheck {
  const mismatches = compileSchema(schema);
  return {
    schema: JSON.stringify(schema),
    mismatch(payload) {
      const [first] = mismatches(payload);
      return first && sentence(first);
    },
  };
}

export interface PayloadProbe extends Probe {
  readonly unfit: PayloadCheck;
}

export const isAboutPayload = (probe: Probe): probe is PayloadProbe => 'unfit' in probe;

/**
 * The contract does not specify payloads (OPEN-7), but the owner of an endpoint may: the body of a success must
 * match the owner's schema. No clause depends on it.
 */
export const payloadProbe = (unfit: PayloadCheck): PayloadProbe => ({
  name: 'the-payload-is-as-its-schema-says',
  unfit,
  clauses: ['OPEN-7'],
  scope: 'core',
  stage: 'present',
  anyToken: true,
  everySeconds: 60,
  async run({ service, account, endpoint, contract }) {
    const answer = await service.call(endpoint, bearer(await service.issue(account)));
    if (answer.status < 200 || answer.status > 299)
      return contract.unproven(`the endpoint answers ${answer.status}`);
    const json = jsonOf(answer);
    const why = json.is === 'json' ? unfit.mismatch(json.value) : `the body is ${json.why}`;
    if (why !== undefined) throw new PayloadMismatchError(`${outline(answer)}: ${why}`);
  },
});
