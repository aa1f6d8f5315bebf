import { expect, test } from '@playwright/test';
import { Changes } from '../../monitor/web/changes.ts';
import { serving } from './serving.ts';
import { simulatedTime } from './simulated-time.ts';

/** Changes that the test makes, on a clock that the test moves. */
function listening() {
  const time = simulatedTime();
  const received = new Set<() => void>();
  const changes = new Changes((listener) => {
    received.add(listener);
    return () => received.delete(listener);
  }, time);
  return {
    time,
    changes,
    listeners: received,
    change: () => {
      for (const listener of received) listener();
    },
  };
}

/** Reads a stream, and collects its text as it arrives. */
function reading(stream: ReadableStream<Uint8Array> | undefined) {
  const message = { text: '', ended: false };
  (async () => {
    for await (const bytes of stream ?? []) message.text += new TextDecoder().decode(bytes);
    message.ended = true;
  })();
  return message;
}

const event = 'event: change\ndata: a run has ended\n\n';

test('a change is sent at once, and again at most once a second', async () => {
  const { time, changes, change } = listening();
  const message = reading(changes.open());
  await time.pass(10);
  expect(message.text).toBe('retry: 5000\n\n');
  for (let count = 0; count < 5; count += 1) change();
  await time.pass(0);
  expect(message.text).toBe(`retry: 5000\n\n${event}`);
  change();
  await time.pass(999);
  expect(message.text).toBe(`retry: 5000\n\n${event}`);
  await time.pass(1);
  expect(message.text).toBe(`retry: 5000\n\n${event}${event}`);
  await time.pass(5_000);
  expect(message.text).toBe(`retry: 5000\n\n${event}${event}`);
});

test('a comment keeps the connection alive every fifteen seconds', async () => {
  const { time, changes } = listening();
  const message = reading(changes.open());
  await time.pass(14_999);
  expect(message.text).not.toContain(':  still here');
  await time.pass(1);
  await time.pass(15_000);
  expect(message.text.match(/^: still here\n\n/gm)).toHaveLength(2);
});

test('no timer runs without listeners', async () => {
  const { time, changes, change } = listening();
  change();
  expect(time.sleepers()).toBe(0);
  const stream = changes.open();
  await stream?.cancel();
  await time.pass(15_000);
  expect(time.sleepers()).toBe(0);
});

test('a listener that reconnects gets one heartbeat at a time', async () => {
  const { time, changes } = listening();
  await changes.open()?.cancel();
  const message = reading(changes.open());
  await time.pass(15_000);
  expect(message.text.match(/still here/g)).toHaveLength(1);
  expect(time.sleepers()).toBe(1);
});

test('the thirty-third listener is refused until another leaves', async () => {
  const { changes } = listening();
  const streams = Array.from({ length: 32 }, () => changes.open());
  expect(streams).not.toContain(undefined);
  expect(changes.open()).toBeUndefined();
  await streams[7]?.cancel();
  expect(changes.open()).toBeDefined();
});

test('a listener that does not read is disconnected', async () => {
  const { time, changes, change } = listening();
  const stream = changes.open();
  for (let count = 0; count < 40; count += 1) {
    change();
    await time.pass(1_000);
  }
  const message = reading(stream);
  await time.pass(0);
  expect(message.ended).toBe(true);
  expect(message.text.split(event).length).toBeLessThan(18);
});

test('the shutdown ends all streams, and leaves no timer and no listener', async () => {
  const { time, changes, change, listeners: received } = listening();
  const message = reading(changes.open());
  change();
  await time.pass(10);
  change();
  expect(time.sleepers()).toBe(2);
  changes.close();
  expect(time.sleepers()).toBe(0);
  await time.pass(0);
  expect(message.ended).toBe(true);
  expect(received.size).toBe(0);
  expect(changes.open()).toBeUndefined();
});

test('a refused stream gets a reason, and a HEAD request opens none', async () => {
  const { changes } = listening();
  const { get } = serving({}, { changes });
  for (let count = 0; count < 40; count += 1)
    expect((await get('/changes', { method: 'HEAD' })).status).toBe(200);
  for (let count = 0; count < 32; count += 1) expect((await get('/changes')).status).toBe(200);
  const response = await get('/changes');
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '30']);
  expect(await response.text()).toBe('Too many live connections; reload the page instead.\n');
});
