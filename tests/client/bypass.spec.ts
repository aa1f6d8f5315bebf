import { expect, test } from '@playwright/test';
import { refusesBypasses } from '../../contract/attempts/bypass.ts';
import { addHeaders, type Deviation } from '../../contract/attempts/deviation.ts';
import type { Answer } from '../../contract/http/answer.ts';
import type { CallOptions, Endpoint } from '../../contract/http/request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { presentClock } from '../../contract/round/attempt.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { answer, contractOver, widgets as payload, refusal } from '../judge/answers.ts';
import { account, serviceAnswering, widgets } from './simulated-service.ts';

const prefix = '/public-api/v1/';

/** A request as the tests see it: its path, and whether it has a valid token, a forged token or no token. */
interface Sent {
  readonly method: string;
  readonly way: string;
  readonly names: readonly string[];
  readonly token: 'valid' | 'forged' | 'no';
}

const plainly = ({ token }: Sent): Answer =>
  token === 'valid' ? answer(200, payload) : answer(401, refusal);

const nothing = answer(404, 'nothing here');

/** The requests, and the findings when a provider answers like this. */
async function walk(
  ways: readonly (readonly Deviation[])[],
  provider: (sent: Sent) => Answer,
): Promise<{ requests: string[]; found: string[]; unproven?: string }> {
  const requests: string[] = [];
  const service = serviceAnswering(async () => answer(200));
  const valid = { secret: new Secret('token-0'), madeAt: Date.now() };
  service.issue = async () => valid;
  service.call = async (endpoint: Endpoint, options: CallOptions = {}) => {
    const forged = options.authorization === undefined ? 'no' : 'forged';
    const token = options.token === valid ? 'valid' : forged;
    const sent: Sent = {
      method: options.method ?? endpoint.method,
      way: (options.path ?? endpoint.path).slice(prefix.length),
      names: Object.keys(options.headers ?? {}),
      token,
    };
    requests.push([sent.way, ...sent.names, `${token} token`].join(' '));
    const given = provider(sent);
    return { ...given, request: { line: `${sent.method} ${prefix}${sent.way}` } };
  };
  const contract = contractOver(service, widgets);
  const { record } = contract;
  const world = {
    service,
    account,
    endpoint: widgets,
    endpoints: [widgets],
    contract,
  };
  await refusesBypasses({ ...world, clock: presentClock }, ways);
  const found = record.findings.map(({ clause, when }) => `${clause} ${when}`);
  return { requests, found, unproven: record.unproven };
}

const spelt = (...suffixes: readonly string[]): Deviation[][] =>
  suffixes.map((suffix) => [
    { what: `it ends with ${suffix}`, options: ({ path }) => ({ path: path + suffix }) },
  ]);

const named = (names: string): Deviation[] => addHeaders(`${names}: 1`);

test('a page that every unknown path returns is not a breach', async () => {
  const page = (way: string): Answer => answer(200, { ...payload, message: `No ${way}.` });
  const welcome = (sent: Sent): Answer => (sent.way === 'widgets' ? plainly(sent) : page(sent.way));
  expect((await walk(spelt('.a', '.b'), welcome)).found).toEqual([]);
});

test('a breach is found although unknown paths return the same form of answer', async () => {
  const { found } = await walk(spelt('.a'), (sent) => {
    if (sent.way === 'widgets.a') return answer(200, payload);
    return sent.way === 'widgets' ? plainly(sent) : answer(200, { ...payload, data: [] });
  });
  expect(found).toEqual(['BEARER-2 it ends with .a']);
});

test('an endpoint that is open anyway is not judged, and the probe proves nothing', async () => {
  const { found, unproven } = await walk(spelt('.a'), () => answer(200, payload));
  expect(found).toEqual([]);
  expect(unproven).toBe('the endpoint is open without a valid token');
});

test('the header that is admitted is named when a request carries many headers', async () => {
  const { requests, found } = await walk([named('A B C D E')], (sent) => {
    if (sent.way !== 'widgets') return nothing;
    return sent.names.includes('D') ? answer(200, payload) : plainly(sent);
  });
  expect(found).toEqual(['BEARER-2 it has D: 1']);
  expect(requests.length).toBeLessThanOrEqual(12);
});

test('a path variant without an answer is skipped, and the next one is tried', async () => {
  const { found } = await walk(spelt('.a', '.b'), (sent) => {
    if (sent.way.endsWith('.a')) throw new UnreachableError('reset', 'GET');
    if (sent.way === 'widgets.b') return answer(200, payload);
    return sent.way === 'widgets' ? plainly(sent) : nothing;
  });
  expect(found).toEqual(['BEARER-2 it ends with .b']);
});

test('a HEAD answer as long as the authorised answer is a breach where GET is refused', async () => {
  const way: Deviation = { what: 'it is HEAD', options: { method: 'HEAD' } };
  const head = (length: string): Answer => ({
    ...answer(200, '', { type: 'application/json' }),
    headers: [
      ['Content-Type', 'application/json'],
      ['Content-Length', length],
    ],
  });
  const heads = (unauthorised: Answer, plain = answer(401, refusal)) =>
    walk([[way]], (sent) => {
      if (sent.way !== 'widgets') return nothing;
      if (sent.method === 'HEAD') return sent.token === 'valid' ? head('40') : unauthorised;
      return sent.token === 'valid' ? answer(200, payload) : plain;
    });
  expect((await heads(head('40'))).found).toEqual(['BEARER-2 it is HEAD']);
  expect((await heads(head('0'))).found).toEqual([]);
  expect((await heads(head('40'), answer(403, refusal))).found).toEqual([]);
});

test('a guard that is open to a mis-spelt path is found where every path is answered alike', async () => {
  const { found } = await walk(spelt('/'), (sent) =>
    sent.way.endsWith('/')
      ? answer(200, { ...payload, message: `You asked for ${sent.way}` })
      : plainly(sent),
  );
  expect(found).toEqual(['BEARER-2 it ends with /']);
});
