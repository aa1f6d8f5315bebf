import { faults } from '../../sandbox/faults/index.ts';
import { WrongArguments } from '../../settings/command-line.ts';

/** A fault of the sandbox that can be switched on. */
export type Fault = (typeof faults)[number];

/** Those that show what canaries are for, then others that the quick probes find. */
const good = [
  'leeway-of-a-minute',
  'ends-an-hour-early',
  'lives-a-week',
  'begins-with-first-use',
  'expired-token-is-forbidden',
  'forbidden-instead',
  'other-message',
  'token-in-query-access-token',
];

/** A line for each of some faults that are worth a look. */
export const goodFaults = (): string =>
  good
    .map((name) => faultCalled(name))
    .map(({ name, means }) => `${name.padEnd(30)}${means}\n`)
    .join('');

/** @throws WrongArguments when there is none of that name */
export function faultCalled(name: string): Fault {
  const fault = faults.find((one) => one.name === name);
  if (fault !== undefined) return fault;
  throw new WrongArguments(
    `unknown fault ${JSON.stringify(name)}: npm run demo -- --list shows some, npm run sandbox -- --faults all`,
  );
}
