/** `npm run pact:publish` and the other commands of the broker flow. */
import { print, runCommand } from '../../contract/command.ts';
import { endedEarly, interruptedBy } from '../../contract/round/interruption.ts';
import { runFlow } from './commands.ts';

await runCommand((words) => {
  const signal = endedEarly();
  return runFlow(words, { out: print, signal }).catch((error: unknown) =>
    interruptedBy(signal.aborted ? signal.reason : error, signal),
  );
});
