import { expect, test } from '@playwright/test';
import { days } from '../../contract/durations.ts';
import type { Answer } from '../../contract/http/answer.ts';
import type { Service } from '../../contract/http/client.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Clock } from '../../contract/time/clock.ts';
import { checkClockMoves } from '../../contract/time/clock-check.ts';

const simulated = Date.now() + days(3);

/** How a provider answers a request with its old token, and what its new token is. */
interface ProviderAnswers {
  readonly old: number;
  /** The `Date` headers of its answers, in order; the last one repeats. */
  readonly dates?: readonly (number | string)[];
  readonly token?: string;
  /** Whether the provider reissues the same token. */
  readonly again?: true;
  readonly failure?: Error;
}

/** Checks the clock of such a provider. @returns the complaint, and how often the check waited */
async function check({ old, dates = [], token = 'opaque', again, failure }: ProviderAnswers) {
  let issued = 0;
  let waits = 0;
  const left = [...dates];
  const service: Pick<Service, 'issue' | 'call'> = {
    issue: async () => ({
      secret: new Secret(token),
      madeAt: issued++,
      ...(again && issued > 1 ? { issuedBefore: true } : {}),
    }),
    call: async (_endpoint, options): Promise<Answer> => {
      if (failure !== undefined) throw failure;
      const date = left.length > 1 ? left.shift() : left[0];
      return answer(options?.token?.madeAt === 0 ? old : 200, date);
    },
  };
  const complaint = await checkClockMoves(
    { name: 'clock file c', read: never, set: never, release: never },
    {
      service: { ...service, connection: never },
      account: { apiKey: new Secret('k'), secretKey: new Secret('s') },
      endpoint: { method: 'GET', path: '/public-api/v1/widgets' },
    },
    { now: () => simulated, pass: async () => {}, until: never } satisfies Clock,
    async () => {
      waits += 1;
    },
  ).then(
    () => 'none',
    (error: Error) => `${error.name}: ${error.message}`,
  );
  return { complaint, waits };
}

const never = (): never => {
  throw new Error('not asked for');
};

const answer = (status: number, date: number | string | undefined): Answer => ({
  request: { line: 'GET /public-api/v1/widgets' },
  status,
  headers: date === undefined ? [] : [['Date', typeof date === 'string' ? date : utc(date)]],
  body: Buffer.from('{}'),
  phases: { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 },
});

const utc = (instant: number): string => new Date(instant).toUTCString();

const jwt = (claims: object): string =>
  [{ alg: 'HS256' }, claims, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
const issuedAt = (instant: number): string => jwt({ iat: Math.floor(instant / 1000) });

test('a Date that stays in real time, and an old token that is admitted, are evidence of an ignored clock', async () => {
  const { complaint } = await check({ old: 200, dates: [Date.now()] });
  expect(complaint).toMatch(/^ClockError: clock file c: .* does not read this file/);
});

test('a JWT that was issued in real time is evidence of an ignored clock', async () => {
  const { complaint } = await check({ old: 200, token: issuedAt(Date.now()) });
  expect(complaint).toContain('does not read this file');
});

test('the gate waits for a Date that lags behind', async () => {
  const dates = [Date.now(), simulated];
  expect(await check({ old: 200, dates })).toEqual({ complaint: 'none', waits: 1 });
});

test('a JWT of the simulated time outweighs the Date of a proxy', async () => {
  const message = await check({ old: 200, dates: [Date.now()], token: issuedAt(simulated) });
  expect(message).toEqual({ complaint: 'none', waits: 1 });
});

test('an old token that has expired outweighs the Date of a proxy', async () => {
  expect(await check({ old: 401, dates: [Date.now()] })).toEqual({ complaint: 'none', waits: 0 });
});

test('a reissued JWT is not evidence against a Date that follows the clock', async () => {
  const token = issuedAt(Date.now());
  const dates = [Date.now(), simulated];
  const message = await check({ old: 200, dates, token, again: true });
  expect(message).toEqual({ complaint: 'none', waits: 1 });
});

test('a reissued JWT may be one of real time, unlike any other JWT', async () => {
  const token = issuedAt(Date.now());
  const { complaint } = await check({ old: 200, token, again: true });
  expect(complaint).toContain('does not read this file');
});

test('a reissued JWT does not reveal a time zone', async () => {
  const token = issuedAt(simulated - 5 * 3_600_000);
  expect((await check({ old: 200, token, again: true })).complaint).toBe('none');
});

test('a provider that reveals nothing about its time is accepted', async () => {
  expect(await check({ old: 200 })).toEqual({ complaint: 'none', waits: 1 });
  expect(await check({ old: 200, token: jwt({ sub: 'client' }) })).toMatchObject({
    complaint: 'none',
  });
});

test('a Date that is hours away is treated as another time zone', async () => {
  const { complaint } = await check({ old: 401, dates: [simulated - 4 * 3_600_000] });
  expect(complaint).toContain('must run in UTC (TZ=UTC)');
});

test('a difference of a minute is not treated as a time zone', async () => {
  const { complaint } = await check({ old: 401, dates: [simulated - 60_000] });
  expect(complaint).toBe('none');
});

test('the probes report a provider that does not answer the clock check', async () => {
  const failure = new UnreachableError('reset', 'GET /public-api/v1/widgets');
  expect((await check({ old: 200, failure })).complaint).toBe('none');
});

test('a defect during the clock check is not treated as silence', async () => {
  const failure = new TypeError('ours');
  expect((await check({ old: 200, failure })).complaint).toBe('TypeError: ours');
});
