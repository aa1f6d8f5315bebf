import type { Stage } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Something that happens to the monitor, its machine or its network, and that is not a violation. */
type Mishap = (stage: Stage) => Promise<void> | void;

const kill: Mishap = async ({ monitor, random, journal, pass, start }) => {
  journal.note('kill -9');
  monitor.kill();
  if (random.chance(0.5)) await pass(random.between(minute, 5 * hour));
  start();
};

/** The monitor is killed in the middle of a run, and started again at once. */
const killAtRequest: Mishap = async ({ monitor, random, journal, pass, start, atRequest }) => {
  atRequest(random.between(1, 30), () => {
    journal.note('kill -9 with a request under way');
    monitor.kill();
    start();
  });
  await pass(2 * hour);
};

const restart: Mishap = async ({ monitor, random, journal, pass, start }) => {
  journal.note('restart');
  await monitor.drain(random.pick([0, 5_000, 10_000]));
  if (random.chance(0.5)) await pass(random.between(minute, hour));
  start();
};

/** A duration: short, long, or sometimes about a day. */
function stretch({ random }: Stage): number {
  if (random.chance(0.1)) return random.between(23 * hour, 25 * hour);
  return random.chance(0.3)
    ? random.between(2 * minute, 14 * hour)
    : random.between(500, 2 * minute);
}

const suspend: Mishap = (stage) => {
  const ms = stretch(stage);
  stage.journal.note(`suspended for ${ms} ms`);
  stage.time.suspend(ms);
};

/** A token is issued, and the machine sleeps until after its end before the token is used. */
const sleepInARun: Mishap = async ({ random, journal, time, pass, atRequest }) => {
  const act = (): void => {
    journal.note('suspended for a day with a new token under way');
    time.suspend(24 * hour + random.between(0, hour));
  };
  atRequest(2, act);
  await pass(6 * hour);
};

function stop(stage: Stage, wallGoesOn: boolean): void {
  const ms = stretch(stage);
  const wall = wallGoesOn ? 'goes on' : 'has stopped too';
  stage.journal.note(`stopped from outside for ${ms} ms, and the wall clock ${wall}`);
  stage.time.pause(ms, wallGoesOn);
}

const pause: Mishap = (stage) => stop(stage, stage.random.chance(0.5));

/** Without a `Date`, and if the wall clock stops too, no clock could show it. */
const pauseInARun: Mishap = (stage) => stop(stage, !stage.dated || stage.random.chance(0.5));

const step: Mishap = ({ random, journal, time, setRight }) => {
  const ms = random.pick([
    random.between(-500, 500),
    random.between(-30_000, 30_000),
    random.between(-26 * hour, 26 * hour),
  ]);
  journal.note(`the wall clock is set by ${ms} ms`);
  if (random.chance(0.3)) setRight();
  else time.step(ms);
};

const reboot: Mishap = ({ random, journal, monitor, time, start }) => {
  const ms = random.between(20_000, 8 * hour);
  journal.note(`reboot, ${ms} ms long`);
  monitor.kill();
  time.pause(ms, true);
  time.reboot();
  start();
};

const outage: Mishap = async ({ random, journal, weather, pass }) => {
  const how = random.pick(['refused', 'unavailable', 'silent'] as const);
  journal.note(`outage: ${how}`);
  weather.outage = how;
  await pass(random.between(minute, 7 * hour));
  delete weather.outage;
};

const badWeather: Mishap = ({ random, weather, journal }) => {
  weather.lost = random.pick([0, 0.01, 0.1]);
  weather.slow = random.pick([0, 0.02, 0.3]);
  journal.note(`${weather.lost} of the messages are lost, ${weather.slow} are slow`);
};

const otherTargets: Mishap = async ({ random, journal, watchOnly, pass, atRequest }) => {
  const names = random.pick([['alpha'], ['alpha', 'beta'], ['beta', 'alpha']]);
  const act = (): void => {
    journal.note(`watching ${names.join()} anew`);
    watchOnly(names, `${random.between(1, 1_000_000)}`);
  };
  if (random.chance(0.5)) return act();
  atRequest(random.between(1, 20), act);
  await pass(2 * hour);
};

const mishaps: readonly [Mishap, ...Mishap[]] = [
  kill,
  killAtRequest,
  restart,
  suspend,
  sleepInARun,
  pause,
  step,
  reboot,
  outage,
  badWeather,
  otherTargets,
];

/** Runs mishaps one after the other for this time, also while requests are in progress. Afterwards all is as before. */
export async function anyMishaps(stage: Stage, ms: number): Promise<void> {
  const { random, time, weather, pass, journal } = stage;
  const end = time.truth() + ms;
  weather.onTheWay = () => {
    if (!random.chance(0.0008)) return;
    journal.note('while a request is under way:');
    void random.pick([suspend, pauseInARun, step])(stage);
  };
  while (time.truth() < end) {
    await pass(random.between(minute, 8 * hour));
    await random.pick(mishaps)(stage);
  }
  delete weather.onTheWay;
  weather.lost = weather.slow = 0;
  stage.setRight();
  stage.watchOnly(['alpha', 'beta']);
}
