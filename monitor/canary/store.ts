import { days } from '../../contract/durations.ts';
import { field, textIn } from '../../contract/json-value.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import type { Reading } from './age.ts';
import { type Canary, proveAgeUntil, restoreCanary } from './canary.ts';
import { createFingerprint, openToken, sealToken } from './seal.ts';

/** The rows of one target's canaries in the state file. */
export interface CanaryRows {
  /** Those from before the start, by their ids. */
  readonly saved: ReadonlyMap<string, unknown>;
  save(id: string, row?: object): void;
}

/** A canary counts for this time after its last admission, as evidence of lifetimes and violations. */
const rememberedMs = days(8);

/**
 * The canaries of a target and their tokens, in memory and, sealed, in the state file. A token can be opened only for
 * the address that issued it, and counts only for its API key: a provider may end the tokens of one that was replaced.
 */
export class CanaryStore {
  readonly #issuer: string;
  readonly #secretKey: Secret;
  readonly #apiKey: string;
  readonly #rows: CanaryRows;
  readonly canaries = new Map<
    string,
    Readonly<{ canary: Canary; token: Secret; sealed: string }>
  >();

  /** @param now a reading at the start: the ages of canaries in the file continue from it */
  constructor({ name, connection, account }: WatchedTarget, rows: CanaryRows, now: Reading) {
    this.#issuer = `${name} at ${connection.origin.href.replace(/\/$/, '')}`;
    this.#secretKey = account.secretKey;
    this.#apiKey = createFingerprint(account.apiKey, account.secretKey, name);
    this.#rows = rows;
    for (const [id, row] of rows.saved) this.#restore(id, row, now);
  }

  all(): readonly Canary[] {
    return [...this.canaries.values()].map(({ canary }) => canary);
  }

  /** Stores a canary. @param token only of a new one */
  put(canary: Canary, token?: Secret): void {
    const about = { target: this.#issuer, canary: canary.id };
    const newEntry = token && { token, sealed: sealToken(token, this.#secretKey, about) };
    const entry = newEntry ?? this.canaries.get(canary.id);
    if (entry === undefined) return;
    this.canaries.set(canary.id, { ...entry, canary });
    this.#rows.save(canary.id, { canary, token: entry.sealed, apiKey: this.#apiKey });
  }

  /** Drops the canaries that are too old. */
  dropOld(now: Reading): void {
    for (const canary of this.all()) {
      const { least } = proveAgeUntil(canary, now).anchor;
      if (least - (canary.bounds.atLeast ?? 0) > rememberedMs) this.#drop(canary.id);
    }
  }

  /** Stores the ages of the canaries. */
  touch(now: Reading): void {
    for (const canary of this.all()) this.put(proveAgeUntil(canary, now));
  }

  #drop(id: string): void {
    this.canaries.delete(id);
    this.#rows.save(id);
  }

  /** Rows that cannot be opened are of another address, or of other credentials. */
  #restore(id: string, row: unknown, now: Reading): void {
    const canary = restoreCanary(field(row, 'canary'), now);
    const sealed = textIn(row, 'token') ?? '';
    const isOwn = field(row, 'apiKey') === this.#apiKey;
    const about = { target: this.#issuer, canary: id };
    const token = isOwn ? openToken(sealed, this.#secretKey, about) : undefined;
    if (canary?.id !== id || token === undefined) this.#drop(id);
    else this.canaries.set(id, { canary, token, sealed });
  }
}
