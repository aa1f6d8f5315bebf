interface Entry<Item> {
  readonly at: number;
  readonly item: Item;
}

/** Tasks, the earliest first, and of those at the same time the one that was added first. */
export class PriorityQueue<Item> {
  readonly #entries: Entry<Item>[] = [];

  add(at: number, item: Item): void {
    let [from, until] = [0, this.#entries.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if ((this.#entries[middle]?.at ?? 0) <= at) from = middle + 1;
      else until = middle;
    }
    this.#entries.splice(from, 0, { at, item });
  }

  /** Removes and returns the earliest if it is due by then. */
  take(until: number): Entry<Item> | undefined {
    return (this.#entries[0]?.at ?? Number.POSITIVE_INFINITY) > until
      ? undefined
      : this.#entries.shift();
  }
}
