/** `npm run pact:publish` and the other commands of the broker flow. */
import { runFlow } from './commands.ts';

// The pipe was closed, for example by `head`: the command still completes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runFlow(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
