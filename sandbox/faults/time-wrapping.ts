import { day } from '../behaviour.ts';
import { expiringWhen, fault, hour, type Mutant, minute, second } from './fault.ts';

/** Ages are counted in a number of this many bits. A signed one is negative in the second half of its range. */
const counted = (bits: number, unitMs: number, signed = false) =>
  expiringWhen((ageMs) => {
    const [range, age] = [2 ** bits, Math.floor(ageMs / unitMs) % 2 ** bits];
    return (signed && age >= range / 2 ? age - range : age) * unitMs >= day;
  });

const counter = (name: string, means: string, ...of: Parameters<typeof counted>): Mutant =>
  fault(name, `The age of a token is kept as ${means}`, () => counted(...of));

/** A counter wraps, and the expired tokens are valid again. */
export const wrappingMutants: readonly Mutant[] = [
  counter('age-in-32-bit-milliseconds', 'unsigned 32-bit milliseconds', 32, 1),
  counter('age-in-signed-32-bit-milliseconds', 'signed 32-bit milliseconds', 32, 1, true),
  counter('age-in-38-bit-milliseconds', '38-bit milliseconds', 38, 1),
  counter('age-in-27-bit-milliseconds', '27-bit milliseconds', 27, 1),
  counter('age-in-17-bit-seconds', '17-bit seconds', 17, second),
  counter('age-in-20-bit-seconds', '20-bit seconds', 20, second),
  counter('age-in-24-bit-seconds', '24-bit seconds', 24, second),
  counter('age-in-28-bit-seconds', '28-bit seconds', 28, second),
  counter('age-in-16-bit-minutes', 'unsigned 16-bit minutes', 16, minute),
  counter('age-in-signed-16-bit-minutes', 'signed 16-bit minutes', 16, minute, true),
  counter('age-in-12-bit-minutes', '12-bit minutes', 12, minute),
  counter('age-in-8-bit-hours', '8-bit hours', 8, hour),
  counter('age-in-16-bit-hours', '16-bit hours', 16, hour),
  counter('age-in-8-bit-days', '8-bit days', 8, day),
  counter('age-in-32-bit-ticks', '32-bit hundredths of a second', 32, 10),
  fault(
    'alive-again-at-the-first-wrap-only',
    'A signed number of 16-bit minutes wraps once, and a day later the token is forgotten',
    () => expiringWhen((age) => age >= day && !(age >= 2 ** 15 * minute && age < 24 * day)),
  ),
  fault(
    'clock-of-32-bit-milliseconds',
    'The time of day is kept as 32-bit milliseconds since 1970',
    () => expiringWhen((_age, { madeAt }, now) => now % 2 ** 32 >= (madeAt % 2 ** 32) + day),
  ),
  fault(
    'wrap-of-32-bit-milliseconds-ends-all',
    'When 32-bit milliseconds since 1970 begin anew, the tokens made before are ended',
    () => expiringWhen((age, { madeAt }, now) => age >= day || now % 2 ** 32 < madeAt % 2 ** 32),
  ),
];
