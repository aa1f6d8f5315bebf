import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { expect, test } from '@playwright/test';
import { leftOpen, mustHold } from '../../contract/clauses.ts';
import { monitorMetrics } from '../../monitor/metrics/metrics.ts';
import { fullTarget } from '../monitor/metrics-text.ts';
import { startPrometheus } from '../monitor/prometheus.ts';
import { monitorOf } from '../monitor/statuses.ts';
import { needs } from '../programs.ts';
import { asSent, dashboard, dashboardText, nameOf, type Panel, panels } from './dashboard.ts';
import { fasterRules } from './examples.ts';

const clash = ({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test('panels have distinct names, lie side by side, and fit the grid', () => {
  const { panels: all, schemaVersion, uid } = dashboard;
  expect({ schemaVersion, uid }).toEqual({ schemaVersion: 38, uid: 'public-api-contract' });
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  for (const one of all) {
    expect(one.gridPos.x + one.gridPos.w, one.title).toBeLessThanOrEqual(24);
    const over = all.filter((other) => other !== one && clash(one, other));
    expect(over.map(({ title }) => `${one.title} lies over ${title}`)).toEqual([]);
  }
});

test('every panel has a description, a unit, queries and the chosen data source', () => {
  for (const { title, description, fieldConfig, targets = [], datasource } of panels) {
    expect(description, title).toMatch(/^[A-Z].{20,}\.$/);
    expect(fieldConfig?.defaults.unit, title).toBeTruthy();
    expect(targets, title).not.toEqual([]);
    expect(datasource?.uid, title).toBe(['$', '{datasource}'].join(''));
  }
  const variables = dashboard.templating.list.map(({ name }) => name);
  expect(variables).toEqual(['datasource', 'page', 'filters', 'target']);
  const used = new Set(dashboardText.match(/(?<=\$\{?)[a-z_]+/g));
  const builtIn = ['__rate_interval', '__range', '__all'];
  expect([...variables, ...builtIn]).toEqual(expect.arrayContaining([...used]));
});

/** The value of a property that the dashboard sets for a column or series of this name. */
const fieldOf = (name: string, property: string): unknown =>
  panels
    .flatMap(({ fieldConfig }) => fieldConfig?.overrides ?? [])
    .find(({ matcher }) => matcher.options === name)
    ?.properties.find(({ id }) => id === property)?.value;

test('clauses are shown in the words of the contract', () => {
  const options = Object.fromEntries(mustHold.map(({ id, text }) => [id, { text }]));
  const remedy = 'correct the sentences in ops/dashboards/public-api-contract.json';
  expect(fieldOf('What must hold', 'mappings'), remedy).toEqual([{ type: 'value', options }]);
  for (const { id, text } of leftOpen) expect(fieldOf(id, 'displayName'), remedy).toBe(text);
});

/** A monitor of `api` on which everything happens once more with each scrape. */
async function startExporter() {
  let times = 0;
  const server = http.createServer(async (_, response) => {
    times += 1;
    const { status, ...view } = fullTarget();
    const counted = <Key extends string>(keys: readonly Key[]) =>
      Object.fromEntries(keys.map((key) => [key, times])) as Record<Key, number>;
    const counters = {
      runs: counted(['passed', 'failed', 'unreachable', 'defect']),
      unreachable: { dns: times },
      findings: counted(mustHold.map(({ id }) => id)),
      observationChanges: counted(leftOpen.map(({ id }) => id)),
      canaryChecks: counted(['before ok', 'after ok', 'before early_reject', 'after late_accept']),
      requests: { counts: Array(8).fill(times), sum: times, count: times },
    };
    const target = { ...view, status: { ...status, target: 'api', counters } };
    response.end(await monitorMetrics(() => monitorOf([target], { missedTicks: times })).text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  return { at: `127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

test.describe('on a real Prometheus', () => {
  needs('prometheus');

  test('every query has data, of the chosen targets only, under the names that panels know', async () => {
    using exporter = await startExporter();
    const rules = fasterRules(test.info().outputPath(''));
    await using prometheus = await startPrometheus(`
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ['${rules}']
scrape_configs: [{ job_name: contract, static_configs: [{ targets: ['${exporter.at}'] }] }]
`);
    const queries = panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr })),
    );
    const empty = async (): Promise<string[]> => {
      const found = await Promise.all(
        queries.map(async ({ title, expr }) => {
          const series = await prometheus.query(asSent(expr, '.+'));
          return series.some(({ value }) => value[1] !== 'NaN') ? [] : [`${title}: ${expr}`];
        }),
      );
      return found.flat();
    };
    await expect.poll(empty, { timeout: 120_000, intervals: [500] }).toEqual([]);
    for (const { title, expr } of queries)
      if (expr.includes('$target') && !title.includes('violated') && !title.includes('verified'))
        expect(await prometheus.query(asSent(expr, 'unknown')), title).toEqual([]);
    for (const { title, targets = [], fieldConfig } of panels) {
      const series = targets.map(async ({ expr, legendFormat }) =>
        (await prometheus.query(asSent(expr, '.+'))).map((one) => nameOf(legendFormat, one.metric)),
      );
      const names = (await Promise.all(series)).flat();
      expect(names.filter((name) => name.startsWith('no label'))).toEqual([]);
      const known = (fieldConfig?.overrides ?? []).map(({ matcher }) => matcher.options);
      if (title !== 'Clauses now') expect(names, title).toEqual(expect.arrayContaining(known));
    }
  });
});
