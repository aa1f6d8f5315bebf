/** `npm run pact:publish` and the other commands of the broker flow. */
import { runCommand } from '../../contract/command.ts';
import { endedEarly } from '../../contract/round/interruption.ts';
import { runFlow } from './commands.ts';

const terminal = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
};

await runCommand((words) => runFlow(words, terminal, { signal: endedEarly() }));
