import { usualObjectiveRatio, usualSlowSeconds } from '../../config/defaults.ts';
import { type Clause, clauses } from '../../contract/clauses.ts';
import { proofs } from '../../monitor/canary/evidence.ts';
import { metricDescriptions } from '../../monitor/metrics/descriptions.ts';
import type { MetricDescription } from '../../monitor/metrics/family.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { monitored } from '../../monitor/round/plan.ts';
import { type ProviderState, states } from '../../pacts/states.ts';
import { probes } from '../../probes/index.ts';
import { anchorOf, tableOf } from './markdown.ts';

/** Every clause, with links to the sections of contract/README.md that it comes from. */
export const clauseTable = (): string =>
  tableOf(
    ['id', 'what must hold', 'from'],
    clauses.map(({ id, text, source }) => [id, text, linksTo(source)]),
  );

/** `Errors; Authentication 5` as links. The number is the position in the list below the heading. */
const linksTo = (source: Clause['source']): string =>
  source
    .split('; ')
    .map((place) => `[${place}](#${anchorOf(place.replace(/ \d+$/, ''))})`)
    .join('; ');

/** Every provider state, with the parameters that its name does not show. */
export const stateTable = (): string =>
  tableOf(
    ['provider state', 'gives', 'means'],
    Object.entries<ProviderState>(states).map(([name, { means, gives, parameters, needs }]) => {
      const further = parameters.filter((one) => !name.includes(`{${one}}`));
      return [
        [`\`${name}\``, ...further.map((one) => `{${one}}`)].join(' '),
        gives.map((one) => `\`${one}\``).join(', '),
        needs === undefined ? means : `${means} Needs the clock.`,
      ];
    }),
  );

/** Every metric, grouped by the beginning of its name. */
export const metricTable = (): string =>
  tableOf(
    ['metric', 'type', 'labels', 'meaning'],
    metricDescriptions()
      .toSorted((one, other) => rank(one) - rank(other))
      .map(({ name, type, labels, help }: MetricDescription) => [
        `\`${name}\``,
        type,
        labels.join(', '),
        help,
      ]),
  );

/** Orders metrics: those of the probes, the contract, the monitor. */
const rank = ({ name }: MetricDescription): number =>
  ['probe', 'contract', 'monitor'].findIndex((start) => name.startsWith(start));

/** A sentence with the largest number of series of a target. */
export function seriesSentence(): string {
  const scheduled = [...monitored(probes).map(({ name }) => name), ...Object.values(proofs)];
  const series = seriesWith(scheduled);
  const eachProbe = series - seriesWith(scheduled.slice(0, -1));
  return `A target has at most ${series} series with the ${scheduled.length} probes that run by default, those of canaries included: ${eachProbe} for each probe.`;
}

function seriesWith(names: readonly string[]): number {
  const metrics = new Metrics('');
  const usual = { objectiveRatio: usualObjectiveRatio, slowSeconds: usualSlowSeconds };
  metrics.expect('target', names, { timeoutSeconds: 1, ...usual });
  return metrics.series();
}
