import { createRequire } from 'node:module';
import type { CoreMessage, Job } from './core.ts';

/*
 * Pact's core in its own process. It is native code that prints arbitrary text, and its crash must not end another
 * process. It gets the address of the relay, but neither credentials nor the address of the provider.
 */

/** The core of Pact's library: a separate dependency could have a different version. */
const require = createRequire(import.meta.resolve('@pact-foundation/pact'));
const {
  default: core,
}: {
  default: { verifyPacts(job: object): Promise<unknown> };
} = require('@pact-foundation/pact-core');

process.on('message', (job: Job) => {
  void run(job).then((message: CoreMessage) => process.send?.(message));
});

// The parent process is gone.
process.on('disconnect', () => process.exit());

async function run({ copy, provider, origin, states, timeoutMs }: Job): Promise<CoreMessage> {
  try {
    const results = await core.verifyPacts({
      provider,
      pactUrls: [copy],
      providerBaseUrl: origin,
      providerStatesSetupUrl: states,
      providerStatesSetupBody: true,
      providerStatesSetupTeardown: true,
      followRedirects: false,
      timeout: timeoutMs,
      logLevel: 'error',
    });
    return { results };
  } catch (error) {
    // The core reports failed results this way.
    return { results: error instanceof Error ? error.message : String(error) };
  }
}
