/**
 * Sends a request for each item at once, and yields the results in the order of the items. The client limits how many
 * are in flight. If the caller stops early, the generator first waits for all of them.
 * @throws what `send` throws, in the order of the items
 */
export async function* ahead<Item, Result>(
  items: readonly Item[],
  send: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result], void, void> {
  const sent = items.map((item) => [item, send(item)] as const);
  const all = Promise.allSettled(sent.map(([, result]) => result));
  try {
    for (const [item, result] of sent) yield [item, await result];
  } finally {
    await all;
  }
}
