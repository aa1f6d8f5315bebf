/**
 * How many requests a round may have in flight. A running probe holds one slot, and sends further requests ahead while
 * other slots are free. So a stage stays fast at its end, when few probes are left.
 */
export class RequestSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot if one is free. @returns whether one was free */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Runs a task in a slot of its own, as soon as one is free. */
  async hold<Result>(task: () => Promise<Result>): Promise<Result> {
    if (!this.take()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      this.release();
    }
  }

  /** Releases a slot. The task that has waited longest takes it. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

interface Sent<Item, Result> {
  readonly item: Item;
  readonly result: Promise<Result>;
  /** Whether the request has a slot of its own. */
  readonly isAhead: boolean;
}

/**
 * Sends a request for each item, and yields the results in the order of the items. While the caller judges one
 * result, further requests are in flight, as many as slots are free. Without slots, each request waits for the one
 * before it. If the caller stops early, the generator first waits for the requests in flight.
 * @throws what `send` throws, in the order of the items
 */
export async function* ahead<Item, Result>(
  slots: RequestSlots | undefined,
  items: readonly Item[],
  send: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result], void, void> {
  const sent: Sent<Item, Result>[] = [];
  let next = 0;
  const begin = (isAhead: boolean): void => {
    const item = items[next++] as Item;
    const result = send(item);
    // An error is thrown when the loop awaits this result.
    result.catch(() => {});
    sent.push({ item, result, isAhead });
  };
  try {
    for (;;) {
      if (sent.length === 0 && next < items.length) begin(false);
      while (next < items.length && slots?.take()) begin(true);
      const [first] = sent;
      if (first === undefined) return;
      const result = await first.result;
      if (first.isAhead) slots?.release();
      sent.shift();
      yield [first.item, result];
    }
  } finally {
    await Promise.allSettled(sent.map(({ result }) => result));
    for (const { isAhead } of sent) if (isAhead) slots?.release();
  }
}
