import { expect, test } from '@playwright/test';
import type { Answer } from '../../contract/http/answer.ts';
import { StoppedError, UnreachableError } from '../../contract/http/unreachable.ts';
import { confirm, isLostAlone } from '../../contract/judge/repetitions.ts';
import { answer } from './answers.ts';

/** A request whose repetitions get these statuses one after the other; the last one without end. */
function answered(...statuses: number[]) {
  let requests = 0;
  const again = async (): Promise<Answer> => {
    requests += 1;
    return answer(statuses[Math.min(requests, statuses.length) - 1] ?? 401);
  };
  return { again, requests: () => requests };
}

const isUnexpected = ({ status }: Answer): boolean => status !== 401;

/** How often an unexpected answer was seen, and how often it was asked for again. */
async function repeated(...statuses: number[]): Promise<[seen: string, requests: number]> {
  const { again, requests } = answered(...statuses);
  const found = await confirm(again, isUnexpected);
  return [found === undefined ? 'an accident' : (found.seen ?? 'always'), requests()];
}

test('an answer that is seen four times is a finding, without a count', async () => {
  expect(await repeated(500)).toEqual(['always', 4]);
  expect(await repeated(500, 502, 404, 500)).toEqual(['always', 4]);
});

test('an answer that does not recur is an accident', async () => {
  expect(await repeated(401)).toEqual(['an accident', 4]);
  expect(await repeated(401, 500, 401, 500, 401, 401)).toEqual(['an accident', 6]);
});

test('an answer that one of two servers gives is a finding with its frequency', async () => {
  expect(await repeated(401, 500, 401, 500, 401, 500)).toEqual(['4 of 7 requests', 6]);
});

test('an outage that ends when the provider is checked is an accident', async () => {
  const { again } = answered(500, 500, 500, 401);
  expect(await confirm(again, isUnexpected)).toBeUndefined();
});

test('a provider that has stopped answering violates no clause', async () => {
  const stopped = () => Promise.reject(new StoppedError(404, 'every path'));
  for (const { again } of [answered(404), answered(401, 404, 401, 404)]) {
    const confirming = confirm(again, isUnexpected, stopped);
    await expect(confirming).rejects.toThrow('every path answers 404');
  }
});

test('requests are lost alone only while all others get an answer', async () => {
  const lost = (): Promise<Answer> => Promise.reject(new UnreachableError('reset', 'GET /'));
  const fine = async (): Promise<Answer> => answer(200);
  const error = new UnreachableError('reset', 'GET /');
  expect(await isLostAlone(error, lost, fine)).toBe(true);
  expect(await isLostAlone(error, fine, fine)).toBe(false);
  expect(await isLostAlone(new UnreachableError('timeout', 'GET /'), lost, fine)).toBe(false);
  await expect(isLostAlone(error, lost, lost)).rejects.toThrow('GET /');
});
