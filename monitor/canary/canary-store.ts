import { field } from '../../contract/http/answer.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import type { StateStore } from '../state/state.ts';
import type { WatchedTarget } from '../target/plan.ts';
import type { Reading } from './age.ts';
import { type Canary, touched } from './canary.ts';
import { restored, saved } from './saved.ts';
import { openToken, sealToken } from './seal.ts';
import { unopenedOf } from './unopened.ts';

/** The canaries of a target and their tokens, in memory and, sealed, in the state file. */
export interface CanaryStore {
  all(): readonly Canary[];
  get(id: string): Canary | undefined;
  token(id: string): Secret | undefined;
  /** @param token that of a new canary */
  put(canary: Canary, token?: Secret): void;
  drop(id: string): void;
  /** Writes down that all of them are so much older. */
  touch(now: Reading): void;
  /** How many in the file cannot be opened: there is another address or other credentials now, or it is damaged. */
  unopened(): number;
}

/**
 * A token is shown to the address that issued it and to no other: it opens for that address alone, so that a target
 * whose address changes sends the tokens of one host to no other, and takes no other's refusal for theirs.
 * @param now a reading at the start, from which the age of those in the file goes on
 */
export function createCanaryStore(
  {
    name: target,
    connection,
    account: { secretKey },
  }: Pick<WatchedTarget, 'name' | 'connection' | 'account'>,
  state: StateStore,
  now: Reading,
): CanaryStore {
  const issuer = `${target} at ${connection.origin.href.replace(/\/$/, '')}`;
  const canaries = new Map<string, Canary>();
  const tokens = new Map<string, { readonly token: Secret; readonly sealed: string }>();
  const unopened = unopenedOf(target, state);

  for (const [id, value] of state.entries(target, 'canary')) {
    const canary = restored(field(value, 'canary'), now);
    const sealed = field(value, 'token');
    const token =
      typeof sealed === 'string'
        ? openToken(sealed, secretKey, { target: issuer, canary: id })
        : undefined;
    if (canary?.id !== id || token === undefined || typeof sealed !== 'string') {
      unopened.keep(id, value, now.wall);
      continue;
    }
    canaries.set(id, canary);
    tokens.set(id, { token, sealed });
    // A row that did not open for a while forgets that.
    if (field(value, 'unopenedAt') !== undefined) put(canary);
  }

  function put(canary: Canary, token?: Secret): void {
    const { id } = canary;
    if (token !== undefined)
      tokens.set(id, {
        token,
        sealed: sealToken(token, secretKey, { target: issuer, canary: id }),
      });
    canaries.set(id, canary);
    state.put(target, 'canary', id, { canary: saved(canary), token: tokens.get(id)?.sealed ?? '' });
  }

  return {
    all: () => [...canaries.values()],
    get: (id) => canaries.get(id),
    token: (id) => tokens.get(id)?.token,
    put,
    drop(id) {
      canaries.delete(id);
      tokens.delete(id);
      state.remove(target, 'canary', id);
    },
    touch(at) {
      for (const canary of canaries.values()) put(touched(canary, at));
      unopened.tidy(at.wall);
    },
    unopened: unopened.count,
  };
}
