import { print, runCommand } from '../../contract/command.ts';
import { interruptedCode } from '../../contract/round/interruption.ts';
import { help, readArguments } from './arguments.ts';

async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  if (options.help) return print(help);
  // Imported on demand, so that `--help` does not wait for the judge to load.
  const { probeOnce } = await import('./once.ts');
  return probeOnce(options);
}

// Nothing was changed at the provider, so nothing must be restored.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    process.stderr.write('interrupted\n');
    process.exit(interruptedCode);
  });

await runCommand(main);
