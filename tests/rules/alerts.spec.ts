import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { metrics } from '../../monitor/metrics/metrics.ts';
import { fromRoot } from '../process.ts';
import { needs, programPath } from '../programs.ts';
import { alerts, caseFiles, cases, raisedBy, rules, rulesFile } from './rules.ts';

/** As `monitor/metrics.md` and the runbook list them. */
const names = [
  ...['UnauthorizedAdmitted', 'TokenDiesEarly', 'TokenLivesTooLong', 'ContractBroken'],
  ...['ObservationChanged', 'Unreachable', 'BudgetFast', 'BudgetSlow', 'CertificateSoon'],
  ...['CertificateExpired', 'Absent', 'Stale', 'StateNotWritable', 'CanariesLost'],
].map((name) => `ContractMonitor${name}`);

test('there are fourteen alerts, each with a severity, a summary and an entry in the runbook', () => {
  expect(alerts.map(({ alert }) => alert)).toEqual(names);
  const headings = readFileSync(fromRoot('ops/runbook.md'), 'utf8').match(/(?<=^### ).*$/gm);
  expect(headings?.toSorted()).toEqual(names.toSorted());
  for (const { alert, labels, annotations } of alerts) {
    expect(labels?.severity, alert).toMatch(/^(page|ticket)$/);
    const text = expect.stringMatching(/\S/);
    const runbook_url = `ops/runbook.md#${alert.toLowerCase()}`;
    expect(annotations, alert).toEqual({ summary: text, description: text, runbook_url });
  }
});

test('each alert has a case in which it fires, and one in which it is silent', () => {
  for (const name of names) {
    const own = cases.filter(({ alertname }) => alertname === name);
    expect(
      own.filter(({ exp_alerts = [] }) => exp_alerts.length > 0),
      name,
    ).not.toEqual([]);
    expect(
      own.filter(({ exp_alerts = [] }) => exp_alerts.length === 0),
      name,
    ).not.toEqual([]);
  }
});

/** The names of the series in a PromQL expression: what is no function, keyword, number or label. */
const seriesIn = (expression: string): string[] => {
  const bare = expression
    .replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  const names = bare.match(/(?<![\w:.])[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g) ?? [];
  return names.filter((name) => !/^(and|or|unless|bool|offset)$/.test(name));
};

test('rules use only series that the monitor exports or that are recorded', () => {
  expect(
    seriesIn('sum without (o) (rate(a_total{b="c}"}[5m:1m])) / 1e9 > bool time() unless x:y'),
  ).toEqual(['a_total', 'x:y']);
  const recorded = rules.flatMap(({ record }) => record ?? []);
  const known = ['up', 'ALERTS', ...metrics.map(({ name }) => name), ...recorded];
  expect(known).toEqual(expect.arrayContaining(rules.flatMap(({ expr }) => seriesIn(expr))));
});

test('each clause raises exactly one alert', () => {
  for (const { id } of mustHold) expect(raisedBy(id), id).toHaveLength(1);
  expect(raisedBy('BEARER-2')).toEqual(['ContractMonitorUnauthorizedAdmitted']);
  expect(raisedBy('EXPIRY-5')).toEqual(['ContractMonitorTokenLivesTooLong']);
});

test.describe('by promtool', () => {
  needs('promtool');

  for (const words of [
    ['check', 'rules', '--lint=all', '--lint-fatal', rulesFile],
    ...caseFiles.map((file) => ['test', 'rules', file]),
  ])
    test(`promtool ${words[0]} finds nothing in ${words.at(-1)?.replace(/^.*\//, '')}`, () => {
      const { status, stdout, stderr } = spawnSync(programPath('promtool'), words, {
        encoding: 'utf8',
        // Collects garbage less often: a third of the processor time of the cases, for 240 MB of memory.
        env: { ...process.env, GOGC: '400' },
      });
      expect(status, stdout + stderr).toBe(0);
    });
});
