import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { hours, minutes, seconds } from '../../contract/durations.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { SeenTokens } from '../../monitor/canary/seen-tokens.ts';
import { everyEndpointIsGuarded as refused } from '../../probes/bearer.ts';
import { rightCredentialsGetAToken as right } from '../../probes/token.ts';
import { quiet } from './in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

const token = (): string => randomBytes(32).toString('base64url');

test('a token that a later round quotes is hidden, and token number 201 replaces the oldest', () => {
  const inUse = token();
  const tokens = Array.from({ length: 200 }, token);
  const remembered = new SeenTokens(simulatedTime(), () => [new Secret(inUse)]);
  for (const text of tokens) remembered.note(new Secret(text));
  const later = new Scrubber(remembered);
  for (const text of [inUse, ...tokens])
    for (const part of [text, text.slice(17, 25).toUpperCase(), text.slice(-8)])
      expect(later.scrub(`it is "${part}"`)).toBe('it is "[secret]"');
  const [oldest = '', second = '', third = ''] = tokens;
  // A token that is issued again is remembered once, as the newest.
  remembered.note(new Secret(oldest));
  remembered.note(new Secret(token()));
  const parts = [second, third, oldest].map((text) => text.slice(0, 8));
  const { scrub } = new Scrubber(remembered);
  expect(parts.map(scrub)).toEqual([parts[0], '[secret]', '[secret]']);
});

test('a token of an earlier run that a provider quotes is in neither status, log nor state', async () => {
  const { time, provider, watch } = quiet({ canaries: { everySeconds: 3600 } });
  const made: string[] = [];
  const json = (value: unknown) => ({ body: Buffer.from(JSON.stringify(value)) });
  let quotes = (): string => '';
  provider.answer = (line) => {
    if (!line.startsWith('POST'))
      return { status: 401, ...json({ success: false, message: quotes() }) };
    const accessToken = token();
    made.push(accessToken);
    return json({ success: true, message: quotes(), data: { accessToken } });
  };
  const firstToken = watch([right, { ...refused, everySeconds: 60, scope: 'core' }]);
  await time.pass(hours(2));
  const old = made.slice(-100);
  quotes = () => `expected ${old[time.truth() % old.length]}, or ${old[0]?.slice(10, 18)}`;
  await time.pass(minutes(10));
  const { status } = firstToken.store.load('under-test');
  const shown = JSON.stringify([firstToken.view(), firstToken.logged, status]);
  expect(shown).toContain('expected [secret]');
  const leaks = old.filter((text) =>
    Array.from({ length: text.length - 7 }, (_, at) => text.slice(at, at + 8)).some((part) =>
      shown.includes(part),
    ),
  );
  expect(leaks).toEqual([]);
});

test('the age of a reissued token counts from its first sight, without an upper bound, for a day', async () => {
  const time = simulatedTime();
  const tokens = new SeenTokens(time, () => []);
  const [firstToken, secondToken] = [new Secret(token()), new Secret(token())];
  const at = { monotonic: time.monotonic() };
  tokens.note(firstToken);
  // Two tokens of one second may be identical, also in slow answers.
  await time.pass(seconds(15) - 1);
  tokens.note(firstToken);
  expect(tokens.areReissued()).toBe(false);
  expect(tokens.findAnchor(firstToken)).toBeUndefined();
  await time.pass(1);
  tokens.note(firstToken);
  expect(tokens.areReissued()).toBe(true);
  expect(tokens.findAnchor(firstToken)).toMatchObject({ least: 0, most: Infinity, s: at, r: at });
  expect(tokens.findAnchor(secondToken)).toBeUndefined();
  await time.pass(hours(26) - 1);
  expect(tokens.areReissued()).toBe(true);
  await time.pass(1);
  tokens.note(secondToken);
  expect(tokens.areReissued()).toBe(false);
  expect(tokens.findAnchor(secondToken)).toBeUndefined();
});
