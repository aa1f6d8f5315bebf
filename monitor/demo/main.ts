import { endOf } from '../../contract/user-error.ts';
import { WrongArguments } from '../../settings/command-line.ts';
import { loadSettings, type Settings } from '../../settings.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { faultCalled, goodFaults } from './faults.ts';
import { type Demo, show } from './show.ts';

async function main(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  if (options.help) return void process.stdout.write(help);
  if (options.list) return void process.stdout.write(goodFaults());
  // The pipe may be closed; the page stays.
  process.stdout.on('error', () => {});
  const demo = await started(options, loadSettings());
  await demo.stop(await ended());
}

async function started({ speed, fault }: Arguments, settings: Settings): Promise<Demo> {
  const { monitor, timeoutMs } = settings;
  const chosen = fault === undefined ? {} : { fault: faultCalled(fault) };
  return show({ monitor, timeoutMs, speed, out: process.stdout, ...chosen }).catch(
    (error: unknown) => {
      if (!(error instanceof Error) || !('syscall' in error)) throw error;
      const { host, port } = monitor;
      throw new WrongArguments(
        `nothing can listen on ${host}:${port} (${'code' in error ? error.code : ''}): set MONITOR_PORT to another port, or 0 for any`,
      );
    },
  );
}

/** Waits for a signal that ends the demo. */
const ended = (): Promise<string> =>
  new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const { text, exit } = endOf(error);
    process.stderr.write(`${text}\n`);
    process.exit(exit);
  },
);
