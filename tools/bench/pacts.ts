import { fileURLToPath } from 'node:url';
import { type Figure, limited, median, ours, shown, timed } from './figure.ts';
import type { Measures } from './selection.ts';

const main = ours('pacts/verify/main.ts');
const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
const root = ours('');

/** The median of three runs, after a first run that warms the caches (seconds). */
async function usual(run: () => Promise<number>): Promise<number> {
  await run();
  return median([await run(), await run(), await run()]);
}

const limitedTo = (most: number, what: string, seconds: number): Figure =>
  limited(what, shown(seconds), { measured: seconds, most, unit: 's' });

export const ofThePacts: Measures = {
  async verify(folder) {
    const what = 'npm run pact:verify: the pacts of this project against the sandbox';
    return limitedTo(3, what, await usual(() => timed([main], folder)));
  },
  async consumers() {
    const args = [cli, 'test', '--project=consumer', '--reporter=dot'];
    return limitedTo(4, 'the consumer tests', await usual(() => timed(args, root)));
  },
  async story() {
    const args = [cli, 'test', '--reporter=dot', 'tests/pacts/story.spec.ts'];
    // With CI set, a missing broker fails the test instead of skipping it.
    const seconds = await timed(args, root, { CI: 'true' });
    return limitedTo(60, 'the story of two consumers, a provider and a real broker', seconds);
  },
};
