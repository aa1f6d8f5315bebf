import { field } from '../../contract/json-value.ts';
import type { Path } from './complaints.ts';
import { type ConfigContext, certificatesIn } from './config-context.ts';
import { everyAt, secondsAt, shortSecondsAt } from './duration.ts';
import { endpointsOf } from './endpoints.ts';
import { labelsOf } from './labels.ts';
import { probesOf } from './probes.ts';
import { windowsOf } from './windows.ts';

/** The content of the defaults or of a target; a missing or wrong part is undefined. */
export type Part = ReturnType<typeof readPart>;

const hour = 3600;
const day = 24 * hour;

/**
 * Reads the parts that the defaults and a target have in common. A part of the wrong form is skipped, as in all
 * readers of this folder: the schema has reported it.
 */
export function readPart(value: unknown, at: Path, around: ConfigContext) {
  const { complaints } = around;
  /** Applies a reader to the value of a name. */
  const under = <Result>(name: string, reader: (inner: unknown, place: Path) => Result): Result =>
    reader(field(value, name), [...at, name]);
  const seconds = (name: string, least: number, most: number): number | undefined =>
    under(name, (inner, place) => secondsAt(inner, place, [least, most], complaints));
  const milliseconds = (name: string, least: number, most: number): number | undefined => {
    const length = seconds(name, least, most);
    return length && length * 1000;
  };
  const flag = (name: string): boolean | undefined =>
    under(name, (inner) => (typeof inner === 'boolean' ? inner : undefined));
  return {
    endpoints: under('endpoints', (inner, place) => endpointsOf(inner, place, around)),
    periodSeconds: seconds('period', 1, day),
    timeoutMs: milliseconds('timeout', 1, hour / 6),
    ca: under('ca', (inner, place) => certificatesIn(inner, place, around)),
    requestsPerSecond: under('rate', (inner) => (typeof inner === 'number' ? inner : undefined)),
    toleranceMs: milliseconds('tolerance', 1, hour),
    canaries: under('canaries', (inner, place) =>
      everyAt(inner, place, [hour / 6, 7 * day], complaints),
    ),
    probes: under('probes', (inner, place) => probesOf(inner, place, around)),
    intrusive: flag('intrusive'),
    writes: flag('writes'),
    maintenance: under('maintenance', (inner, place) => windowsOf(inner, place, complaints)),
    labels: under('labels', (inner, place) => labelsOf(inner, place, complaints)),
    objectiveRatio: under('objective', (inner) => (typeof inner === 'number' ? inner : undefined)),
    slowSeconds: under('slow', (inner, place) =>
      shortSecondsAt(inner, place, [0.01, 60], complaints),
    ),
  };
}
