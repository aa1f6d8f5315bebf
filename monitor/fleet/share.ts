/**
 * How many targets a member has when all are distributed evenly. Every member computes its own number without
 * communication, and the numbers add up to all targets.
 * @param members the ids of the living ones
 */
export function shareOf(me: string, members: readonly string[], targets: number): number {
  const place = members.toSorted().indexOf(me);
  if (place < 0) return 0;
  const each = Math.floor(targets / members.length);
  return place < targets % members.length ? each + 1 : each;
}

/** How many excess targets a member releases at a time. A new member gets its share within a minute. */
export const gentle = (excess: number, share: number): number =>
  Math.max(0, Math.min(excess, Math.max(2, Math.ceil(share / 10))));
