interface Entry<Item> {
  readonly at: number;
  readonly item: Item;
}

/** Tasks, the earliest first. A binary heap, because thousands of slots wait for their next instant. */
export class PriorityQueue<Item> {
  readonly #heap: Entry<Item>[] = [];

  add(at: number, item: Item): void {
    this.#heap.push({ at, item });
    this.#rise(this.#heap.length - 1);
  }

  /** When the earliest is due; undefined when there is none. */
  next(): number | undefined {
    return this.#heap[0]?.at;
  }

  /** Removes and returns the earliest if it is due by then. */
  take(until: number): Entry<Item> | undefined {
    if (this.#at(0) > until) return undefined;
    this.#swap(0, this.#heap.length - 1);
    const earliest = this.#heap.pop();
    this.#sink(0);
    return earliest;
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #rise(index: number): void {
    const parent = (index - 1) >> 1;
    if (index === 0 || this.#at(parent) <= this.#at(index)) return;
    this.#swap(index, parent);
    this.#rise(parent);
  }

  #sink(index: number): void {
    const left = 2 * index + 1;
    const child = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
    if (this.#at(index) <= this.#at(child)) return;
    this.#swap(index, child);
    this.#sink(child);
  }

  #swap(one: number, other: number): void {
    const first = this.#heap[one];
    const second = this.#heap[other];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}
