import { fileURLToPath } from 'node:url';
import { limited, type Measure, median, shown, timed } from './figure.ts';
import type { Measures } from './selection.ts';

const main = fileURLToPath(new URL('../../pacts/verify/main.ts', import.meta.url));
const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
const root = fileURLToPath(new URL('../..', import.meta.url));

type Run = (folder: string) => Promise<number>;

/** The median of three runs, after a first run that warms the caches. */
const usual =
  (run: Run): Run =>
  async (folder) => {
    await run(folder);
    return median([await run(folder), await run(folder), await run(folder)]);
  };

/** A measure of the duration of a run, with a limit in seconds. */
const taking =
  (what: string, boundSeconds: number, run: Run): Measure =>
  async (folder) => {
    const seconds = await run(folder);
    return limited(what, shown(seconds), { measured: seconds, most: boundSeconds, unit: 's' });
  };

/** The cost of pacts. */
export const ofThePacts: Measures = {
  verify: taking(
    'npm run pact:verify: the pacts of this project against the sandbox',
    3,
    usual((folder) => timed([main], folder)),
  ),
  consumers: taking(
    'the consumer tests',
    4,
    usual(() => timed([cli, 'test', '--project=consumer', '--reporter=dot'], root)),
  ),
  // With CI set, a missing broker fails the test instead of skipping it.
  story: taking('the story of two consumers, a provider and a real broker', 60, () =>
    timed([cli, 'test', '--reporter=dot', 'tests/pacts/story.spec.ts'], root, { CI: 'true' }),
  ),
};
