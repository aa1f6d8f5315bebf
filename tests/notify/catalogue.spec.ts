import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { alertOfClause, catalogue } from '../../monitor/notify/catalogue.ts';
import { alertOf } from '../../monitor/notify/conditions.ts';
import { alerts, textOf } from '../rules/rules.ts';
import { configOf } from './receivers.ts';

/** The alert that the rules in ops/rules raise for a clause. */
function ruleOfClause(clause: string): string | undefined {
  const pattern = /target_clause:contract_broken:lately\{clause(=~?|!~)"(.*)"\}/;
  return alerts.find(({ expr }) => {
    const [, is, names = ''] = pattern.exec(expr) ?? [];
    return is !== undefined && new RegExp(`^(?:${names})$`).test(clause) === (is !== '!~');
  })?.alert;
}

test('each clause raises the alert that the rules raise', () => {
  for (const { id } of mustHold) expect(alertOfClause(id), id).toBe(ruleOfClause(id));
});

test('alerts have the names, severities, summaries and links of the rules', () => {
  const target = { name: '{{ $labels.target }}' };
  const about = { target, clause: '{{ $labels.clause }}', description: '' };
  const own = [...catalogue.keys()].filter((name) => name !== 'ContractMonitorTestNotification');
  expect(own.length).toBeGreaterThan(8);
  for (const name of own) {
    const rule = alerts.find(({ alert }) => alert === name);
    const { labels, annotations } = alertOf(name, configOf(), about);
    expect(rule?.labels?.severity, name).toBe(labels.severity);
    expect(rule?.annotations?.summary, name).toBe(annotations.summary);
    expect(rule?.annotations?.runbook_url, name).toBe(annotations.runbook_url);
  }
});

test('links lead to the address of the monitor, and severities have the names of the file', () => {
  const config = configOf([], {
    page: new URL('https://monitor.test/at/'),
    severities: { page: 'critical', ticket: 'warning' },
    labels: { vantage: 'eu', alertname: 'x' },
  });
  const target = { name: 'api', labels: { team: 'payments', severity: 'x' } };
  const name = 'ContractMonitorContractBroken';
  const made = alertOf(name, config, { target, clause: 'ERROR-1', description: 'd' });
  expect(made).toEqual({
    labels: {
      vantage: 'eu',
      team: 'payments',
      alertname: name,
      severity: 'critical',
      target: 'api',
      instance: 'api',
      clause: 'ERROR-1',
    },
    annotations: {
      summary: 'api breaks the contract: ERROR-1',
      description: 'd',
      runbook_url: 'ops/runbook.md#contractmonitorcontractbroken',
    },
    link: 'https://monitor.test/at/targets/api',
  });
});

test('the section of the runbook about tests of notifications exists', () => {
  expect(textOf('ops/runbook.md')).toContain('### ContractMonitorTestNotification\n');
});
