import { kinds, type StateStore } from './state.ts';

/** A state with some entries already read. */
export interface ReadAhead {
  readonly state: StateStore;
  /** Drops what was read: from now on entries are read in their current state. */
  release(): void;
}

/**
 * Reads all entries of these targets, so that the start of a target cannot fail half-way because of the disk.
 * @throws StateOpenError
 */
export function readAhead(state: StateStore, targets: readonly string[]): ReadAhead {
  const read = new Map(
    targets.map((target) => [
      target,
      new Map(kinds.map((kind) => [kind, state.entries(target, kind)])),
    ]),
  );
  return {
    state: {
      ...state,
      entries: (target, kind) => read.get(target)?.get(kind) ?? state.entries(target, kind),
    },
    release: () => read.clear(),
  };
}
