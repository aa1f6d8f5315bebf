import { clausesWith } from '../../monitor/status/status.ts';
import { anyMishaps } from './mishaps.ts';
import type { Chapter, Stage } from './stage.ts';
import type { Sight } from './witness.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A canary is started every four hours, and a due run may wait a little for its turn. */
const nextCanary = 4 * hour + 2 * minute;

/** Checks that the monitor reports something about the first target, from now on, in time. */
async function found(stage: Stage, is: Sight['is'], mostMs: number, what: string): Promise<void> {
  const { sights, time, journal, until, provider, dated, world } = stage;
  // Without a `Date`, the whole machine may have been stopped, so no clause is violated.
  if (is === 'early_reject' && !dated) return stage.pass(mostMs);
  const since = time.truth();
  const name = provider.account.apiKey.split('-')[0];
  const seen = () =>
    sights.some((sight) => sight.is === is && sight.at >= since && sight.target === name);
  // After an odd answer, a canary is started or checked again some minutes later.
  if (!(await until(mostMs + (world.odd > 0 ? 15 * minute : 0), seen)))
    journal.complain(`${what} was not found in ${mostMs} ms`);
  await stage.pass(minute);
}

/** A leeway of a minute: the next canary is started, lives for a day, and is admitted 30 s after its end. */
export const leeway: Chapter = async (stage) => {
  stage.journal.note('tokens live a minute too long');
  stage.provider.become('leeway-of-a-minute');
  await found(stage, 'late_accept', nextCanary + 24 * hour + minute, 'a leeway of a minute');
  stage.provider.become();
};

/** After a token was repeated, an early end is not proven for this time. */
const untilNew = 27 * hour;

/** All clients get the same token, which lives longer than 24 hours. Its age is counted from when it was first seen. */
export const tokenGivenAgain: Chapter = async (stage) => {
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
export const permittedReuse: Chapter = async (stage) => {
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
export const earlyEnd: Chapter = async (stage) => {
  // If clocks differ by minutes, the age of a token is uncertain by as much.
  const livesMs =
    stage.world.skewMs > 0 ? 23 * hour : stage.random.pick([23 * hour, 24 * hour - minute]);
  stage.journal.note(`tokens live ${livesMs / hour} hours`);
  stage.provider.live(livesMs);
  await found(stage, 'early_reject', nextCanary + 25 * hour, 'an early end');
  stage.provider.become();
};

/**
 * A canary is checked at the age of an hour, and again eleven hours later. Where the clocks of servers differ, only an
 * answer of the server that has dated the token counts.
 */
export const loss: Chapter = async (stage) => {
  await stage.pass(nextCanary + hour);
  stage.journal.note('all tokens are lost');
  stage.provider.lose();
  const within = stage.world.skewMs > 0 ? nextCanary + 25 * hour : 11 * hour + minute;
  await found(stage, 'early_reject', within, 'a loss of all tokens');
};

/** The name of a fault, and the clauses that it violates whatever a token's age is. */
type Row = readonly [name: string, violated: readonly string[]];

/** Faults that a probe finds which runs every five hours here. */
const probed: readonly [Row, ...Row[]] = [
  ['refuses-everything', ['BEARER-1', 'TOKEN-4']],
  ['scheme-not-looked-at', ['BEARER-4']],
  ['redirect-to-login', ['ERROR-1']],
  ['other-message', ['ERROR-3']],
];
/** What these violate follows from each token's age, which the witness knows. */
const lifetimes: readonly Row[] = [
  ['leeway-of-a-minute', []],
  ['ends-an-hour-early', []],
  ['half-a-day', []],
];
const probedMs = 5 * hour;

/** Each fault is found by the second run of the quickest probe that detects it. */
export const faultsFound: Chapter = async (stage) => {
  const { random, provider, journal, pass, broken, until, monitor } = stage;
  for (const [name, clauses] of random.shuffled(probed)) {
    journal.note(name);
    for (const clause of clauses) broken.add(clause);
    provider.become(name);
    const isFound = () => {
      const status = monitor.status('alpha');
      const violated = status === undefined ? [] : clausesWith(status, 'violated');
      return violated.some(({ id }) => broken.has(id));
    };
    if (!(await until(2 * probedMs + 10 * minute, isFound)))
      journal.complain(`${name} was not found in two runs`);
    provider.become();
    await pass(probedMs + 12 * hour);
    broken.clear();
    await pass(24 * hour);
  }
};

/** A fault and mishaps together: nothing has to be found, but nothing false may be reported. */
export const faultAndMishaps: Chapter = async (stage) => {
  const { random, provider, journal, pass, broken } = stage;
  const [name, clauses] = random.pick([...probed, ...lifetimes]);
  journal.note(`${name}, and mishaps`);
  provider.become(name);
  for (const clause of clauses) broken.add(clause);
  await anyMishaps(stage, 144 * hour);
  provider.become();
  // A run in progress may still have seen the fault.
  await pass(5 * minute);
  broken.clear();
};
