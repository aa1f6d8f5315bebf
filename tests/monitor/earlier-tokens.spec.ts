import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { hours, minutes } from '../../contract/time/clock.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import { EarlierTokens } from '../../monitor/watch/earlier-tokens.ts';
import { aRequestWithoutATokenIsRefused as refused } from '../../probes/a-request-without-a-token-is-refused.ts';
import { rightCredentialsGetAToken as right } from '../../probes/right-credentials-get-a-token.ts';
import { quiet } from './in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

const token = (bytes = 32): string => randomBytes(bytes).toString('base64url');

function stage(time = simulatedTime(), state = openStateStore(':memory:'), key = 'a secret key') {
  const context = { secretKey: new Secret(key), state, time, kept: () => [] };
  const earlier = new EarlierTokens('target', context);
  return {
    time,
    state,
    earlier,
    note: (text: string) => earlier.note(new Secret(text)),
    /** Scrubs a text like a run that knows only the earlier tokens. */
    scrub: (text: string) => new Scrubber(earlier).scrub(text),
  };
}

test('any eight characters of an earlier token are hidden, also after a restart, in any form', () => {
  const { time, state, note } = stage();
  const texts = Array.from({ length: 200 }, () => token());
  for (const text of texts) note(text);
  const { scrub } = stage(time, state);
  const clean = texts
    .slice(0, 40)
    .flatMap((text) =>
      Array.from({ length: text.length - 7 }, (_, at) =>
        scrub(`said "${text.slice(at, at + 8).toUpperCase()}"`),
      ),
    );
  expect(clean.length).toBeGreaterThan(1000);
  expect(clean.filter((line) => !/^said "\w?\[secret\]\w?"$/.test(line))).toEqual([]);
  const [text = ''] = texts;
  for (const written of [
    Buffer.from(`Bearer ${text}`).toString('base64'),
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  ])
    expect(scrub(`it is ${written}!`)).toMatch(/^it is .{0,9}\[secret\].{0,2}!$/);
  expect(scrub('GET /public-api/v1/widgets: 401 application/json, 63 bytes')).not.toContain('[');
});

test('every part of a long token is hidden that is longer than a sixth of it', () => {
  const { note, scrub } = stage();
  const parts = [token(30), token(150), token(32)];
  note(parts.join('.'));
  expect(scrub(`it is ${parts.join('.')}`)).toBe('it is [secret]');
  for (let at = 0; at < 240; at += 7)
    expect(scrub(`it is ${parts.join('.').slice(at, at + 48)} and so on`)).toBe(
      'it is [secret] and so on',
    );
});

test('stored data reveals no token, and is useless with other credentials', () => {
  const { time, state, note } = stage();
  const text = token();
  note(text);
  const stored = JSON.stringify([...state.entries('target', 'fingerprints')]);
  for (let at = 0; at + 6 <= text.length; at++)
    expect(stored).not.toContain(text.slice(at, at + 6));
  const { scrub } = stage(time, state, 'another secret key');
  expect(scrub(text)).toBe(text);
});

test('a token is remembered for its lifetime, and the stored data stays small', async () => {
  const { time, state, note, scrub } = stage();
  const first = token();
  note(first);
  const bytes = (): number => JSON.stringify([...state.entries('target', 'fingerprints')]).length;
  for (let passed = 0; passed < hours(48); passed += minutes(2)) {
    await time.pass(minutes(2));
    note(token());
    // A user may change the wall clock of a machine.
    if (passed === hours(2)) time.step(hours(30));
    if (passed === hours(25)) expect(scrub(`it is ${first}`)).toBe('it is [secret]');
  }
  expect(scrub(`it is ${first}`)).toBe(`it is ${first}`);
  expect([...state.entries('target', 'fingerprints')]).toHaveLength(160);
  expect(bytes()).toBeLessThan(250_000);
});

test('a reissued token is stored once', async () => {
  const { state, note } = stage();
  const text = token();
  for (let count = 0; count < 100; count++) note(text);
  expect(JSON.stringify([...state.entries('target', 'fingerprints')]).length).toBeLessThan(400);
});

test('the monitor continues where the state cannot be read', () => {
  const state = openStateStore(':memory:');
  const entries = (): never => {
    throw new Error('the disk fails');
  };
  const { note, scrub } = stage(simulatedTime(), { ...state, entries });
  note(token());
  expect(scrub('it is fine')).toBe('it is fine');
});

test('a token of an earlier run that a provider quotes is on no page and in neither log nor state', async () => {
  const { time, provider, target, watch } = quiet({ canaries: { everySeconds: 3600 } });
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
  const first = watch([right, refused]);
  await time.pass(hours(2));
  await first.drain(1_000);
  time.kill();
  const old = [...made];
  expect(old.length).toBeGreaterThan(100);
  quotes = () => `expected ${old[time.truth() % old.length]}, or ${old[0]?.slice(10, 18)}`;
  const again = watch([right, refused], { state: first.state });
  await time.pass(minutes(30));
  const shown = JSON.stringify([
    again.status(),
    again.logged,
    ...(['run', 'fact', 'failure', 'standing', 'fingerprints'] as const).map((kind) => [
      ...again.state.entries(target.name, kind),
    ]),
  ]);
  expect(shown).toContain('expected [secret]');
  const leaks = old.filter((text) =>
    Array.from({ length: text.length - 7 }, (_, at) => text.slice(at, at + 8)).some((part) =>
      shown.includes(part),
    ),
  );
  expect(leaks).toEqual([]);
});
