import { test } from '@playwright/test';
import { chaptersOf } from './chapters.ts';
import { stage } from './stage.ts';
import { calm, type World } from './world.ts';

/** `SIMULATION_SEEDS=20` runs the seeds 1 to 20 of each kind, and `SEED=7` runs only seed 7. */
const { SEED, SIMULATION_SEEDS = '1' } = process.env;

test.describe.configure({ mode: 'parallel' });

const first = Array.from({ length: Number(SIMULATION_SEEDS) }, (_, index) => `${index + 1}`);

/** The clocks of the provider's two servers are ten minutes apart, and a proxy gives one answer in a hundred. */
const hostile: World = { skewMs: 600_000, odd: 0.01 };

for (const [kind, world] of [
  ['', calm],
  [', of two servers and a proxy,', hostile],
] as const)
  for (const seed of SEED === undefined ? first : [SEED])
    test(`the month of seed ${seed}${kind} has no false alarm, and every fault is found in time`, async () => {
      test.setTimeout(600_000);
      const replay = `SEED=${seed} npx playwright test tests/simulation -g "seed ${seed}${kind}"`;
      const scene = await stage(seed, replay, world);
      try {
        scene.start();
        for (const chapter of chaptersOf(scene)) await chapter(scene);
        scene.journal.settle();
      } finally {
        scene.end();
      }
    });
