import * as disturbances from './disturbances.ts';
import * as faults from './faults.ts';
import { anyMishaps } from './mishaps.ts';
import type { Chapter, Stage } from './stage.ts';

const hour = 3_600_000;

/** After three and a half days without faults and mishaps, nothing is violated and everything is verified again. */
const recovery: Chapter = async ({ pass, time, monitor, journal, world }) => {
  journal.note('all is well from here on');
  await pass(84 * hour);
  const lately = time.wall() - 24 * hour;
  for (const { status } of monitor.view()?.targets ?? []) {
    const { target: name, clauses, state, checks, silence } = status;
    const unproven = (['EXPIRY-1', 'EXPIRY-2', 'EXPIRY-5'] as const).filter(
      (id) => clauses[id].verdict !== 'holds',
    );
    const vague = checks.find(({ at, verdict }) => at > lately && verdict !== 'ok');
    if (state !== 'holds')
      journal.complain(
        `${name} is ${state} although all is well: ${silence?.detail ?? status.unproven}`,
      );
    if (unproven.length > 0) journal.complain(`${name}: ${unproven.join()} not proven in days`);
    if (vague !== undefined && world.skewMs === 0)
      journal.complain(`${name}: ${JSON.stringify(vague)} decides nothing`);
  }
  journal.settle();
};

/** Mishaps, and a fault that is found in the middle of the third day. */
export const threeDays: readonly Chapter[] = [
  (scene) => anyMishaps(scene, 36 * hour),
  faults.leeway,
];

/** The chapters of a seed, in their order. */
export const createChapters = ({ random }: Stage): Chapter[] => [
  ...random.shuffled([...Object.values(faults), ...Object.values(disturbances)]),
  recovery,
];
