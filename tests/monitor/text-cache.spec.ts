import { expect, test } from '@playwright/test';
import { textCache } from '../../monitor/web/text-cache.ts';
import { simulatedTime } from './simulated-time.ts';

test('readers share one rendering of a path, which is repeated a second after it began', async () => {
  const time = simulatedTime();
  const cached = textCache(time);
  let rendered = 0;
  const slowly = () =>
    new Promise((resolve) => time.after(100, () => resolve(`text ${++rendered}`)));
  const read = async (path: string): Promise<string> =>
    new TextDecoder().decode(await cached(path, slowly));
  const first = [read('/a'), read('/b'), ...Array.from({ length: 200 }, () => read('/a'))];
  await time.pass(999);
  expect(new Set(await Promise.all([...first, read('/a')]))).toEqual(new Set(['text 1', 'text 2']));
  await time.pass(1);
  const second = read('/a');
  await time.pass(100);
  expect(await second).toBe('text 3');
});

test('a failed rendering fails for its readers, and for no later reader', async () => {
  const cached = textCache(simulatedTime());
  const failing = () => {
    throw new Error('no text');
  };
  for (const failed of [cached('/', failing), cached('/', failing)])
    await expect(failed).rejects.toThrow('no text');
  expect(String(await cached('/', () => 'A'))).toBe('65');
});
