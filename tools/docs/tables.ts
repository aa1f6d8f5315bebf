import { type Clause, clauses } from '../../contract/clauses.ts';
import { metrics } from '../../monitor/metrics/metrics.ts';
import { type ProviderState, states } from '../../pacts/states.ts';
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
    metrics
      .toSorted((one, other) => rank(one.name) - rank(other.name))
      .map(({ name, type, labels, help }) => [`\`${name}\``, type, labels.join(', '), help]),
  );

/** Orders metrics: those of the requests, the contract, the monitor. */
const rank = (name: string): number =>
  [/^probe_/, /^contract_(?!monitor_)/, /^contract_monitor_/].findIndex((start) =>
    start.test(name),
  );
