import { kinds, type StateStore } from './state.ts';

/** A state some of whose entries have been read already. */
export interface ReadAhead {
  readonly state: StateStore;
  /** Lets go what was read: from now on entries are read as they then are. */
  release(): void;
}

/**
 * Reads all entries of these targets, so that what begins with them cannot fail half-way where the disk does.
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
