import { createRequire } from 'node:module';

/* Pact's core in its own process: native code that prints what it likes, and may crash. */

/** The core of Pact's library: a separate dependency could have a different version. */
const require = createRequire(import.meta.resolve('@pact-foundation/pact'));
const core: { verifyPacts(job: object): Promise<unknown> } =
  require('@pact-foundation/pact-core').default;

process.on('message', (options: object) => {
  core
    .verifyPacts(options)
    // It reports failed interactions as an error.
    .then(String, (error: Error) => error.message)
    .then((results) => process.send?.(results));
});

// The parent process is gone.
process.on('disconnect', () => process.exit());
