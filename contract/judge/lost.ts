import type { Answer } from '../http/answer.ts';
import { orNothing, Unreachable } from '../http/unreachable.ts';
import type { Token } from '../secrets/secret.ts';
import { needed } from './repetitions.ts';

/**
 * Whether requests of a kind never get an answer, although others do each time.
 * @param error why the first got none
 * @param control the answer to the same request with a valid token
 * @param admitted sends a request that is admitted @throws Unreachable if these get no answer either
 */
export async function isLostAlone(
  error: unknown,
  { request: { token } }: Answer,
  again: () => Promise<unknown>,
  admitted: (token: Token) => Promise<unknown>,
): Promise<boolean> {
  if (!(error instanceof Unreachable) || error.reason !== 'reset' || !token) return false;
  for (let tries = 0; tries < needed; tries++) {
    if ((await orNothing(again())) !== undefined) return false;
    await admitted(token);
  }
  return true;
}

/** What a finding shows in place of the answer that never came. */
export const withoutAnswer = (control: Answer, line: string): Answer => ({
  ...control,
  body: Buffer.alloc(0),
  request: { line },
});
