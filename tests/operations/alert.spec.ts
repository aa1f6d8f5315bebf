import { expect, test } from '@playwright/test';
import { account, leaky, tokenMark, unavailable } from '../monitor/provider.ts';
import { needs } from '../programs.ts';
import { monitorToken } from './files.ts';
import type { Alert } from './inbox.ts';
import { type Stack, startStack } from './stack.ts';

needs('prometheus', 'alertmanager');

const soon = { timeout: 240_000, intervals: [200] };

/** An alert as `ContractMonitorUnreachable search`, with the clause if it has one. */
const nameOf = ({ labels: { alertname, target, clause } }: Pick<Alert, 'labels'>): string =>
  [alertname, target, clause].filter((part) => part !== undefined).join(' ');

const firing = async (stack: Stack): Promise<string[]> =>
  (await stack.alerts()).filter(({ state }) => state === 'firing').map(nameOf);

/** All alerts with this status that a webhook has received. */
const message = ({ inbox }: Stack, path: string, status: Alert['status']): Alert[] =>
  inbox.received
    .filter((one) => one.path === path)
    .flatMap(({ alerts }) => alerts)
    .filter((alert) => alert.status === status);

const admitted = 'ContractMonitorUnauthorizedAdmitted payments BEARER-2';
const unreachable = 'ContractMonitorUnreachable search';

test('a fault is paged with its clause, without any secret, and so is its end', async () => {
  await using stack = await startStack();
  const { payments, search, prometheus } = stack;
  const holding = 'contract_clause_verdict{clause="BEARER-2",verdict="holds"} == 1';
  await expect.poll(async () => (await prometheus.query(holding)).length, soon).toBe(2);
  expect(await prometheus.query('count({__name__=~".+", exported_target!=""})')).toEqual([]);
  await expect.poll(() => firing(stack), soon).toEqual([]);

  payments.become(leaky);
  search.become(unavailable);
  const both = expect.arrayContaining([admitted, unreachable]);
  await expect.poll(() => firing(stack), soon).toEqual(both);
  await expect.poll(() => message(stack, '/page', 'firing').map(nameOf), soon).toEqual(both);
  await expect
    .poll(async () => (await stack.inhibited()).map(nameOf), soon)
    .toContain('ContractMonitorBudgetFast search');
  const pending = 'count_over_time(ALERTS{alertstate="pending",target="search"}[1m])';
  expect((await prometheus.query(pending)).map(({ metric }) => metric.alertname)).toContain(
    'ContractMonitorUnreachable',
  );

  payments.become({});
  search.become({});
  await expect.poll(() => message(stack, '/page', 'resolved').map(nameOf), soon).toEqual(both);
  expect(await firing(stack)).not.toContain(admitted);
  expect(await firing(stack)).not.toContain(unreachable);

  expectFor(message(stack, '/page', 'firing'), admitted, {
    team: 'payments-team',
    summary: 'payments accepts unauthorized requests: BEARER-2',
    description: expect.stringContaining('BEARER-2 does not hold on payments'),
    runbook_url: 'ops/runbook.md#contractmonitorunauthorizedadmitted',
  });
  expectFor(message(stack, '/page', 'firing'), unreachable, {
    team: 'search-team',
    summary: 'search cannot be judged',
    description: expect.stringContaining('got no answer that could be judged'),
    runbook_url: 'ops/runbook.md#contractmonitorunreachable',
  });
  expectOnlyWhatIsTrue(stack);
});

/** Checks the labels and annotations of the first notification of an alert. */
function expectFor(
  all: readonly Alert[],
  name: string,
  { team, ...annotations }: Readonly<Record<string, unknown>>,
): void {
  const alert = all.find((one) => nameOf(one) === name);
  expect(alert?.labels).toMatchObject({ severity: 'page', team, job: 'contract' });
  expect(alert?.annotations).toEqual(annotations);
}

/** Checks that no correct target has an alert, every alert says what to do, and no notification has a secret. */
function expectOnlyWhatIsTrue({ inbox }: Stack): void {
  for (const { body, path, alerts } of inbox.received) {
    for (const secret of [account.apiKey, account.secretKey, tokenMark, monitorToken])
      expect(body).not.toContain(JSON.stringify(secret).slice(1, -1));
    for (const { labels, annotations } of alerts) {
      expect(`/${labels.severity}`).toBe(path);
      expect(Object.keys(annotations).sort()).toEqual(['description', 'runbook_url', 'summary']);
      if (labels.clause !== undefined) expect(labels.target).toBe('payments');
      if (labels.alertname === 'ContractMonitorUnreachable') expect(labels.target).toBe('search');
    }
  }
}
