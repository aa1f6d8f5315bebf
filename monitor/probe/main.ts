import { endOf } from '../../contract/user-error.ts';
import { type Arguments, help, readArguments } from './arguments.ts';

/** As the gate has it, and every shell for what Ctrl-C has ended. */
const interruptedCode = 130;

async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  return options.help ? print(help) : probe(options);
}

/** Who only wants to know how it is called does not wait for what judges. */
async function probe(options: Arguments): Promise<number> {
  const { probeOnce } = await import('./once.ts');
  return probeOnce(options);
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

/** Mistakes of the caller are one line each; anything else is a defect, and shows where. */
function failed(error: unknown): number {
  const { text, exit } = endOf(error);
  process.stderr.write(`${text}\n`);
  return exit;
}

// The pipe was closed, for example by `head`: metrics and the exit code are still wanted.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Nothing was changed at the provider that would have to be put back.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    process.stderr.write('interrupted\n');
    process.exit(interruptedCode);
  });

process.exit(await main(process.argv.slice(2)).catch(failed));
