import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { ProgramName } from '../../tools/setup/programs.ts';
import { fromRoot } from '../process.ts';
import { needs, programPath } from '../programs.ts';
import { alerts } from '../rules/rules.ts';

needs('promtool', 'amtool');

const prometheusExample = fromRoot('ops/prometheus/prometheus.example.yml');
const alertmanagerExample = fromRoot('ops/prometheus/alertmanager.example.yml');

const run = (program: ProgramName, ...args: readonly string[]) =>
  spawnSync(programPath(program), args, { encoding: 'utf8' });

test('the example of Prometheus is valid, also with a token and a vantage, and loads the rules', () => {
  const checked = run('promtool', 'check', 'config', prometheusExample);
  const stdout = expect.stringContaining('1 rule files found');
  expect(checked).toMatchObject({ status: 0, stdout });
  const folder = test.info().outputPath('');
  writeFileSync(`${folder}/monitor-token`, 'a-token-of-the-monitor');
  const filled = readFileSync(prometheusExample, 'utf8').replaceAll(/# (?=\w+: [{[])/g, '');
  expect(filled.match(/^ +(authorization|relabel_configs|external_labels):/gm)).toHaveLength(6);
  writeFileSync(`${folder}/prometheus.yml`, filled);
  expect(run('promtool', 'check', 'config', `${folder}/prometheus.yml`).status).toBe(0);
});

test('the example of Alertmanager is valid, and routes every alert by its severity', () => {
  expect(run('amtool', 'check-config', alertmanagerExample).status).toBe(0);
  const file = `--config.file=${alertmanagerExample}`;
  const routed = (...labels: readonly string[]): string =>
    run('amtool', 'config', 'routes', 'test', file, ...labels).stdout.trim();
  for (const { alert, labels } of alerts)
    expect(routed(`alertname=${alert}`, `severity=${labels?.severity}`), alert).toBe(
      labels?.severity === 'page' ? 'pager' : 'tickets',
    );
  expect(routed('alertname=Other')).toBe('tickets');
});

test('every alert named in an inhibition exists', () => {
  const example = readFileSync(alertmanagerExample, 'utf8');
  const patterns = [...example.matchAll(/alertname =~? "?([\w|.*]+)/g)].map(
    ([, pattern = '']) => pattern,
  );
  expect(patterns.length).toBeGreaterThan(5);
  for (const name of patterns.flatMap((pattern) => pattern.split('|')))
    expect(
      alerts.some(({ alert }) => new RegExp(`^${name}$`).test(alert)),
      name,
    ).toBe(true);
});
