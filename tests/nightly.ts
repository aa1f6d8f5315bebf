import { test } from '@playwright/test';
import { leftForNight } from './count.ts';
import { night } from './sample.ts';

/** Declares, at the top of a file or group, that only `npm run test:nightly` runs its tests. */
export function nightly(): void {
  // biome-ignore lint/suspicious/noSkippedTests: npm test lists it at its end.
  test.skip(night === undefined, leftForNight);
}
