import { test } from '@playwright/test';
import { nightly } from '../nightly.ts';
import { night } from '../sample.ts';
import { createChapters, threeDays } from './chapters.ts';
import { type Chapter, calm, type Stage, stage, type World } from './stage.ts';

/**
 * `SIMULATION_SEEDS=20` runs a month of the seeds 1 to 20 of each kind, and `SEED=7` only one of seed 7. A night runs
 * seed 1, and a new one: its day.
 */
const { SEED, SIMULATION_SEEDS } = process.env;

test.describe.configure({ mode: 'parallel' });

const seeds =
  SEED === undefined
    ? Array.from({ length: Number(SIMULATION_SEEDS ?? 1) }, (_, index) => `${index + 1}`)
    : [SEED];
const areChosen = SEED !== undefined || SIMULATION_SEEDS !== undefined;
const months = night === undefined || areChosen ? seeds : [...seeds, night];

/** The clocks of the provider's two servers are ten minutes apart, and a proxy gives one answer in a hundred. */
const hostile: World = { skewMs: 600_000, odd: 0.01 };

async function simulated(
  seed: string,
  title: string,
  world: World,
  chapters: (scene: Stage) => readonly Chapter[],
): Promise<void> {
  const replay = `SEED=${seed} npx playwright test -c tests tests/simulation -g "${title}"`;
  const scene = await stage(seed, replay, world);
  try {
    scene.start();
    for (const chapter of chapters(scene)) await chapter(scene);
    scene.journal.settle();
  } finally {
    scene.end();
  }
}

for (const [kind, world] of [
  ['', calm],
  [', of two servers and a proxy,', hostile],
] as const) {
  test(`three days of seed 1${kind} have no false alarm, and a leeway is found in time`, () =>
    simulated('1', `days of seed 1${kind}`, world, () => threeDays));

  test.describe(() => {
    if (!areChosen) nightly();
    for (const seed of months)
      test(`the month of seed ${seed}${kind} has no false alarm, and every fault is found in time`, async () => {
        test.setTimeout(600_000);
        await simulated(seed, `month of seed ${seed}${kind}`, world, createChapters);
      });
  });
}
