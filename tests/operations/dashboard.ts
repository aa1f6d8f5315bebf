import { readFileSync } from 'node:fs';
import { ours } from '../process.ts';

/** The parts of a panel that are tested, as Grafana stores them. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  /** Queries, and the names of their series. */
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly fieldConfig?: {
    readonly defaults: { readonly unit?: string };
    readonly overrides?: readonly {
      readonly matcher: { readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: unknown }[];
    }[];
  };
}

interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: unknown }[];
  };
}

export const dashboardText = readFileSync(ours('ops/dashboards/public-api-contract.json'), 'utf8');
export const dashboard: Dashboard = JSON.parse(dashboardText);

/** All panels except headings. */
export const panels = dashboard.panels.filter(({ type }) => type !== 'row');

/** An expression as Grafana sends it. @param target a regular expression, as Grafana builds it from the selection */
export const asSent = (expression: string, target: string): string =>
  expression
    .replaceAll('$target', () => target)
    .replaceAll('$__rate_interval', '10s')
    .replaceAll('$__range', '1m');

/** The name that Grafana gives a series: `{{target}} at least` with its labels filled in. */
export const nameOf = (legend: string, labels: Readonly<Record<string, string>>): string =>
  legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? `no label ${label}`);
