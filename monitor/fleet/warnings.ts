import { count } from '../../contract/report/words.ts';
import type { Member, MemberRow } from './database.ts';

/** A restarted member finds its former row for about this long: until that counts as dead. */
const twinMs = 60_000;

const minuteMs = 60_000;

/** Machines differ by some seconds; from here on the times on the pages of a fleet mislead. */
const mostSkewMs = 2 * minuteMs;

/** Finds settings of this machine that harm the fleet, although the database can be used: one line for each, once. */
export class Warnings {
  readonly #me: Member;
  readonly #note: (line: string) => void;
  #twinSince: number | undefined;
  #isTwinNoted = false;

  constructor(me: Member, note: (line: string) => void) {
    this.#me = me;
    this.#note = note;
  }

  /** @param members as the database lists them now @param wall this machine's clock @param elapsed a monotonic one */
  observe(
    members: readonly MemberRow[],
    { wall, elapsed }: { wall: number; elapsed: number },
  ): void {
    const own = members.find(({ id }) => id === this.#me.id);
    if (own?.beat === 1) this.#compare(wall - own.startedAt);
    const { authority } = this.#me;
    const hasTwin = members.some((one) => one !== own && one.authority === authority);
    this.#twinSince = hasTwin ? (this.#twinSince ?? elapsed) : undefined;
    if (this.#isTwinNoted || elapsed - (this.#twinSince ?? elapsed) < twinMs) return;
    this.#isTwinNoted = true;
    this.#note(
      `another monitor of the fleet has the address ${authority} too, so links and /sd lead to the wrong one: set MONITOR_ADVERTISE`,
    );
  }

  #compare(aheadMs: number): void {
    if (Math.abs(aheadMs) <= mostSkewMs) return;
    const difference = count(Math.round(Math.abs(aheadMs) / minuteMs), 'minute');
    this.#note(
      `the clock of this machine is ${difference} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of the database, so times on the pages are wrong: set both clocks`,
    );
  }
}
