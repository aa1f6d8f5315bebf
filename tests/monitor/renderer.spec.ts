import { expect, test } from '@playwright/test';
import { Renderer } from '../../monitor/web/renderer.ts';
import { simulatedTime } from './simulated-time.ts';

/** A renderer of texts that take `tookMs` each to render. */
function rendering({ tookMs = 100, share = 0.2 } = {}) {
  const time = simulatedTime();
  let version = 0;
  let rendered = 0;
  const renderer = new Renderer({ share, version: () => version, time });
  const render = () =>
    new Promise<string>((resolve) => {
      rendered += 1;
      time.after(tookMs, () => resolve(`text ${rendered}`));
    });
  return {
    time,
    renderer,
    rendered: () => rendered,
    ask: (key = '/') => renderer.get(key, render).then((bytes) => new TextDecoder().decode(bytes)),
    change: () => {
      version += 1;
    },
  };
}

/** An answer whose end the test decides. */
function answer() {
  const listeners: (() => void)[] = [];
  let isCut = false;
  return {
    onEnd: (listener: () => void) => void listeners.push(listener),
    cut: () => {
      isCut = true;
    },
    isCut: () => isCut,
    end: () => {
      for (const listener of listeners) listener();
    },
  };
}

test('two hundred simultaneous readers share one rendering', async () => {
  const { time, ask, rendered } = rendering();
  const requests = Promise.all(Array.from({ length: 200 }, () => ask()));
  await time.pass(100);
  expect(new Set(await requests)).toEqual(new Set(['text 1']));
  expect(rendered()).toBe(1);
});

test('an unchanged text is not rendered again for a second', async () => {
  const { time, ask, rendered } = rendering();
  const first = ask();
  await time.pass(600);
  expect([await first, await ask(), rendered()]).toEqual(['text 1', 'text 1', 1]);
  await time.pass(500);
  const second = ask();
  await time.pass(100);
  expect(await second).toBe('text 2');
});

test('a change is seen by every later reader', async () => {
  const { time, ask, change } = rendering();
  const first = ask();
  await time.pass(500);
  change();
  const second = ask();
  await time.pass(100);
  expect([await first, await second]).toEqual(['text 1', 'text 2']);
});

test('rendering takes no more than its share of the time, at any number of requests', async () => {
  const { time, ask, change, rendered } = rendering({ tookMs: 100, share: 0.2 });
  for (let tick = 0; tick < 1_000; tick += 1) {
    change();
    for (const key of ['/', '/status.json', '/targets/one']) void ask(key);
    await time.pass(10);
  }
  expect(rendered()).toBeGreaterThanOrEqual(19);
  expect(rendered()).toBeLessThanOrEqual(21);
});

test('texts that are requested in turns are rendered in the order of the requests', async () => {
  const { time, ask } = rendering({ share: 1 });
  const all = [ask('/a'), ask('/b'), ask('/c')];
  await time.pass(1_000);
  expect(await Promise.all(all)).toEqual(['text 1', 'text 2', 'text 3']);
});

test('a failed rendering fails for its readers, and for no later reader', async () => {
  const { time, renderer, ask } = rendering();
  const failed = [1, 2].map(() =>
    renderer
      .get('/', () => {
        throw new Error('no text');
      })
      .catch((error: Error) => error.message),
  );
  await time.pass(10);
  expect(await Promise.all(failed)).toEqual(['no text', 'no text']);
  const next = ask();
  await time.pass(200);
  expect(await next).toBe('text 1');
});

test('a text that is no longer requested is not kept', async () => {
  const { time, ask } = rendering();
  void ask();
  await time.pass(5_000);
  expect(time.sleepers()).toBe(0);
});

test('the reader of the oldest unread bytes above the limit is disconnected, and no reader of the newest is', () => {
  const { renderer } = rendering();
  const versions = Array.from({ length: 5 }, () => new Uint8Array(5 * 1024 * 1024));
  const readers = versions.map((bytes) => {
    const own = [answer(), answer()];
    for (const one of own) renderer.lend(bytes, one);
    return own;
  });
  const cut = readers.map((own) => own.map((one) => one.isCut()));
  expect(cut).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [false, false],
    [false, false],
  ]);
});

test('bytes that have been read count no longer', () => {
  const { renderer } = rendering();
  const readers = Array.from({ length: 10 }, () => {
    const one = answer();
    renderer.lend(new Uint8Array(5 * 1024 * 1024), one);
    one.end();
    return one;
  });
  expect(readers.some((one) => one.isCut())).toBe(false);
});
