import { isObject } from '../../contract/json-value.ts';
import { isIntrusive, needsClock, type Probe } from '../../contract/probe.ts';
import { payloadProbe } from '../target/payload.ts';
import { hint, nearWord, type Path } from './complaints.ts';
import type { ConfigContext } from './config-context.ts';
import { type Every, everyAt } from './duration.ts';

const mostSeconds = 30 * 86_400;

/** Which probes are off, and which have a period of their own. */
export function probesOf(
  value: unknown,
  at: Path,
  { probes, complaints }: ConfigContext,
): Readonly<Record<string, 'off' | Every>> {
  const chosen = new Map<string, 'off' | Every>();
  const known = [...probes, payloadProbe({ schema: 'true', mismatch: () => undefined })];
  for (const [name, how] of isObject(value) ? Object.entries(value) : []) {
    const place = [...at, name];
    const probe = known.find((one) => one.name === name);
    const every = everyAt(how, place, [1, mostSeconds], complaints);
    if (probe === undefined) {
      const near = hint(suggestionFor(name, known));
      complaints.about(place, `is not a probe${near} (npm run gate -- --list shows all)`, {
        is: 'name',
      });
    } else if (every !== 'off' && !canRun(probe))
      complaints.about(place, `is not a probe for a monitor: ${whyNot(probe)}`, { is: 'name' });
    else if (every !== undefined) chosen.set(name, every);
  }
  return Object.fromEntries(chosen);
}

/** The probe that was probably meant: names are long, and users often write only the beginning. */
function suggestionFor(word: string, probes: readonly Probe[]): string | undefined {
  const names = probes.map(({ name }) => name);
  const beginning = (name: string): string => name.slice(0, word.length);
  const near = nearWord(word, names.map(beginning));
  return nearWord(word, names) ?? names.find((name) => beginning(name) === near);
}

const canRun = (probe: Probe): boolean =>
  !needsClock(probe) && (probe.everySeconds !== undefined || isIntrusive(probe));

const whyNot = (probe: Probe): string =>
  needsClock(probe) ? 'it needs simulated time' : 'in production it proves nothing';
