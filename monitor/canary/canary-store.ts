import { field, isNumber, isObject } from '../../contract/json-value.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { days, hours } from '../../contract/time/clock.ts';
import type { StateStore } from '../state/state.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import type { Reading } from './age.ts';
import { type Canary, touched } from './canary.ts';
import { isOutweighed } from './checking.ts';
import { restored, saved } from './saved.ts';
import { fingerprintOf, openToken, sealToken } from './seal.ts';

type Target = Pick<WatchedTarget, 'name' | 'connection' | 'account'>;

interface Context {
  readonly state: StateStore;
  /** The instant from which the age of rows counts (milliseconds since 1970). */
  readonly retention: { now(): number };
}

/** At this age the last check around the end of a token is done. */
const youngMs = hours(26);

const isSpare = ({ state, anchor }: Canary): boolean =>
  state === 'lost' || (state === 'expired' && anchor.least > youngMs);

/** A token, in memory and as it is in the file. */
interface SealedToken {
  readonly token: Secret;
  readonly sealed: string;
}

/**
 * The canaries of a target and their tokens, in memory and, sealed, in the state file. A token is sent only to the
 * address that issued it, and can be opened only for that address. So if a target's address changes, the monitor
 * does not send the old tokens to the new host, and does not judge a refusal there. The same goes for another API key:
 * a provider may end the tokens of a key that was replaced.
 */
export class CanaryStore {
  readonly #target: string;
  readonly #issuer: string;
  readonly #secretKey: Secret;
  /** Identifies the API key in the file. Rows of earlier versions lack it. */
  readonly #apiKey: string;
  readonly #state: StateStore;
  readonly #canaries = new Map<string, Canary>();
  readonly #tokens = new Map<string, SealedToken>();
  readonly #unopened: Unopened;

  /** @param now a reading at the start: the ages of canaries in the file continue from it */
  constructor({ name, connection, account }: Target, { state, retention }: Context, now: Reading) {
    this.#target = name;
    this.#issuer = `${name} at ${connection.origin.href.replace(/\/$/, '')}`;
    this.#secretKey = account.secretKey;
    this.#apiKey = fingerprintOf(account.apiKey, account.secretKey, name);
    this.#state = state;
    this.#unopened = new Unopened(name, { state, retention });
    for (const [id, row] of state.entries(name, 'canary')) this.#restore(id, row, now);
  }

  all(): readonly Canary[] {
    return [...this.#canaries.values()];
  }

  get(id: string): Canary | undefined {
    return this.#canaries.get(id);
  }

  token(id: string): Secret | undefined {
    return this.#tokens.get(id)?.token;
  }

  /** @param token the token of a new canary */
  put(canary: Canary, token?: Secret): void {
    const { id } = canary;
    if (token !== undefined) {
      const sealed = sealToken(token, this.#secretKey, { target: this.#issuer, canary: id });
      this.#tokens.set(id, { token, sealed });
    }
    this.#canaries.set(id, canary);
    const sealed = this.#tokens.get(id)?.sealed ?? '';
    const row = { canary: saved(canary), token: sealed, apiKey: this.#apiKey };
    this.#state.put(this.#target, 'canary', id, row);
  }

  /**
   * Whether another canary may be kept. If there are too many, a failed one makes room that others outweigh: the
   * earliest, because it is not checked any more. Or one whose checks around its end are done: the latest, because the
   * earlier ones are still checked every day.
   */
  hasRoom(most: number): boolean {
    if (this.#canaries.size < most) return true;
    const all = this.all().toSorted((one, other) => other.madeAt - one.madeAt);
    const spare = all.findLast((one) => isOutweighed(one, all)) ?? all.find(isSpare);
    if (spare !== undefined) this.drop(spare.id);
    return spare !== undefined;
  }

  drop(id: string): void {
    this.#canaries.delete(id);
    this.#tokens.delete(id);
    this.#state.remove(this.#target, 'canary', id);
  }

  /**
   * Stores the current ages of canaries that may still be checked around their end. For the others a day more or
   * less does not matter, and each is stored at its daily check.
   */
  touch(now: Reading): void {
    for (const canary of this.#canaries.values())
      if (canary.anchor.least <= youngMs) this.put(touched(canary, now));
    this.#unopened.tidy();
  }

  /** How many canaries in the file cannot be opened: address or credentials changed, or the row is damaged. */
  unopened(): number {
    return this.#unopened.count();
  }

  #restore(id: string, row: unknown, now: Reading): void {
    const canary = restored(field(row, 'canary'), now);
    const isOwn = field(row, 'apiKey') === this.#apiKey;
    const token = isOwn ? this.#opened(id, field(row, 'token')) : undefined;
    if (canary?.id !== id || token === undefined) {
      this.#unopened.keep(id, row);
      return;
    }
    this.#canaries.set(id, canary);
    this.#tokens.set(id, token);
    // This row could not be opened earlier: remove that mark.
    if (field(row, 'unopenedAt') !== undefined) this.put(canary);
  }

  #opened(id: string, sealed: unknown): SealedToken | undefined {
    if (typeof sealed !== 'string') return undefined;
    const token = openToken(sealed, this.#secretKey, { target: this.#issuer, canary: id });
    return token === undefined ? undefined : { token, sealed };
  }
}

/** A mistyped secret key is usually corrected within this time. Then the canaries can be opened again. */
const keptMs = days(7);

/**
 * Canaries in the state file that cannot be opened. They are damaged, or were sealed with another address or other
 * credentials.
 */
class Unopened {
  readonly #target: string;
  readonly #context: Context;
  /** For each id, when the canary could first not be opened (milliseconds since 1970). */
  readonly #since = new Map<string, number>();

  constructor(target: string, context: Context) {
    this.#target = target;
    this.#context = context;
  }

  /** Keeps such a canary in the file. @param row its content in the file */
  keep(id: string, row: unknown): void {
    const { state, retention } = this.#context;
    const now = retention.now();
    const before = field(row, 'unopenedAt');
    // A time in the future was written by a different clock.
    const at = isNumber(before) && before <= now ? before : now;
    this.#since.set(id, at);
    const rest = isObject(row) ? row : {};
    state.put(this.#target, 'canary', id, { ...rest, unopenedAt: at });
    this.tidy();
  }

  /** Removes canaries from the file that could not be opened for a week. */
  tidy(): void {
    const { state, retention } = this.#context;
    const now = retention.now();
    for (const [id, at] of this.#since)
      if (now - at > keptMs) {
        this.#since.delete(id);
        state.remove(this.#target, 'canary', id);
      }
  }

  count(): number {
    return this.#since.size;
  }
}

export const unopenedNote = (target: string, count: number): string =>
  `${target}: ${count} of its canaries in the state file cannot be opened with its address and credentials: ` +
  'they are kept for a week, in case one of these is wrong';
