import { kinds, type StateStore } from './state.ts';

/**
 * Reads all entries of these targets, so that the start of a target cannot fail half-way because of the disk. After
 * `release`, entries are read in their current state again.
 * @throws StateOpenError
 */
export function readAhead(state: StateStore, targets: readonly string[]) {
  const read = new Map(
    targets.map((target) => [
      target,
      new Map(kinds.map((kind) => [kind, state.entries(target, kind)])),
    ]),
  );
  const entries: StateStore['entries'] = (target, kind) =>
    read.get(target)?.get(kind) ?? state.entries(target, kind);
  return { state: { ...state, entries }, release: () => read.clear() };
}
