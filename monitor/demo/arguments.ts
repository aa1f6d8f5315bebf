import { readCommandLine, WrongArguments } from '../../settings/command-line.ts';

export type Arguments = ReturnType<typeof readArguments>;

/** A day in ten seconds. */
const usualSpeed = 8640;

/** Above this speed a request takes minutes of simulated time, and no check is decisive any more. */
const highestSpeed = 50_000;

export const help = `The demo: the sandbox and its monitor on one clock, on which a day takes ten seconds.

  npm run demo                                 the page is on http://127.0.0.1:9797
  npm run demo -- --fault ends-an-hour-late    switches this fault on after a day; the probes catch it
  npm run demo -- --list                       lists interesting faults
  npm run demo -- --speed 1440                 a day in a minute; 1 to ${highestSpeed}

A canary starts every four hours, and the quick probes run every half an hour. The demo calls no provider of yours and
stores nothing. MONITOR_HOST, MONITOR_PORT and MONITOR_AUTH_TOKEN work as for npm start. Ctrl-C ends the demo.
`;

/** Reads the command line. @throws WrongArguments */
export function readArguments(args: readonly string[]) {
  const { speed: text, fault, ...flags } = parsed(args);
  const speed = Number(text);
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || speed < 1 || speed > highestSpeed)
    throw new WrongArguments(`--speed ${text} is not a number from 1 to ${highestSpeed}`);
  return { ...flags, speed, fault };
}

const parsed = (args: readonly string[]) =>
  readCommandLine('npm run demo', {
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      list: { type: 'boolean', default: false },
      speed: { type: 'string', default: String(usualSpeed) },
      fault: { type: 'string' },
    },
  }).values;
