import { faults } from '../../sandbox/faults/index.ts';
import { WrongArguments } from '../../settings/command-line.ts';

/** A fault of the sandbox that can be switched on. */
export type Fault = (typeof faults)[number];

/** First faults that canaries find, then faults that the quick probes find. */
const good = [
  'ends-an-hour-late',
  'ends-an-hour-early',
  'lives-a-week',
  'begins-with-first-use',
  'expired-token-is-forbidden',
  'forbidden-instead',
  'other-message',
  'token-in-query-access-token',
];

/** One line for each fault that is worth a demo. */
export const goodFaults = (): string =>
  good
    .map((name) => faultCalled(name))
    .map(({ name, means }) => `${name.padEnd(30)}${means}\n`)
    .join('');

/** @throws WrongArguments when no fault has that name */
export function faultCalled(name: string): Fault {
  const fault = faults.find((one) => one.name === name);
  if (fault !== undefined) return fault;
  throw new WrongArguments(
    `unknown fault ${JSON.stringify(name)}: npm run demo -- --list shows some, npm run sandbox -- --faults all`,
  );
}
