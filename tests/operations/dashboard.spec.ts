import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { clauses, mustHold } from '../../contract/clauses.ts';
import { dashboard, dashboardText, type Panel, panels, variable } from './dashboard.ts';

const columns = 24;

/** Grafana's variable for the selected data source. */
const chosen = ['$', '{datasource}'].join('');
const page = ['$', '{page}'].join('');

const twice = <Value>(all: readonly Value[]): Value[] =>
  all.filter((one, index) => all.indexOf(one) < index);

/** Whether two panels overlap. */
const clash = ({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test('Grafana 10 and later import the dashboard, and identify it by its uid', () => {
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(38);
  expect(dashboard.uid).toBe('public-api-contract');
});

test('panels have distinct names, lie side by side, and fit the grid', () => {
  const { panels: all } = dashboard;
  expect(twice(all.map(({ id }) => id))).toEqual([]);
  expect(twice(all.map(({ title }) => title))).toEqual([]);
  for (const one of all) {
    expect(one.gridPos.x + one.gridPos.w, one.title).toBeLessThanOrEqual(columns);
    const over = all.filter((other) => other !== one && clash(one, other));
    expect(over.map(({ title }) => `${one.title} lies over ${title}`)).toEqual([]);
  }
});

test('every panel has a description, a unit and the chosen data source', () => {
  for (const { title, description, fieldConfig, targets = [], datasource } of panels) {
    expect(description, title).toMatch(/^[A-Z].{20,}\.$/);
    expect(fieldConfig?.defaults.unit, title).toBeTruthy();
    expect(targets, title).not.toEqual([]);
    expect(twice(targets.map(({ refId }) => refId))).toEqual([]);
    for (const one of [datasource, ...targets.map((target) => target.datasource)])
      expect(one?.uid, title).toBe(chosen);
  }
});

test('the dashboard offers one data source and any number of targets', () => {
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual([
    'datasource',
    'page',
    'filters',
    'target',
  ]);
  expect(variable('datasource')).toMatchObject({ type: 'datasource', query: 'prometheus' });
  expect(variable('target')).toMatchObject({ type: 'query', multi: true, includeAll: true });
  const used = dashboardText.match(/\$\{?\w+\}?/g) ?? [];
  const known = [chosen, page, '$target', '$__rate_interval', '$__range', '$__all', '$1'];
  expect([...new Set(used)].filter((name) => !known.includes(name))).toEqual([]);
});

test('only global metrics ignore the chosen targets', () => {
  const aside = panels.filter(({ targets = [] }) =>
    targets.some(({ expr }) => !expr.includes('{target=~"$target"')),
  );
  expect(aside.map(({ title }) => title)).toEqual([
    'Alerts that fire',
    'Targets by state',
    'Monitors',
    'Targets in the file',
    'File of targets loaded',
    'State written',
    'Runs by outcome',
    'Rounds that were missed',
    'Memory',
    'Processor',
    'Writes of the state that failed',
  ]);
});

/** The value of a property that the dashboard sets for a column or series of this name. */
const fieldOf = (name: string, what: string): unknown =>
  panels
    .flatMap(({ fieldConfig }) => fieldConfig?.overrides ?? [])
    .find(({ matcher }) => matcher.id === 'byName' && matcher.options === name)
    ?.properties.find(({ id }) => id === what)?.value;

test('clauses are shown in the words of the contract', () => {
  const sentences = mustHold.map(({ id, text }, index) => [id, { text, index }]);
  const remedy = 'correct the sentences in ops/dashboards/public-api-contract.json';
  expect(fieldOf('What must hold', 'mappings'), remedy).toEqual([
    { type: 'value', options: Object.fromEntries(sentences) },
  ]);
  for (const { id, text } of clauses.filter(({ level }) => level === 'open'))
    expect(fieldOf(id, 'displayName'), remedy).toBe(text);
});

test('Grafana is configured with the dashboards and the scrape interval', () => {
  const read = (name: string) =>
    parse(readFileSync(new URL(`../../ops/prometheus/${name}`, import.meta.url), 'utf8'));
  const { scrape_interval } = read('prometheus.example.yml').global;
  expect(read('grafana/dashboards.example.yml')).toMatchObject({
    apiVersion: 1,
    providers: [{ type: 'file' }],
  });
  expect(read('grafana/datasources.example.yml')).toMatchObject({
    apiVersion: 1,
    datasources: [{ type: 'prometheus', jsonData: { timeInterval: scrape_interval } }],
  });
});

test('panels take the objective and the slow threshold from the targets', () => {
  const named = (name: string) => panels.find(({ title }) => title === name);
  for (const name of ['Available', 'Processing by target']) {
    const steps = named(name)?.fieldConfig?.defaults.thresholds?.steps ?? [];
    expect(
      steps.filter(({ value }) => value !== null),
      name,
    ).toEqual([]);
  }
  expect(named('Processing by target')?.targets?.map(({ expr }) => expr)).toContain(
    'max by (target) (monitor_target_slow_seconds{target=~"$target"})',
  );
});
