import { test } from '@playwright/test';
import { simulatedFleet } from '../fleet/simulated-fleet.ts';
import { fleetMishaps, foundInTime, steady } from './fleet-mishaps.ts';

/** `SIMULATION_SEEDS=20` runs the seeds 1 to 20, and `SEED=7` runs only seed 7. */
const { SEED, SIMULATION_SEEDS = '1' } = process.env;

const seeds =
  SEED === undefined
    ? Array.from({ length: Number(SIMULATION_SEEDS) }, (_, index) => `${index + 1}`)
    : [SEED];

for (const seed of seeds)
  test(`the fleet of seed ${seed} watches each target once at a time, loses no canary, and has no false alarm`, async () => {
    test.setTimeout(600_000);
    const fleet = simulatedFleet({
      seed,
      members: 3,
      targets: 4,
      periodSeconds: 1800,
      flushMs: 10_000,
      replay: `SEED=${seed} npx playwright test tests/simulation/fleet.spec.ts`,
    });
    for (const member of fleet.members) member.start();
    await fleetMishaps(fleet, 40);
    await steady(fleet);
    await foundInTime(fleet);
  });
