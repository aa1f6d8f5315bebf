/**
 * How many targets a member has when all are spread evenly: every member finds its own number without asking the
 * others, and all numbers together are all targets.
 * @param members the ids of those that are alive
 */
export function shareOf(me: string, members: readonly string[], targets: number): number {
  const place = members.toSorted().indexOf(me);
  if (place < 0) return 0;
  const each = Math.floor(targets / members.length);
  return place < targets % members.length ? each + 1 : each;
}

/** How many of too many targets a member gives back at a time, so that a new member has its share within a minute. */
export const gentle = (excess: number, share: number): number =>
  Math.max(0, Math.min(excess, Math.max(2, Math.ceil(share / 10))));
