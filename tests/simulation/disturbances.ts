import { anyMishaps } from './mishaps.ts';
import type { Chapter } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The duration of a chapter of mishaps. */
const noisyMs = 144 * hour;

/** During maintenance the provider may behave in any way. */
export const maintenance: Chapter = async (stage) => {
  const { random, time, provider, excused, broken, weather, journal, pass, maintain } = stage;
  await pass(6 * hour);
  const from = time.truth() + 10 * minute;
  const until = from + random.between(70 * minute, 4 * hour);
  journal.note('maintenance is announced');
  maintain({ from, until });
  await pass(11 * minute);
  const fault = random.pick(['refuses-everything', 'redirect-to-login', undefined]);
  provider.become(fault);
  for (const clause of fault === undefined ? [] : ['TOKEN-4', 'BEARER-1', 'ERROR-1'])
    broken.add(clause);
  if (random.chance(0.3)) weather.outage = 'refused';
  await pass(random.between(0, until - time.truth() - minute));
  journal.note(`all tokens are lost in maintenance, and ${fault}`);
  for (const token of provider.made().keys()) excused.add(token);
  provider.lose();
  await pass(until - time.truth() - 20);
  provider.become();
  delete weather.outage;
  await pass(5 * minute);
  broken.clear();
  journal.note('maintenance is over');
  await pass(26 * hour);
};

/** The provider is unavailable. Every quick probe detects that within its period, and nothing counts as an answer. */
export const outage: Chapter = async ({
  random,
  time,
  weather,
  journal,
  monitor,
  pass,
  until,
  world,
}) => {
  const state = () => monitor.status('alpha')?.state ?? '';
  weather.outage = random.pick(['refused', 'unavailable', 'silent'] as const);
  journal.note(`outage: ${weather.outage}`);
  const since = time.truth();
  await pass(hour + 2 * minute);
  // A proxy's odd answer counts as an answer.
  const seen = ['unreachable', 'violated', ...(world.odd > 0 ? ['partly'] : [])];
  const isSeen = () => seen.includes(state());
  if (await until(random.between(0, 12 * hour), () => !isSeen()))
    journal.complain(`after an hour of an outage the target is ${state()}`);
  delete weather.outage;
  journal.note(`${(time.truth() - since) / hour} hours of an outage are over`);
  await pass(hour);
};

/** The provider is correct while mishaps hit the machine. The witness knows what is true. */
export const mishaps: Chapter = (stage) => anyMishaps(stage, noisyMs);
