import { daily, needsClock } from '../../contract/probe.ts';
import { clausesWith } from '../../monitor/status/status.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { type FaultCase, faultCases, faulty } from '../faults/index.ts';
import { judgeFault } from '../faults/run.ts';
import { anyMishaps } from './mishaps.ts';
import type { Stage } from './stage.ts';
import type { Sight } from './witness.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What happens for some hours or days. */
export type Chapter = (stage: Stage) => Promise<void>;

/** The duration of a chapter of mishaps. */
const noisyMs = 144 * hour;

/** A canary is started every four hours, and a due run may wait a little for its turn. */
const nextCanary = 4 * hour + 2 * minute;

/** Checks that the monitor reports something about the first target, from now on, in time. */
async function found(stage: Stage, is: Sight['is'], mostMs: number, what: string): Promise<void> {
  const { sights, time, journal, until, provider, dated, world } = stage;
  // Without a `Date`, the whole machine may have been stopped, so no clause is violated.
  if (is === 'early_reject' && !dated) return stage.pass(mostMs);
  const since = time.truth();
  const name = provider.account.apiKey.split('-')[0];
  const seen = () => sights.some((one) => one.is === is && one.at >= since && one.target === name);
  // After an odd answer, a canary is started or checked again some minutes later.
  if (!(await until(mostMs + (world.odd > 0 ? 15 * minute : 0), seen)))
    journal.complain(`${what} was not found in ${mostMs} ms`);
  await stage.pass(minute);
}

/** A leeway of a minute: the next canary is started, lives for a day, and is admitted 30 s after its end. */
const leeway: Chapter = async (stage) => {
  stage.journal.note('tokens live a minute too long');
  stage.provider.become('leeway-of-a-minute');
  await found(stage, 'late_accept', nextCanary + 24 * hour + minute, 'a leeway of a minute');
  stage.provider.become();
};

/** After a token was repeated, an early end is not proven for this time. */
const untilNew = 27 * hour;

/** All clients get the same token, which lives longer than 24 hours. Its age is counted from when it was first seen. */
const tokenGivenAgain: Chapter = async (stage) => {
  const { journal, provider, random, world } = stage;
  // A proxy may have replaced the first answer with this token, and the next one may be hours later.
  const [excess, unseenMs] = world.odd > 0 ? ['six hours', 6 * hour] : ['ten minutes', 0];
  const [what, livesMs] = random.pick([
    ['a token that never ends', Infinity],
    ['a token that lives for 30 days', 720 * hour],
    [`a token that lives ${excess} too long`, 24 * hour + (unseenMs || 10 * minute)],
  ]);
  journal.note(`${what} is given again and again`);
  provider.giveAgain({ givenMs: livesMs, livesMs });
  await found(stage, 'late_accept', nextCanary + 24 * hour + minute, what);
  // Of a token that it gets only once the monitor cannot know that others had it before.
  await stage.pass(nextCanary + unseenMs);
  provider.become();
  await stage.pass(untilNew);
};

/** A valid token is issued again, even one that another client has had for hours, and ends in time. That is allowed. */
const permittedReuse: Chapter = async (stage) => {
  stage.journal.note('valid tokens are given again, and mishaps');
  stage.provider.giveAgain({ givenMs: 24 * hour, livesMs: 24 * hour, others: true });
  await anyMishaps(stage, 96 * hour);
  stage.provider.become();
  await stage.pass(untilNew);
};

/**
 * The last check before the end detects tokens that end a minute early. If tokens end an hour early, it decides
 * nothing until the kept token is renewed, because that one has ended early too.
 */
const earlyEnd: Chapter = async (stage) => {
  // If clocks differ by minutes, the age of a token is uncertain by as much.
  const livesMs =
    stage.world.skewMs > 0 ? 23 * hour : stage.random.pick([23 * hour, 24 * hour - minute]);
  stage.journal.note(`tokens live ${livesMs / hour} hours`);
  stage.provider.live(livesMs);
  await found(stage, 'early_reject', nextCanary + 25 * hour, 'an early end');
  stage.provider.become();
};

/** A canary is checked at the age of an hour, and again eleven hours later. */
const loss: Chapter = async (stage) => {
  await stage.pass(nextCanary + hour);
  stage.journal.note('all tokens are lost');
  stage.provider.lose();
  await found(stage, 'early_reject', 11 * hour + minute, 'a loss of all tokens');
};

/** The same, with a loss in the middle of a run. */
const lossAtRequest: Chapter = async (stage) => {
  await stage.pass(nextCanary + hour);
  stage.atRequest(stage.random.between(1, 60), () => {
    stage.journal.note('all tokens are lost while a request is under way');
    stage.provider.lose();
  });
  await found(stage, 'early_reject', 18 * hour, 'a loss of all tokens');
};

/** The kept token is used in each period. */
const revocation: Chapter = async (stage) => {
  const { provider, journal, random } = stage;
  journal.note('many a token is revoked');
  for (const token of provider.made().keys()) if (random.chance(0.8)) provider.revoke(token);
  await stage.pass(24 * hour);
};

/** During maintenance the provider may behave in any way. */
const maintenance: Chapter = async (stage) => {
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

/** A target whose period is too short for its network. Runs that cannot take place are counted. */
const hurry: Chapter = async ({ random, weather, journal, monitor, pass, start, watchOnly }) => {
  journal.note('a target in a hurry, and a slow network');
  watchOnly(['alpha', 'beta', 'gamma']);
  weather.slow = 0.5;
  await pass(10 * minute);
  if ((monitor.view()?.missedTicks ?? 0) === 0) journal.complain('nothing was missed in a hurry');
  await monitor.drain(random.pick([0, 10_000]));
  start();
  await pass(2 * minute);
  weather.slow = 0;
  watchOnly(['alpha', 'beta']);
};

/** The provider is unavailable. Every quick probe detects that within its period, and nothing counts as an answer. */
const outage: Chapter = async ({ random, time, weather, journal, monitor, pass, until, world }) => {
  const state = () => statusOf(monitor, 'alpha')?.state ?? '';
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
const mishaps: Chapter = (stage) => anyMishaps(stage, noisyMs);

/** Faults and mishaps together. Nothing has to be found, but nothing false may be reported. */
const lifetimeAndMishaps: Chapter = async (stage) => {
  const fault = stage.random.pick(['leeway-of-a-minute', 'ends-an-hour-early', 'half-a-day']);
  stage.journal.note(`${fault}, and mishaps`);
  stage.provider.become(fault);
  await anyMishaps(stage, noisyMs);
  stage.provider.become();
};

/** Faults of the quick probes' areas, without those of connections: the simulated network has none. */
const possibleMutants = faultCases.filter(
  ({ area, socket }) => /^(TOKEN|BEARER|ERROR)$/.test(area) && !socket,
);

/**
 * The probes that catch a fault; undefined for a provider that remembers a connection, which would admit every request
 * of the simulated network.
 */
async function catchersOf(mutant: FaultCase): Promise<readonly string[] | undefined> {
  if (mutant.name.includes('connection')) return undefined;
  const { caughtBy } = await judgeFault(mutant);
  return caughtBy;
}

/**
 * They show only in tokens of one second, in dozens of requests of one instant or in a row, or in half of the requests:
 * a monitor sends few requests at a time, and both attempts must see a fault.
 */
const seenByChance: ReadonlySet<string> = new Set([
  'second-token-in-a-second-is-dead',
  'open-under-load',
  'one-in-fifty',
  'two-that-share-no-tokens',
  'attempts-are-counted',
]);

/** The period of the quickest of these probes (milliseconds). Here all probes run sixty times less often. */
function periodOf(names: readonly string[]): number {
  const about = probes.filter((probe) => !needsClock(probe) && names.includes(probe.name));
  const quickest = Math.min(...about.map(({ everySeconds = Infinity }) => everySeconds));
  return quickest === daily ? 27 * hour : quickest * minute;
}

const statusOf = (monitor: Stage['monitor'], target: string) =>
  monitor.view()?.targets.find(({ status }) => status.target === target)?.status;

/**
 * The clauses that a mutant may violate. Where a proxy answers the request without a token, a probe of a way around the
 * guard goes on, and finds that the provider admits an altered token too.
 */
const violatedBy = ({ breaks }: FaultCase, caughtBy: readonly string[]): readonly string[] =>
  caughtBy.some((probe) => probe.endsWith('-is-no-way-in')) ? [...breaks, 'BEARER-3'] : breaks;

/** Every fault is found by the second run of the quickest probe that detects it. */
const mutantsFound: Chapter = async (stage) => {
  const { random, provider, journal, pass, broken, until, monitor } = stage;
  let tried = 0;
  for (const mutant of random.shuffled(possibleMutants)) {
    const { name } = mutant;
    // The simulated provider has its own tokens, so faults of JWTs do not show.
    if (seenByChance.has(name) || faulty(name).mint !== right.mint) continue;
    const caughtBy = await catchersOf(mutant);
    if (caughtBy === undefined || periodOf(caughtBy) === Infinity) continue;
    if (++tried > 3) break;
    journal.note(`${name} (${mutant.breaks.join()})`);
    for (const clause of violatedBy(mutant, caughtBy)) broken.add(clause);
    provider.become(name);
    const isFound = () => {
      const status = statusOf(monitor, 'alpha');
      return (
        status !== undefined && clausesWith(status, 'violated').some(({ id }) => broken.has(id))
      );
    };
    const mostMs = 2 * periodOf(caughtBy) + 10 * minute;
    if (!(await until(mostMs, isFound)))
      journal.complain(`${name} was not found in ${mostMs / hour} h`);
    provider.become();
    await pass(periodOf(caughtBy) + 12 * hour);
    broken.clear();
    await pass(24 * hour);
  }
};

/** The same with faults that probes detect: each violates the clauses that it names. */
const mutantAndMishaps: Chapter = async (stage) => {
  const { random, provider, journal, pass, broken } = stage;
  for (const mutant of random.shuffled(possibleMutants)) {
    const caughtBy = await catchersOf(mutant);
    if (caughtBy === undefined) continue;
    journal.note(`${mutant.name} (${mutant.breaks.join()}), and mishaps`);
    provider.become(mutant.name);
    for (const clause of violatedBy(mutant, caughtBy)) broken.add(clause);
    break;
  }
  await anyMishaps(stage, noisyMs / 2);
  provider.become();
  // A run in progress may still have seen the fault.
  await pass(5 * minute);
  broken.clear();
};

/** After three and a half days without faults and mishaps, nothing is violated and everything is verified again. */
const recovery: Chapter = async ({ pass, time, monitor, journal, world }) => {
  journal.note('all is well from here on');
  await pass(84 * hour);
  const lately = time.wall() - 24 * hour;
  for (const { status } of monitor.view()?.targets ?? []) {
    const { target: name, clauses, state, checks, silence } = status;
    const unproven = (['EXPIRY-1', 'EXPIRY-2', 'EXPIRY-5'] as const).filter(
      (id) => clauses[id].verdict !== 'holds',
    );
    const vague = checks.find(({ at, verdict }) => at > lately && verdict !== 'ok');
    if (state !== 'holds')
      journal.complain(
        `${name} is ${state} although all is well: ${silence?.detail ?? status.unproven}`,
      );
    if (unproven.length > 0) journal.complain(`${name}: ${unproven.join()} not proven in days`);
    if (vague !== undefined && world.skewMs === 0)
      journal.complain(`${name}: ${JSON.stringify(vague)} decides nothing`);
  }
  journal.settle();
};

/** Mishaps, and a fault that is found in the middle of the third day. */
export const threeDays: readonly Chapter[] = [(scene) => anyMishaps(scene, 36 * hour), leeway];

/** The chapters of a seed, in their order. */
export function chaptersOf(stage: Stage): Chapter[] {
  const lifetimes = [leeway, earlyEnd, tokenGivenAgain];
  const isHostile = stage.world.odd > 0;
  const found = isHostile ? [mutantsFound] : [];
  const losses = [loss, lossAtRequest, revocation];
  const quiet = [...lifetimes, ...losses, maintenance, outage, hurry, ...found];
  const noisy = [mishaps, permittedReuse, lifetimeAndMishaps, mutantAndMishaps];
  return [...stage.random.shuffled([...quiet, ...noisy]), recovery];
}
