import { type Answer, jsonOf, outline } from '../http/answer.ts';

/** What the owner of an endpoint says about the payload of an authorised answer. No clause does (OPEN-7). */
export interface PayloadRule {
  /** The first difference: one line without the payload's values. */
  mismatch(payload: unknown): string | undefined;
}

/** The difference of a success from its rule: one line. */
export function payloadMismatch(answer: Answer, { mismatch }: PayloadRule): string | undefined {
  const json = jsonOf(answer);
  const why = json.is === 'json' ? mismatch(json.value) : `the body is ${json.why}`;
  return why && `${outline(answer)}: ${why}`;
}

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status <= 299;
