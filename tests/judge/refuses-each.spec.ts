import { expect, test } from '@playwright/test';
import { bare, tokenIn } from '../../contract/attempts/places.ts';
import { refusesAll } from '../../contract/attempts/refusals.ts';
import type { Answer } from '../../contract/http/answer.ts';
import type { Service } from '../../contract/http/client.ts';
import type { CallOptions } from '../../contract/http/request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { presentClock } from '../../contract/round/attempt.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';
import { aTokenInQueryCookieHeaderOrBodyIsRefused } from '../../probes/bearer.ts';
import { account, serviceAnswering, widgets } from '../client/simulated-service.ts';
import { answer, contractOver, widgets as payload, refusal } from './answers.ts';

/** What a probe of one endpoint gets, and what its judge records. */
function worldOf(service: Service) {
  const contract = contractOver(service, widgets);
  const common = { account, endpoint: widgets, endpoints: [widgets] as const, clock: presentClock };
  return [{ ...common, service, contract }, contract.record] as const;
}

const token = { secret: new Secret('real'), madeAt: 0 };
const names = Array.from({ length: 16 }, (_, index) => `X-${index}`);

/** A request as a guard sees it: the headers with the valid token, all headers, and whether it has Authorization. */
interface SentRequest {
  readonly real: readonly string[];
  readonly names: readonly string[];
  readonly authorised: boolean;
}

const refused = answer(401, refusal);
const welcome = answer(200, payload);

/** The findings and the number of requests when a guard answers like this. It admits a plain request with a token. */
async function search(
  guard: (seen: SentRequest) => Answer,
  {
    control = welcome,
    accidents = [] as Answer[],
    isDown = false,
    valid = token,
    list = names,
  } = {},
) {
  let requests = 0;
  const service = serviceAnswering(async () => answer(200));
  service.call = async (_endpoint, { authorization, headers = {} }: CallOptions = {}) => {
    requests += 1;
    const authorised = authorization !== undefined;
    if (authorised && Object.keys(headers).length === 0) {
      if (requests > 1 && isDown) throw new UnreachableError('reset', 'GET /public-api/v1/widgets');
      return accidents.shift() ?? control;
    }
    const isReal = (value: unknown) => value instanceof Secret && open(value) === 'real';
    const real = Object.entries(headers).filter(([, value]) => isReal(value));
    const seen = { authorised, names: Object.keys(headers), real: real.map(([name]) => name) };
    const reply = guard(seen);
    return authorised && reply === refused ? welcome : reply;
  };
  service.issue = async () => valid;
  const [world, record] = worldOf(service);
  await refusesAll(world, 'BEARER-2', tokenIn('header', list, bare));
  const found = record.findings.map(
    ({ clause, when }) => `${clause} ${when.replace('the token is in the header ', '')}`,
  );
  return { requests, found, unproven: record.unproven };
}

test('all guesses take one request beside the control when all are refused', async () => {
  expect(await search(() => refused)).toEqual({ requests: 2, found: [], unproven: undefined });
});

for (const name of ['X-0', 'X-7', 'X-15'])
  test(`the cause is named when ${name} is admitted`, async () => {
    const { found, requests } = await search(({ real }) =>
      real.includes(name) ? welcome : refused,
    );
    expect(found).toEqual([`BEARER-2 ${name}`]);
    expect(requests).toBe(11);
  });

test('a place that is turned away is not admitted where an accident answers the first control alike', async () => {
  const timeout = answer(408);
  const { found } = await search(({ real }) => (real.includes('X-3') ? timeout : refused), {
    accidents: [timeout],
  });
  expect(found).toEqual([]);
});

test('each of two causes is named', async () => {
  const { found } = await search(({ real }) =>
    real.includes('X-3') || real.includes('X-12') ? welcome : refused,
  );
  expect(found).toEqual(['BEARER-2 X-3', 'BEARER-2 X-12']);
});

test('a guard that requires two of the places is found, and both are named together', async () => {
  const { found } = await search(({ real }) =>
    real.includes('X-3') && real.includes('X-12') ? welcome : refused,
  );
  expect(found).toEqual(['BEARER-2 X-0, together with 15 other places']);
});

test('a provider that refuses duplicate credentials is searched place by place', async () => {
  const { found, unproven } = await search(({ real, names: all }) => {
    const read = all.filter((name) => name === 'X-2' || name === 'X-9');
    if (read.length > 1) return answer(400);
    return real.includes('X-9') || real.includes('X-2') ? welcome : refused;
  });
  expect(found).toEqual(['BEARER-2 X-2', 'BEARER-2 X-9']);
  expect(unproven).toBeUndefined();
});

test('a firewall that refuses a header name breaks no clause, and hides no other header', async () => {
  const guard = (others: Answer) => (seen: SentRequest) =>
    seen.names.includes('X-5') ? answer(403) : seen.real.includes('X-6') ? others : refused;
  expect(await search(guard(refused))).toMatchObject({ found: [], unproven: undefined });
  expect((await search(guard(welcome))).found).toEqual(['BEARER-2 X-6']);
});

test('cookies are searched where the server refuses every cookie with a blank', async () => {
  const service = serviceAnswering(async () => answer(200));
  let isOpen = false;
  service.call = async (_endpoint, { authorization, headers = {} }: CallOptions = {}) => {
    const cookies = headers.Cookie instanceof Secret ? open(headers.Cookie) : '';
    if (cookies.replaceAll('; ', ';').includes(' ')) return answer(400);
    if (isOpen && /(^|; )jwt=Bearer%20real/.test(cookies)) return welcome;
    return authorization === undefined ? refused : welcome;
  };
  service.issue = async () => token;
  const [world, record] = worldOf(service);
  await aTokenInQueryCookieHeaderOrBodyIsRefused.run(world);
  expect({ findings: record.findings, unproven: record.unproven }).toEqual({
    findings: [],
    unproven: undefined,
  });
  isOpen = true;
  await aTokenInQueryCookieHeaderOrBodyIsRefused.run(world);
  const when = 'the token is in the cookie jwt, as "Bearer%20TOKEN"';
  expect(record.findings).toMatchObject([{ when }]);
});

test('a page that a made-up token gets too violates nothing', async () => {
  const page = answer(200, 'welcome', { type: 'text/html; charset=utf-8' });
  const { found, unproven } = await search(() => page);
  expect(found).toEqual([]);
  expect(unproven).toBe('with and without a valid token the endpoint answers 200');
});

test('another success, or a look at the input, that only the valid token gets is a breach', async () => {
  for (const status of [204, 409, 422]) {
    const { found } = await search(({ real }) => (real.includes('X-4') ? answer(status) : refused));
    expect(found).toEqual(['BEARER-2 X-4']);
  }
});

test('a bypass is found where the endpoint itself answers 404', async () => {
  const control = answer(404, { success: false, message: 'No such widget.' });
  const guard = ({ real }: SentRequest) => (real.includes('X-4') ? control : refused);
  const { found } = await search(guard, { control });
  expect(found).toEqual(['BEARER-2 X-4']);
});

test('a provider that stops answering is unreachable, and a provider that cuts odd requests off is not', async () => {
  const silent = () => {
    throw new UnreachableError('reset', 'GET /public-api/v1/widgets');
  };
  await expect(search(silent, { isDown: true })).rejects.toThrow(UnreachableError);
  expect(await search(silent)).toEqual({ requests: 4, found: [], unproven: undefined });
});

test('the search is skipped where a valid token is refused', async () => {
  const { requests, found } = await search(() => refused, { control: refused });
  expect({ requests, found }).toEqual({ requests: 1, found: ['BEARER-1 the token is valid'] });
});
