/** Things to do, the earliest first: a binary heap, since thousands of slots wait for their next instant. */
export interface PriorityQueue<Item> {
  add(at: number, item: Item): void;
  /** When the earliest is to be done; undefined when nothing is. */
  next(): number | undefined;
  /** Takes the earliest out if it is to be done by then. */
  take(until: number): { readonly at: number; readonly item: Item } | undefined;
}

/** An empty agenda. */
export function priorityQueue<Item>(): PriorityQueue<Item> {
  const heap: { at: number; item: Item }[] = [];
  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY;

  function swap(one: number, other: number): void {
    const [first, second] = [heap[one], heap[other]];
    if (first === undefined || second === undefined) return;
    heap[one] = second;
    heap[other] = first;
  }

  function rise(index: number): void {
    const parent = (index - 1) >> 1;
    if (index === 0 || at(parent) <= at(index)) return;
    swap(index, parent);
    rise(parent);
  }

  function sink(index: number): void {
    const left = 2 * index + 1;
    const child = at(left + 1) < at(left) ? left + 1 : left;
    if (at(index) <= at(child)) return;
    swap(index, child);
    sink(child);
  }

  return {
    add(when, item) {
      heap.push({ at: when, item });
      rise(heap.length - 1);
    },
    next: () => heap[0]?.at,
    take(until) {
      if (at(0) > until) return undefined;
      swap(0, heap.length - 1);
      const earliest = heap.pop();
      sink(0);
      return earliest;
    },
  };
}
