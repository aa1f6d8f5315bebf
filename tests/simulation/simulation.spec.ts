import { test } from '@playwright/test';
import { chaptersOf } from './chapters.ts';
import { stage } from './stage.ts';

/** `SIMULATION_SEEDS=20` runs so many, and `SEED=7` that one alone. */
const { SEED, SIMULATION_SEEDS = '2' } = process.env;

const first = Array.from({ length: Number(SIMULATION_SEEDS) }, (_, index) => `${index + 1}`);

for (const seed of SEED === undefined ? first : [SEED])
  test(`in the month of seed ${seed} nobody is accused falsely, and every fault is found in time`, async () => {
    test.setTimeout(120_000);
    const scene = await stage(seed, `SEED=${seed} npx playwright test tests/simulation`);
    try {
      scene.start();
      for (const chapter of chaptersOf(scene)) await chapter(scene);
      scene.journal.settle();
    } finally {
      scene.end();
    }
  });
