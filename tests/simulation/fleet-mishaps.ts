import type { SimulatedFleet, SimulatedMember } from '../fleet/simulated-fleet.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Something that happens to one member, its machine or the database, and that is not a violation. */
type Mishap = (fleet: SimulatedFleet, member: SimulatedMember) => Promise<void> | void;

const restartSoon = async (fleet: SimulatedFleet, member: SimulatedMember): Promise<void> => {
  await fleet.pass(fleet.random.between(0, 3 * minute));
  if (member.running === undefined) member.start();
};

const mishaps: Readonly<Record<string, Mishap>> = {
  async kill(fleet, member) {
    member.kill();
    await restartSoon(fleet, member);
  },
  async drain(fleet, member) {
    member.drain();
    await fleet.pass(11 * second);
    await restartSoon(fleet, member);
  },
  async stop(fleet, { machine }) {
    machine.stop();
    await fleet.pass(fleet.random.between(second, 10 * minute));
    machine.continue();
  },
  async suspend(fleet, { machine }) {
    machine.suspend();
    await fleet.pass(fleet.random.between(second, 3 * hour));
    machine.continue();
  },
  step({ random }, { machine }) {
    machine.step(random.between(-2 * hour, 2 * hour));
  },
  async 'cut off'(fleet, { database }) {
    if (database === undefined) return;
    database.cut = fleet.random.pick(['requests', 'answers']);
    await fleet.pass(fleet.random.between(second, 5 * minute));
    database.cut = undefined;
  },
  async outage({ server, random, pass }) {
    server.isGone = true;
    await pass(random.between(second, 10 * minute));
    server.isGone = false;
  },
};

/** Runs mishaps one after the other, also while requests are in progress. */
export async function fleetMishaps(fleet: SimulatedFleet, count: number): Promise<void> {
  const { random, journal, members } = fleet;
  for (let index = 0; index < count; index++) {
    await fleet.pass(random.between(minute, 2 * hour));
    const [name, mishap] = random.pick(entries);
    const member = random.pick(members);
    const before = canariesOf(fleet);
    journal.note(`${name} of ${member.machine.name}`);
    await mishap(fleet, member);
    for (const canary of before)
      if (!canariesOf(fleet).has(canary)) journal.complain(`${canary} is lost`);
    journal.settle();
  }
}

const [first, ...others] = Object.entries(mishaps);
if (first === undefined) throw new Error('nothing may happen');
const entries = [first, ...others] as const;

/** The canaries in the database, except those that are old enough to be removed. */
function canariesOf({ server, time }: SimulatedFleet): Set<string> {
  const found = new Set<string>();
  for (const [target, { entries: rows }] of server.rows)
    for (const { kind, key, value = '{}' } of rows.values()) {
      if (kind !== 'canary') continue;
      const { madeAt } = JSON.parse(value).canary;
      if (madeAt > time.wall() - 7 * 24 * hour) found.add(`${target}: canary ${key}`);
    }
  return found;
}

/** After all mishaps the members share the targets evenly, and each target is watched. */
export async function steady(fleet: SimulatedFleet): Promise<void> {
  const { members, journal, time, requestedAt, providers } = fleet;
  for (const member of members) if (member.running === undefined) member.start();
  await fleet.pass(2 * hour);
  const spread = fleet.spread();
  if (Math.max(...spread) - Math.min(...spread) > 1)
    journal.complain(`the targets are spread as ${spread.join(', ')}`);
  for (const target of providers.keys())
    if (time.truth() - (requestedAt.get(target) ?? 0) > hour)
      journal.complain(`${target} is not watched`);
  journal.settle();
}

/** A canary detects a token that lives too long, although its target moves twice meanwhile. */
export async function foundInTime(fleet: SimulatedFleet): Promise<void> {
  const { journal, providers, sights, time, server, members } = fleet;
  const [[name, provider] = []] = providers;
  if (name === undefined || provider === undefined) throw new Error('there is a provider');
  journal.note('tokens live ten minutes too long');
  const since = time.truth();
  provider.live(24 * hour + 10 * minute);
  const found = () =>
    sights.some(({ is, at, target }) => is === 'late_accept' && at > since && target === name);
  for (let hours = 0; hours < 30 && !found(); hours += 1) {
    if (hours === 8 || hours === 20) {
      const holder = server.leases.get(name)?.holder ?? '';
      const member = members.find(({ machine }) => holder.startsWith(`${machine.name} `));
      if (hours === 8) member?.kill();
      else member?.drain();
      await fleet.pass(minute);
      member?.start();
    }
    await fleet.pass(hour);
  }
  if (!found()) journal.complain('a token that lives too long was not found in 30 hours');
  journal.settle();
}
