import { expect, test } from '@playwright/test';
import { Confirmations, forAMonitor } from '../../contract/confirmation.ts';
import type { Finding } from '../../contract/finding.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { RequestRetrier, repeatable } from '../../contract/http/resending.ts';
import { Stopped, Unreachable } from '../../contract/http/unreachable.ts';
import { ProbeJudge } from '../../contract/probe-judge.ts';
import { serviceAnswering } from '../client/simulated-service.ts';
import { answer } from './answers.ts';

const finding: Finding = {
  clause: 'ERROR-1',
  probe: 'a-probe',
  endpoint: 'GET /public-api/v1/widgets',
  when: 'no token was sent',
  asked: 'GET /public-api/v1/widgets',
  expected: '401',
  received: '500',
};

/** The first of these answers. A repeated request gets the next one; the last one repeats without end. */
async function answered(...statuses: number[]): Promise<{ first: Answer; requests: () => number }> {
  let at = 0;
  const next = async (): Promise<Answer> => {
    at += 1;
    return answer(statuses[Math.min(at, statuses.length) - 1] ?? 401);
  };
  const first = await new RequestRetrier()
    .of(serviceAnswering(next))
    .call({ method: 'GET', path: '/' });
  return { first, requests: () => at };
}

const isUnexpected = ({ status }: Answer): boolean => status !== 401;

/** The result for answers with these statuses: how often the finding was seen, or that it was an accident. */
async function judged(...statuses: number[]): Promise<[outcome: string, requests: number]> {
  const { first, requests } = await answered(...statuses);
  const found = await new Confirmations().confirm({ answer: first, finding, isUnexpected });
  return [found === undefined ? 'an accident' : (found.seen ?? 'always'), requests()];
}

test('an answer that is seen four times is a finding, without a count', async () => {
  expect(await judged(500)).toEqual(['always', 4]);
  expect(await judged(500, 500, 502, 404)).toEqual(['always', 4]);
});

test('an answer that does not recur is a transient failure', async () => {
  expect(await judged(500, 401)).toEqual(['an accident', 5]);
  expect(await judged(500, 401, 500, 401, 500, 401)).toEqual(['an accident', 7]);
});

test('an answer that one of two servers gives is a finding with its frequency', async () => {
  expect(await judged(500, 401, 500, 401, 500, 401, 500)).toEqual(['4 of 7 requests', 7]);
  expect(await judged(500, 500, 401, 500, 401, 500)).toEqual(['4 of 6 requests', 6]);
});

test('an outage that ends when the provider is checked is an accident', async () => {
  const { first, requests } = await answered(500, 500, 500, 500, 401);
  const confirmations = new Confirmations(async () => {});
  expect(await confirmations.confirm({ answer: first, finding, isUnexpected })).toBeUndefined();
  expect([confirmations.accidents, requests()]).toEqual([1, 8]);
});

test('a confirmed answer is not requested again', async () => {
  const confirmations = new Confirmations();
  const one = await answered(500);
  expect(await confirmations.confirm({ answer: one.first, finding, isUnexpected })).toBe(finding);
  const other = await answered(500, 401);
  expect(await confirmations.confirm({ answer: other.first, finding, isUnexpected })).toBe(finding);
  expect(other.requests()).toBe(1);
});

test('frequent transient failures are a finding at the end, and rare ones are not', async () => {
  const after = async (accidents: number, requests: number): Promise<(string | undefined)[]> => {
    const confirmations = new Confirmations();
    for (let at = 0; at < requests; at++) confirmations.count(finding);
    for (let at = 0; at < accidents; at++) {
      const { first } = await answered(500, 401);
      await confirmations.confirm({ answer: first, finding, isUnexpected });
    }
    expect(confirmations.accidents).toBe(accidents);
    return confirmations.tooOften().map(({ seen }) => seen);
  };
  expect(await after(5, 10)).toEqual([]);
  expect(await after(6, 75)).toEqual(['6 of 75 requests']);
  expect(await after(6, 76)).toEqual([]);
});

test('a provider that has stopped answering breaks no clause', async () => {
  const { first } = await answered(404);
  const stopped = new Confirmations(() => Promise.reject(new Stopped(404)));
  const confirming = stopped.confirm({ answer: first, finding, isUnexpected });
  await expect(confirming).rejects.toThrow('every path answers 404');
});

test('an answer that no request can repeat is a finding at once', async () => {
  const found = await new Confirmations().confirm({ answer: answer(500), finding, isUnexpected });
  expect(found).toBe(finding);
});

function judgeOfMonitor(): ProbeJudge {
  const confirmations = new Confirmations(undefined, forAMonitor);
  return new ProbeJudge('a-probe', 'GET /', { scrub: String, simulated: false, confirmations });
}

/** The number of findings when a bypass gets these pages one after the other; `in` is the endpoint's own page. */
async function shutBehind(...pages: string[]): Promise<number> {
  let at = 0;
  const next = async (): Promise<Answer> => {
    at += 1;
    return answer(200, pages[Math.min(at, pages.length) - 1] ?? '', { type: 'text/html' });
  };
  const retrying = new RequestRetrier().of(serviceAnswering(next));
  const authorised = await retrying.call({ method: 'GET', path: '/' });
  const around = await retrying.call({ method: 'GET', path: '/' });
  const judge = judgeOfMonitor();
  judge.shut(around, 'BEARER-2', { control: authorised, authorised, reason: 'a detour' });
  await judge.confirmed();
  return judge.record.findings.length;
}

test("a proxy's page in place of the endpoint's answer is a transient failure", async () => {
  expect(await shutBehind('sorry', 'sorry', 'refused')).toBe(0);
  expect(await shutBehind('in', 'in')).toBe(1);
});

test('no request is in progress when a run ends for lack of an answer', async () => {
  const slow = Promise.withResolvers<Answer>();
  const lost = async (): Promise<Answer> => Promise.reject(new Unreachable('reset', 'GET /'));
  const replies = [async () => answer(500), async () => answer(503), lost, () => slow.promise];
  const next = (): Promise<Answer> => (replies.shift() ?? lost)();
  const own = repeatable(serviceAnswering(next), { credentials: false });
  const call = () => own.call({ method: 'GET', path: '/' });
  const one = await call();
  const other = await call();
  const judge = judgeOfMonitor();
  for (const odd of [one, other])
    judge.refused(odd, 'BEARER-3', { control: answer(200), reason: '' });
  let isOver = false;
  const end = judge
    .confirmed()
    .catch((error: Error) => error.message)
    .finally(() => {
      isOver = true;
    });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  slow.resolve(answer(401));
  expect(await end).toContain('GET /');
});
