import { expect, test } from '@playwright/test';
import type { TokenStatus } from '../../monitor/canary/canary-status.ts';
import { page } from '../../monitor/web/page.ts';
import { good } from './page-states.ts';
import { statusAbout, tokenOf } from './statuses.ts';

/** The section about the token's lifetime, with each run of white space as one space. */
async function message(token: TokenStatus): Promise<string> {
  const html = String(await page(statusAbout([{ ...good, token }])));
  return (/<section aria-labelledby="lifetime">.*?<\/section>/s.exec(html)?.[0] ?? '').replace(
    /\s+/g,
    ' ',
  );
}

const fine = tokenOf(86_400);
const unseen: TokenStatus = { canaries: fine.canaries, toleranceSeconds: 5, checks: [] };

test('the bounds are shown, each rounded so that it still holds', async () => {
  const html = await message({ ...fine, atLeastSeconds: 86_370.9, atMostSeconds: 86_430.1 });
  expect(html).toContain('<dt>Still admitted at the age of</dt><dd>23 h 59 min 30 s');
  expect(html).toContain('<dt>Refused at the age of</dt><dd>24 h 00 min 31 s');
  expect(html).toContain('24 h ± 5 s');
  expect(html).toContain('3 alive, 12 expired in time, 1 lost');
});

test('the drawing is described in words', async () => {
  expect(await message({ ...fine, atLeastSeconds: 86_370, atMostSeconds: 86_431 })).toContain(
    'aria-label="Of 24 h, give or take 5 s: a token was seen alive at 23 h 59 min 30 s, and one was seen dead at 24 h 00 min 31 s"',
  );
});

test('the 24 h mark is at 93.24 % of the whole lifetime, and in the middle of the close-up', async () => {
  const html = await message({ ...unseen, atLeastSeconds: 86_400 });
  expect(html).toContain('class="alive" x="1%" width="92.24%" y="44"');
  expect(html).toContain('class="alive" x="1%" width="49%" y="144"');
});

test('the tolerance is drawn where it is visible', async () => {
  const html = await message({ ...fine, toleranceSeconds: 72 });
  expect(html).toContain('class="tolerance" x="40.2%" width="19.6%"');
});

test('a check is a point with its own shape: admitted, refused, against the contract, undecided', async () => {
  const [check] = fine.checks;
  if (check === undefined) throw new Error('there is no check');
  const at = { ...check, leastSeconds: 86_399, mostSeconds: 86_401 };
  const one = (change: Partial<typeof check>) =>
    message({ ...unseen, checks: [{ ...at, ...change }] });
  const drawing = /<svg role="img" class="lines".*<figcaption/;
  const drawn = async (change: Partial<typeof check>) => drawing.exec(await one(change))?.[0] ?? '';
  expect(await drawn({ admitted: true, verdict: 'ok' })).toContain(
    '<circle class="alive" cx="50%"',
  );
  expect(await drawn({ admitted: false, verdict: 'ok' })).toContain(
    '<circle class="dead" cx="50%"',
  );
  expect(await drawn({ verdict: 'late_accept' })).toContain('class="failed"');
  expect(await drawn({ verdict: 'undecided' })).toContain('class="dead undecided"');
});

test('a token that lives too long is highlighted, in words and in the drawing', async () => {
  const html = await message(tokenOf(86_500));
  expect(html).toContain('24 h 00 min 44 s <b class="tag broken">too late</b>');
  expect(html).toContain('class="wrong" x="50%"');
  expect(html).toContain('admitted too late');
});

test('a token that expires too early is highlighted, in words and in the drawing', async () => {
  const html = await message(tokenOf(80_000));
  expect(html).toContain('23 h 00 min 01 s <b class="tag broken">too early</b>');
  expect(html).toContain('class="wrong"');
  expect(html).toContain('refused too early');
});

test('bounds within the tolerance are not highlighted', async () => {
  const html = await message({ ...unseen, atLeastSeconds: 86_405, atMostSeconds: 86_395 });
  expect(html).not.toContain('class="wrong"');
  expect(html).not.toContain('class="tag broken"');
});

test('unknown facts are stated: no check yet, one bound only, no canaries at all', async () => {
  expect(await message(unseen)).toContain(
    'No canary has been checked yet. 3 alive, 12 expired in time, 1 lost.',
  );
  expect(await message(unseen)).not.toContain('<figure');
  const young = await message({ ...unseen, atLeastSeconds: 3600 });
  expect(young).toContain('<dt>Refused at the age of</dt><dd>not seen yet');
  expect(young).not.toMatch(/class="dead" x="[\d.]+%/);
  const off = await message({ ...unseen, off: 'a new token ends the one before' });
  expect(off).toContain('no canaries</b> a new token ends the one before');
  expect(off).not.toContain('No token has been looked at');
});

test('the drawing counts the checks of older tokens', async () => {
  expect(await message(fine)).toContain(
    'Not drawn: 3 checks of older tokens, up to 2 d, all refused.',
  );
});

test('a check whose token may have any greater age states that, and extends to the edge', async () => {
  const check = { at: new Date(0), leastSeconds: 86_400, admitted: false, verdict: 'ok' } as const;
  const html = await message({ ...unseen, checks: [check] });
  expect(html).toContain('at least 24 h 00 min 00 s old');
  expect(html).toContain('class="range" x1="50%" x2="99%"');
});
