import { isObject } from '../../contract/answer.ts';
import type { Probe } from '../../contract/probe.ts';
import { hint, nearWord, type Path } from './complaints.ts';
import { everyAt } from './duration.ts';
import type { Surroundings } from './surroundings.ts';
import type { Every, TargetConfig } from './target.ts';

const mostSeconds = 30 * 86_400;

/** Which probes are off, or run at a period of their own. */
export function probesOf(
  value: unknown,
  at: Path,
  { probes, complaints }: Surroundings,
): TargetConfig['probes'] {
  const said = new Map<string, 'off' | Every>();
  for (const [name, how] of isObject(value) ? Object.entries(value) : []) {
    const place = [...at, name];
    const probe = probes.find((one) => one.name === name);
    const every = everyAt(how, place, [1, mostSeconds], complaints);
    if (probe === undefined) {
      const near = hint(meantBy(name, probes));
      complaints.about(place, `is no probe${near} (npm run gate -- --list shows all)`, {
        is: 'name',
      });
    } else if (every !== 'off' && !canRun(probe))
      complaints.about(place, `is no probe for a monitor: ${whyNot(probe)}`, { is: 'name' });
    else if (every !== undefined) said.set(name, every);
  }
  return Object.fromEntries(said);
}

/** The probe that was meant: names are long, and people write the beginning of one. */
function meantBy(word: string, probes: readonly Probe[]): string | undefined {
  const names = probes.map(({ name }) => name);
  const beginning = (name: string): string => name.slice(0, word.length);
  const near = nearWord(word, names.map(beginning));
  return nearWord(word, names) ?? names.find((name) => beginning(name) === near);
}

const canRun = ({ needs, everySeconds, intrusive }: Probe): boolean =>
  needs === undefined && (everySeconds !== undefined || intrusive === true);

const whyNot = ({ needs }: Probe): string =>
  needs === undefined ? 'in production it proves nothing' : 'it needs simulated time';

/** Wrong credentials are seldom sent: they may lock an account. */
const wrongCredentialsSeconds = 3600;

/** A probe that runs against a target, and how often. */
export interface Planned extends Every {
  readonly probe: Probe;
}

/**
 * The probes that run against a target, in their own order. A period of the target's choice counts as it is; one of the
 * probe's own is scaled with the period of the target, which is what a probe of 60 seconds runs at.
 */
export function plannedOf(
  {
    probes: said,
    periodSeconds,
    intrusive,
  }: Pick<TargetConfig, 'probes' | 'periodSeconds' | 'intrusive'>,
  probes: readonly Probe[],
): Planned[] {
  return probes
    .filter((probe) => canRun(probe) && (intrusive || probe.intrusive !== true))
    .flatMap((probe) => {
      const how = said[probe.name];
      if (how === 'off') return [];
      const own = ((probe.everySeconds ?? wrongCredentialsSeconds) * periodSeconds) / 60;
      return [{ probe, everySeconds: how?.everySeconds ?? own }];
    });
}
