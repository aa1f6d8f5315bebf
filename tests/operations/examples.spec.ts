import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import type { ProgramName } from '../../tools/setup/programs.ts';
import { needs, programPath } from '../programs.ts';

const root = new URL('../../', import.meta.url);
const at = (name: string): string => fileURLToPath(new URL(name, root));

const prometheusExample = 'ops/prometheus/prometheus.example.yml';
const alertmanagerExample = 'ops/prometheus/alertmanager.example.yml';

/** Runs a program. @returns its output and exit code */
function run(program: ProgramName, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(programPath(program), args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The alerts of `ops/rules`, by their names. */
function alerts(): Map<string, string> {
  const names = readdirSync(at('ops/rules')).filter((name) => name.endsWith('.yml'));
  const found = names.flatMap((name) => {
    const {
      groups,
    }: { groups: { rules: { alert?: string; labels?: { severity?: string } }[] }[] } = parse(
      readFileSync(at(`ops/rules/${name}`), 'utf8'),
    );
    return groups.flatMap(({ rules }) => rules);
  });
  return new Map(
    found.flatMap(({ alert, labels }) => (alert ? [[alert, labels?.severity ?? '']] : [])),
  );
}

test.describe('for Prometheus', () => {
  needs('promtool');

  test('the example is a valid configuration, and loads all rules', () => {
    const { status, stdout } = run('promtool', 'check', 'config', at(prometheusExample));
    expect(stdout).toContain(`${readdirSync(at('ops/rules')).length} rule files found`);
    expect(status).toBe(0);
  });

  for (const [what, option, line, times] of [
    ['the token of the monitor', 'authorization', /^ +authorization:/gm, 3],
    ['the site of the monitors', 'relabel_configs', /^ +relabel_configs: .*label: vantage/gm, 2],
  ] as const)
    test(`the example is valid with ${what} too`, () => {
      const folder = test.info().outputPath('');
      writeFileSync(`${folder}/monitor-token`, 'a-token-of-the-monitor');
      const example = readFileSync(at(prometheusExample), 'utf8');
      const filled = example.replaceAll(`# ${option}:`, `${option}:`);
      expect(filled.match(line)).toHaveLength(times);
      writeFileSync(`${folder}/prometheus.yml`, filled);
      const checked = run('promtool', 'check', 'config', `${folder}/prometheus.yml`);
      expect(checked).toMatchObject({ status: 0 });
    });
});

test.describe('for Alertmanager', () => {
  needs('amtool');

  test('the example is a valid configuration', () => {
    expect(run('amtool', 'check-config', at(alertmanagerExample))).toMatchObject({ status: 0 });
  });

  test('every alert is routed by its severity', () => {
    const routed = (...labels: readonly string[]): string => {
      const file = `--config.file=${at(alertmanagerExample)}`;
      return run('amtool', 'config', 'routes', 'test', file, ...labels).stdout.trim();
    };
    const receivers = [...alerts()].map(([name, severity]) => [
      severity,
      routed(`alertname=${name}`, `severity=${severity}`),
    ]);
    expect([...new Set(receivers.map(String))].sort()).toEqual(['page,pager', 'ticket,tickets']);
    expect(routed('alertname=Other')).toBe('tickets');
  });
});

test('every alert named in an inhibition exists', () => {
  const names = [...alerts().keys()];
  const example = readFileSync(at(alertmanagerExample), 'utf8');
  const matchers = [...example.matchAll(/alertname =~? "?([\w|.*]+)/g)].map(([, one = '']) => one);
  expect(matchers.length).toBeGreaterThan(5);
  for (const name of matchers.flatMap((one) => one.split('|')))
    expect(names.filter((alert) => new RegExp(`^${name}$`).test(alert))).not.toEqual([]);
});
