import type { PublishedOutcome } from '../../../contract/round/outcome.ts';
import type { TallyStatus } from '../../watch/past.ts';
import { count, percent } from './wording.ts';

type Counts = Omit<TallyStatus, 'from'>;

/** From the most significant outcome to the least. */
const endings = ['broken', 'unreachable', 'defect', 'kept'] as const satisfies PublishedOutcome[];

/** The outcome that a cell shows: one violation is more significant than a thousand passed runs. */
export const worst = (counts: Counts): PublishedOutcome =>
  endings.find((ending) => counts[ending] > 0) ?? 'kept';

export const runsIn = (counts: Counts): number =>
  endings.reduce((sum, ending) => sum + counts[ending], 0);

/** `3 broken, 57 kept`; outcomes without a run are omitted. */
export const inWords = (counts: Counts): string =>
  endings
    .filter((ending) => counts[ending] > 0)
    .map((ending) => `${counts[ending].toLocaleString('en')} ${ending}`)
    .join(', ');

export const sumOf = (all: readonly Counts[]): Counts =>
  all.reduce<Counts>(
    (sum, one) => ({
      kept: sum.kept + one.kept,
      broken: sum.broken + one.broken,
      unreachable: sum.unreachable + one.unreachable,
      defect: sum.defect + one.defect,
    }),
    { kept: 0, broken: 0, unreachable: 0, defect: 0 },
  );

/** The share of the runs that passed. Defects of ours show nothing about the provider, and are excluded. */
export function keptShare({ kept, broken, unreachable }: Counts): string {
  const judged = kept + broken + unreachable;
  return judged === 0 ? 'no run' : percent(kept, judged);
}

/** `99.98 % of 34,560 runs kept; 4 broken, 3 unreachable`. */
export function summary(all: readonly Counts[]): string {
  const sum = sumOf(all);
  const failed = inWords({ ...sum, kept: 0 });
  const runs = count(runsIn(sum), 'run');
  return `${keptShare(sum)} of ${runs} kept${failed === '' ? '' : `; ${failed}`}`;
}
