import { readFileSync } from 'node:fs';

/** The parts of a panel that are tested, as Grafana stores them. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly Target[];
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string;
      readonly thresholds?: { readonly steps: readonly { readonly value: number | null }[] };
    };
    readonly overrides: readonly Override[];
  };
  readonly transformations?: readonly {
    readonly options: { readonly renameByName: Readonly<Record<string, string>> };
  }[];
}

/** A query, and the names of its series. */
export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly format: string;
  readonly datasource: { readonly uid: string };
}

interface Override {
  readonly matcher: { readonly id: string; readonly options: string };
  readonly properties: readonly { readonly id: string; readonly value: unknown }[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly multi: boolean;
  readonly includeAll: boolean;
  readonly allValue?: string;
  readonly query: string | { readonly query: string };
}

interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
}

export const dashboardText = readFileSync(
  new URL('../../ops/dashboards/public-api-contract.json', import.meta.url),
  'utf8',
);

export const dashboard: Dashboard = JSON.parse(dashboardText);

/** All panels except headings. */
export const panels: readonly Panel[] = dashboard.panels.filter(({ type }) => type !== 'row');

export const variable = (wanted: string): Variable | undefined =>
  dashboard.templating.list.find(({ name }) => name === wanted);

/** The source of the target names in the selection, and the value for "all". */
export function targetsToChoose(): Readonly<Record<'metric' | 'label' | 'all', string>> {
  const { query = '', allValue: all = '' } = variable('target') ?? {};
  const text = typeof query === 'string' ? query : query.query;
  const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(text) ?? [];
  return { metric, label, all };
}

/** An expression as Grafana sends it. @param target a regular expression, as Grafana builds it from the selection */
export const asSent = (expression: string, target: string): string =>
  expression
    .replaceAll('$target', () => target)
    .replaceAll('$__rate_interval', '10s')
    .replaceAll('$__range', '1m');

/** The name that Grafana gives a series: `{{target}} at least` with its labels filled in. */
export const nameOf = (legend: string, labels: Readonly<Record<string, string>>): string =>
  legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? `no label ${label}`);
