import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { full } from '../monitor/metrics-text.ts';
import { metricsIn } from './expression.ts';
import { type Alert, alerts, type Case, cases, type RuleText, rules, textOf } from './rules.ts';

const severities = ['page', 'ticket'];

/** The sections of a Markdown page by the anchors of their headings. */
const sectionsOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    page
      .split(/^#+ /m)
      .slice(1)
      .map((section) => {
        const [heading = ''] = section.split('\n');
        return [heading.trim().toLowerCase().replaceAll(' ', '-'), section];
      }),
  );

/** What an on-call engineer needs and an alert does not have. */
function lacking({ alert, labels = {}, annotations = {} }: Alert, runbook: string): string[] {
  const { summary = '', description = '', runbook_url: url = '' } = annotations;
  const [page, anchor = ''] = url.split('#');
  const section = sectionsOf(runbook).get(anchor) ?? '';
  return [
    ...(severities.includes(labels.severity ?? '') ? [] : [`${alert} has no severity`]),
    ...(/\S/.test(summary) ? [] : [`${alert} has no summary`]),
    ...(/\S/.test(description) ? [] : [`${alert} has no description`]),
    ...(page === 'ops/runbook.md' ? [] : [`${alert} does not lead to the runbook`]),
    ...(section.includes(alert) ? [] : [`${alert} has no section in the runbook`]),
  ];
}

/** Alerts without a firing case or without a silent case. */
const unseen = (all: readonly Alert[], seen: readonly Case[]): string[] =>
  all.flatMap(({ alert }) => {
    const own = seen.filter(({ alertname }) => alertname === alert);
    const fires = own.some(({ exp_alerts: message = [] }) => message.length > 0);
    const silent = own.some(({ exp_alerts: message = [] }) => message.length === 0);
    return [
      ...(fires ? [] : [`${alert} has no case in which it fires`]),
      ...(silent ? [] : [`${alert} has no case in which it waits`]),
    ];
  });

/** Series that the rules use but no program exports. Prometheus itself exports `up` and `ALERTS`. */
function undescribed(all: readonly RuleText[], exported: readonly string[]): string[] {
  const known = new Set([
    'up',
    'ALERTS',
    ...exported,
    ...all.flatMap(({ record }) => record ?? []),
  ]);
  return all
    .flatMap(({ expr }) => metricsIn(expr))
    .filter((name) => !known.has(name))
    .map((name) => `${name} is exported by no program`);
}

/** The names of the series in a scrape. */
const exportedIn = (text: string): string[] =>
  [...text.matchAll(/^([a-zA-Z_:]\w*)[{ ]/gm)].map(([, name = '']) => name);

const broken = 'target_clause:contract_broken:lately';

/** The alerts that a violation of a clause raises. */
const raisedBy = (clause: string): string[] =>
  alerts
    .filter(({ expr }) => {
      const [, is, pattern = ''] =
        new RegExp(`${broken}\\{clause(=~?|!~)"(.*)"\\}`).exec(expr) ?? [];
      return is !== undefined && new RegExp(`^(?:${pattern})$`).test(clause) === (is !== '!~');
    })
    .map(({ alert }) => alert);

test('each alert has a summary, a severity and a runbook link', () => {
  const runbook = textOf('ops/runbook.md');
  expect(alerts.flatMap((alert) => lacking(alert, runbook))).toEqual([]);
});

test('there are fourteen alerts, each with its own name', () => {
  const names = alerts.map(({ alert }) => alert);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toHaveLength(14);
});

test('each alert has a case in which it fires, and one in which it is silent', () => {
  expect(unseen(alerts, cases)).toEqual([]);
});

test('every case is about an existing alert', () => {
  const names = alerts.map(({ alert }) => alert);
  expect(cases.filter(({ alertname }) => !names.includes(alertname))).toEqual([]);
});

test('rules use only series that the monitor exports or that are recorded', async () => {
  expect(undescribed(rules, exportedIn(await full().text()))).toEqual([]);
});

test('each clause raises exactly one alert', () => {
  for (const { id } of mustHold) expect(raisedBy(id), id).toHaveLength(1);
  expect(raisedBy('BEARER-2')).toEqual(['ContractMonitorUnauthorizedAdmitted']);
  expect(raisedBy('EXPIRY-1')).toEqual(['ContractMonitorTokenDiesEarly']);
  expect(raisedBy('EXPIRY-5')).toEqual(['ContractMonitorTokenLivesTooLong']);
  expect(raisedBy('ERROR-3')).toEqual(['ContractMonitorContractBroken']);
});

test('an alert with a missing field is found', () => {
  const runbook = '# Runbook\n\n## One\n\nOf AlertOne.\n';
  const annotations = { summary: 's', description: 'd', runbook_url: 'ops/runbook.md#one' };
  const whole = { alert: 'AlertOne', expr: '', labels: { severity: 'page' }, annotations };
  expect(lacking(whole, runbook)).toEqual([]);
  expect(lacking({ ...whole, labels: { severity: 'critical' } }, runbook)).toHaveLength(1);
  for (const without of ['summary', 'description'])
    expect(
      lacking({ ...whole, annotations: { ...annotations, [without]: ' ' } }, runbook),
    ).toHaveLength(1);
  for (const url of ['ops/runbook.md#two', 'runbook.md#one', 'ops/runbook.md'])
    expect(
      lacking({ ...whole, annotations: { ...annotations, runbook_url: url } }, runbook),
    ).toHaveLength(1);
  expect(lacking({ ...whole, alert: 'AlertTwo' }, runbook)).toEqual([
    'AlertTwo has no section in the runbook',
  ]);
  expect(lacking({ alert: 'AlertOne', expr: '' }, runbook)).toHaveLength(5);
});

test('an alert without a firing case, or without a silent case, is found', () => {
  const one = { alert: 'One', expr: '', labels: { severity: 'page' } };
  const fires = { alertname: 'One', exp_alerts: [{}] };
  const waits = { alertname: 'One' };
  expect(unseen([one], [fires, waits])).toEqual([]);
  expect(unseen([one], [waits, { ...fires, alertname: 'Two' }])).toHaveLength(1);
  expect(unseen([one], [fires, { ...waits, alertname: 'Two' }])).toHaveLength(1);
});

test('a series that no program exports is found', () => {
  const recorded = { record: 'a:b:c', expr: 'rate(told_total[5m])' };
  expect(undescribed([recorded, { expr: 'a:b:c > 1 or up == 0' }], ['told_total'])).toEqual([]);
  expect(undescribed([recorded, { expr: 'a:b:d > 1' }], ['told_totals'])).toEqual([
    'told_total is exported by no program',
    'a:b:d is exported by no program',
  ]);
});

for (const [expression, names] of [
  ['up', ['up']],
  ['sum without (probe, outcome) (increase(a_total{outcome="kept"}[15m])) == 0', ['a_total']],
  ['a:b:c{x="}", y=~"d|e"} > bool 1e9 unless on (job) max_over_time(b[1d:5m]) > 0', ['a:b:c', 'b']],
  ['a - time() < 14 * 86400 and a offset 1h', ['a']],
  ['x / on (i) group_left (version) y or on () absent(z)', ['x', 'y', 'z']],
  ['vector(1)', []],
] as const)
  test(`the series in ${expression} are found`, () => {
    expect(metricsIn(expression)).toEqual(names);
  });
