import { count } from '../../contract/report/words.ts';
import type { Member, MemberRow } from './database.ts';

/** After a restart a member's old row stays for about this long, until it counts as dead. */
const twinMs = 60_000;

const minuteMs = 60_000;

/** A difference of some seconds is normal. Above this limit the times on the pages of a fleet are misleading. */
const mostSkewMs = 2 * minuteMs;

/** Finds wrong settings that harm the fleet although the database can be used. Each is reported once, in one line. */
export class Warnings {
  readonly #me: Member;
  readonly #note: (line: string) => void;
  #twinSince: number | undefined;
  #isTwinNoted = false;

  constructor(me: Member, note: (line: string) => void) {
    this.#me = me;
    this.#note = note;
  }

  /** @param members the current list in the database @param wall this machine's clock @param elapsed monotonic */
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
