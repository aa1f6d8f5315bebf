import { expect, test } from '@playwright/test';
import { textCache } from '../../monitor/web/text-cache.ts';
import { simulatedTime } from './simulated-time.ts';

/** A cache of texts that take 100 ms each to render. */
function caching() {
  const time = simulatedTime();
  const cached = textCache(time);
  let rendered = 0;
  const render = () =>
    new Promise<string>((resolve) => {
      rendered += 1;
      const text = `text ${rendered}`;
      time.after(100, () => resolve(text));
    });
  const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { time, cached, read: (path = '/') => cached(path, render).then(decoded) };
}

test('two hundred simultaneous readers share one rendering, and its bytes', async () => {
  const { time, cached } = caching();
  let rendered = 0;
  const texts = Array.from({ length: 200 }, () => cached('/', () => ++rendered));
  expect(new Set(await Promise.all(texts)).size).toBe(1);
  expect([rendered, time.sleepers()]).toEqual([1, 0]);
});

test('a text is rendered again a second after its rendering began', async () => {
  const { time, read } = caching();
  const first = read();
  await time.pass(999);
  expect([await first, await read()]).toEqual(['text 1', 'text 1']);
  await time.pass(1);
  const second = read();
  await time.pass(100);
  expect(await second).toBe('text 2');
});

test('each path has its own text', async () => {
  const { time, read } = caching();
  const all = [read('/a'), read('/b'), read('/a')];
  await time.pass(100);
  expect(await Promise.all(all)).toEqual(['text 1', 'text 2', 'text 1']);
});

test('a failed rendering fails for its readers, and for no later reader', async () => {
  const { time, cached, read } = caching();
  const failed = [1, 2].map(() =>
    cached('/', () => {
      throw new Error('no text');
    }).catch((error: Error) => error.message),
  );
  expect(await Promise.all(failed)).toEqual(['no text', 'no text']);
  const next = read();
  await time.pass(100);
  expect(await next).toBe('text 1');
});
