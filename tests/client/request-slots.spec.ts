import { expect, test } from '@playwright/test';
import { requestSlots } from '../../contract/http/pace.ts';

/** A task that ends when it is told to. */
function tasks() {
  const ends: (() => void)[] = [];
  const begin = (): Promise<void> => new Promise((end) => ends.push(end));
  return { ends, begin };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('no more tasks than slots run, and the one that waited longest follows', async () => {
  const inSlot = requestSlots(2);
  const { ends, begin } = tasks();
  const all = [1, 2, 3, 4].map(() => inSlot(begin));
  expect(ends).toHaveLength(2);
  ends[0]?.();
  await settled();
  expect(ends).toHaveLength(3);
  ends[1]?.();
  ends[2]?.();
  await settled();
  expect(ends).toHaveLength(4);
  ends[3]?.();
  await Promise.all(all);
});

test('a task that fails frees its slot', async () => {
  const inSlot = requestSlots(1);
  await expect(inSlot(() => Promise.reject(new Error('planned')))).rejects.toThrow('planned');
  expect(await inSlot(async () => 'next')).toBe('next');
});
