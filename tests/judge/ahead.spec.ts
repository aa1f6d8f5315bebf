import { expect, test } from '@playwright/test';
import { ahead, RequestSlots } from '../../contract/ahead.ts';

const items = [1, 2, 3, 4, 5, 6];

/** Requests that the test answers one by one. */
class Requests {
  readonly sent: number[] = [];
  readonly #answers = new Map<number, PromiseWithResolvers<string>>();

  readonly send = (item: number): Promise<string> => {
    this.sent.push(item);
    return this.#of(item).promise;
  };

  answer(item: number): void {
    this.#of(item).resolve(`answer ${item}`);
  }

  fail(item: number): void {
    this.#of(item).reject(new Error(`no answer ${item}`));
  }

  #of(item: number): PromiseWithResolvers<string> {
    const known = this.#answers.get(item) ?? Promise.withResolvers<string>();
    this.#answers.set(item, known);
    return known;
  }
}

/** How many slots are free. */
function freeOf(slots: RequestSlots): number {
  let free = 0;
  while (slots.take()) free += 1;
  for (let taken = 0; taken < free; taken++) slots.release();
  return free;
}

test('a request without free slots waits until the answer before it has been judged', async () => {
  const requests = new Requests();
  for (const item of items) requests.answer(item);
  const log: string[] = [];
  for await (const [item, answer] of ahead(undefined, items, requests.send))
    log.push(`${answer} of ${item}, ${requests.sent.length} sent`);
  expect(log).toEqual(items.map((item) => `answer ${item} of ${item}, ${item} sent`));
});

test('requests are in flight at once, one and as many more as slots are free', async () => {
  const requests = new Requests();
  const slots = new RequestSlots(3);
  const answers = ahead(slots, items, requests.send);
  const first = answers.next();
  expect(requests.sent).toEqual([1, 2, 3, 4]);
  requests.answer(1);
  expect((await first).value).toEqual([1, 'answer 1']);
  requests.answer(2);
  expect((await answers.next()).value).toEqual([2, 'answer 2']);
  const third = answers.next();
  expect(requests.sent).toEqual([1, 2, 3, 4, 5]);
  for (const item of items) requests.answer(item);
  await third;
  await answers.return();
});

test('answers come in the order of the items, whichever is there first', async () => {
  const requests = new Requests();
  const slots = new RequestSlots(5);
  for (const item of items.toReversed()) requests.answer(item);
  const found: number[] = [];
  for await (const [item] of ahead(slots, items, requests.send)) found.push(item);
  expect(found).toEqual(items);
  expect(freeOf(slots)).toBe(5);
});

test('a failure is thrown in its turn, and what was sent ahead has ended by then', async () => {
  const requests = new Requests();
  const slots = new RequestSlots(2);
  requests.answer(1);
  requests.fail(2);
  let last = false;
  const late = requests.send(3).then(() => {
    last = true;
  });
  const found: number[] = [];
  const walk = async (): Promise<void> => {
    for await (const [item] of ahead(slots, items, requests.send)) found.push(item);
  };
  const walked = walk().catch((error: Error) => `${error.message}, ${last}`);
  await new Promise(setImmediate);
  requests.answer(3);
  await late;
  expect(await walked).toBe('no answer 2, true');
  expect(found).toEqual([1]);
  expect(freeOf(slots)).toBe(2);
});

test('a caller that ends early waits for what was sent ahead, and gives its slots back', async () => {
  const requests = new Requests();
  const slots = new RequestSlots(2);
  for (const item of [1, 2]) requests.answer(item);
  let ended = false;
  const walk = async (): Promise<void> => {
    for await (const _ of ahead(slots, items, requests.send)) break;
    ended = true;
  };
  const walked = walk();
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  requests.answer(3);
  await walked;
  expect(requests.sent).toEqual([1, 2, 3]);
  expect(freeOf(slots)).toBe(2);
});

test('tasks hold at most as many slots as there are, and go before requests that are sent ahead', async () => {
  const slots = new RequestSlots(2);
  const tasks = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let begun = 0;
  const held = tasks.map(({ promise }) =>
    slots.hold(() => {
      begun += 1;
      return promise;
    }),
  );
  expect([begun, freeOf(slots)]).toEqual([2, 0]);
  tasks[0]?.resolve();
  await held[0];
  expect([begun, freeOf(slots)]).toEqual([3, 0]);
  tasks[1]?.reject(new Error('failed'));
  await expect(held[1]).rejects.toThrow('failed');
  expect(freeOf(slots)).toBe(1);
  tasks[2]?.resolve();
  await held[2];
  expect(freeOf(slots)).toBe(2);
});
