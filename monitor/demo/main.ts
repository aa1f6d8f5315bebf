import { print, runCommand } from '../../contract/command.ts';
import { loadSettings, type Settings } from '../../settings.ts';
import { cannotListen } from '../start/cannot-start.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { faultCalled, goodFaults } from './faults.ts';
import { type Demo, show } from './show.ts';

async function main(args: readonly string[]): Promise<0> {
  const options = readArguments(args);
  if (options.help) return print(help);
  if (options.list) return print(goodFaults());
  const demo = await started(options, loadSettings());
  await demo.stop(await ended());
  return 0;
}

async function started({ speed, fault }: Arguments, settings: Settings): Promise<Demo> {
  const { monitor, timeoutMs } = settings;
  const chosen = fault === undefined ? undefined : faultCalled(fault);
  const options = { monitor, timeoutMs, speed, fault: chosen, out: process.stdout };
  return show(options).catch((error: unknown) => {
    throw cannotListen(error, monitor);
  });
}

const ended = (): Promise<string> =>
  new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });

await runCommand(main);
