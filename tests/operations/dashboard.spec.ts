import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import { expect, test } from '@playwright/test';
import { leftOpen, mustHold } from '../../contract/clauses.ts';
import { monitorMetrics } from '../../monitor/metrics/metrics.ts';
import { fullTarget } from '../monitor/metrics-text.ts';
import { startPrometheus } from '../monitor/prometheus.ts';
import { monitorWith } from '../monitor/statuses.ts';
import { fromRoot } from '../process.ts';
import { needs } from '../programs.ts';
import { fasterRules } from './examples.ts';

/** The parts of a panel that are tested, as Grafana stores them. */
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly fieldConfig?: {
    readonly overrides?: readonly {
      readonly matcher: { readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: unknown }[];
    }[];
  };
}

const text = readFileSync(fromRoot('ops/dashboards/public-api-contract.json'), 'utf8');
const dashboard: { panels: Panel[]; templating: { list: { name: string }[] } } = JSON.parse(text);
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map((target) => ({ title, ...target })),
);
const overrides = panels.flatMap(({ fieldConfig }) => fieldConfig?.overrides ?? []);

test('every panel has a description, a unit, queries and the chosen data source', () => {
  for (const panel of panels)
    expect(panel, panel.title).toMatchObject({
      description: expect.stringMatching(/^[A-Z].{20,}\.$/),
      fieldConfig: { defaults: { unit: expect.any(String) } },
      targets: expect.arrayContaining([expect.anything()]),
      datasource: { uid: expect.stringMatching(/^\$\{datasource\}$/) },
    });
  const variables = dashboard.templating.list.map(({ name }) => name);
  const known = [...variables, '__rate_interval', '__range', '__all'];
  expect(known).toEqual(expect.arrayContaining([...(text.match(/(?<=\$\{?)[a-z_]+/g) ?? [])]));
});

test('clauses are shown in the words of the contract', () => {
  const fieldOf = (name: string, property: string): unknown =>
    overrides
      .find(({ matcher }) => matcher.options === name)
      ?.properties.find(({ id }) => id === property)?.value;
  const options = Object.fromEntries(mustHold.map((clause) => [clause.id, { text: clause.text }]));
  const remedy = 'correct the sentences in ops/dashboards/public-api-contract.json';
  expect(fieldOf('What must hold', 'mappings'), remedy).toEqual([{ type: 'value', options }]);
  for (const clause of leftOpen)
    expect(fieldOf(clause.id, 'displayName'), remedy).toBe(clause.text);
});

/** A monitor of `api` on which everything happens once more with each scrape. */
async function startExporter() {
  let times = 0;
  const counted = <Key extends string>(keys: readonly Key[]) =>
    Object.fromEntries(keys.map((key) => [key, times])) as Record<Key, number>;
  const server = http.createServer(async (_, response) => {
    times += 1;
    const view = fullTarget();
    const counters = {
      runs: counted(['passed', 'failed', 'unreachable', 'defect']),
      unreachable: { dns: times },
      findings: counted(mustHold.map(({ id }) => id)),
      observationChanges: counted(leftOpen.map(({ id }) => id)),
      canaryChecks: counted(['before ok', 'after ok']),
      requests: { counts: Array(8).fill(times), sum: times, count: times },
    };
    const target = { ...view, status: { ...view.status, counters } };
    response.end(await monitorMetrics(() => monitorWith([target], { missedTicks: times })).text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  return { at: `127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

/** An expression as Grafana sends it. @param target a regular expression, as Grafana builds it from the selection */
const asSent = (expression: string, target: string): string =>
  expression
    .replaceAll('$target', () => target)
    .replaceAll('$__rate_interval', '10s')
    .replaceAll('$__range', '1m');

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
    const names = new Set(['What must hold', 'Clause', 'Target', 'Verdict']);
    for (const { title, expr, legendFormat } of queries) {
      const dataOf = async (target: string) => await prometheus.query(asSent(expr, target));
      const numbers = async () => (await dataOf('.+')).filter(({ value }) => value[1] !== 'NaN');
      const inTime = { message: `${title}: ${expr}`, timeout: 120_000, intervals: [500] };
      await expect.poll(numbers, inTime).not.toEqual([]);
      if (expr.includes('$target')) expect(await dataOf('unknown'), title).toEqual([]);
      for (const { metric } of await dataOf('.+'))
        names.add(legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? label));
    }
    const known = overrides.map(({ matcher }) => matcher.options);
    expect([...names]).toEqual(expect.arrayContaining(known));
  });
});
