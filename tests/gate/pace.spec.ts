import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { closingLine, expect, naming, test } from './process.ts';

/** A provider that records when each request arrives (milliseconds). */
function noting(more: Partial<Behaviour> = {}): Behaviour & { readonly arrivals: number[] } {
  const arrivals: number[] = [];
  const arrived = (): number => {
    arrivals.push(performance.now());
    return 0;
  };
  return { ...right, ...more, arrived, arrivals };
}

const sentIn = (line = ''): number =>
  Number(/ ([\d,]+) requests?,/.exec(line)?.[1]?.replace(',', ''));

test('PUBLIC_API_RATE limits the requests per second, and the closing line counts them', async ({
  gate,
  serve,
}) => {
  const provider = noting();
  const env = { ...naming(await serve(provider)), PUBLIC_API_RATE: '50' };
  const run = await gate(['a-token-is-good-for-many-uses'], env);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  const { arrivals } = provider;
  expect(sentIn(closingLine(run))).toBe(arrivals.length);
  expect(arrivals.length).toBeGreaterThan(10);
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0));
  const meanMs = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  // A late timer is followed by a short gap, so only the mean shows that requests keep the rate.
  expect(meanMs).toBeGreaterThan(19);
});

test('a 429 is waited out as its Retry-After says, and violates no clause', async ({
  gate,
  serve,
}) => {
  let left = 2;
  const provider = noting({
    finish(reply) {
      if (left === 0 || provider.arrivals.length < 4) return reply;
      left -= 1;
      return { status: 429, headers: { 'Retry-After': '2' }, json: { message: 'Slow down.' } };
    },
  });
  const run = await gate(['BEARER-4'], naming(await serve(provider)));
  expect(run).toExitWith(0);
  expect(run.stderr).toMatch(
    /^the provider limits the rate: at about \d+\/min \d+ (s|min) left \(if you know it: PUBLIC_API_RATE, rate\)\n$/,
  );
  expect(closingLine(run)).toMatch(/^✓ Contract holds as far as selected · \d+ held · /);
  expect(sentIn(closingLine(run))).toBe(provider.arrivals.length);
  expect(left).toBe(0);
});

test('a pause longer than PUBLIC_API_PATIENCE_MS leaves the provider unjudged', async ({
  gate,
  serve,
}) => {
  const finish = () => ({ status: 429, headers: { 'Retry-After': '60' } });
  const sandbox = await serve(noting({ finish }));
  const run = await gate([], { ...naming(sandbox), PUBLIC_API_PATIENCE_MS: '5000' });
  expect(run).toMatchObject({ exit: 2, stderr: '' });
  expect(closingLine(run)).toMatch(
    /could not be judged: POST \/public-api\/v1\/auth\/token: the provider answers 429, and asks for a longer pause than is waited \(Retry-After 60 s, longer than PUBLIC_API_PATIENCE_MS\) · 1 request, /,
  );
});
