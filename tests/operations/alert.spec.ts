import { account, leaky, tokenMark, unavailable } from '../monitor/provider.ts';
import { needs } from '../programs.ts';
import { expect, test } from '../test.ts';
import { monitorToken } from './examples.ts';
import type { Alert } from './inbox.ts';
import { startStack } from './stack.ts';

needs('prometheus', 'alertmanager');

const soon = { timeout: 240_000, intervals: [200] };

/** On a busy machine a long list of requests may meet the fault too: it ends when the whole list was sent again. */
const inTime = { ...soon, timeout: 1_500_000 };

/** An alert as `ContractMonitorUnreachable search`, with the clause if it has one. */
const nameOf = (labels: Readonly<Record<string, string>>): string =>
  [labels.alertname, labels.target, labels.clause].filter((part) => part !== undefined).join(' ');

const admitted = 'ContractMonitorUnauthorizedAdmitted payments BEARER-2';
const unreachable = 'ContractMonitorUnreachable search';
const both = expect.arrayContaining([admitted, unreachable]);

test('a fault is paged with its clause, without any secret, and so is its end', async () => {
  test.setTimeout(1_800_000);
  await using stack = await startStack();
  const { payments, search, prometheus, inbox } = stack;
  const firing = async (): Promise<string[]> =>
    (await prometheus.query('ALERTS{alertstate="firing"}')).map(({ metric }) => nameOf(metric));
  const paged = (status: Alert['status']): Alert[] =>
    inbox.received
      .filter(({ path }) => path === '/page')
      .flatMap(({ alerts }) => alerts.filter((alert) => alert.status === status));
  const pagedNames = (status: Alert['status']) => paged(status).map(({ labels }) => nameOf(labels));

  const answering = async () => (await prometheus.query('probe_success == 1')).length;
  await test.step('nothing fires while both providers keep the contract', async () => {
    await expect.poll(answering, soon).toBe(2);
    expect(await prometheus.query('count({__name__=~".+", exported_target!=""})')).toEqual([]);
    await expect.poll(firing, soon).toEqual([]);
  });

  await test.step('a fault and an outage are paged', async () => {
    payments.become(leaky);
    search.become(unavailable);
    await expect.poll(firing, soon).toEqual(both);
    await expect.poll(() => pagedNames('firing'), soon).toEqual(both);
  });

  await test.step('their ends are paged', async () => {
    payments.become({});
    search.become({});
    await expect.poll(() => pagedNames('resolved'), inTime).toEqual(both);
  });

  const first = paged('firing').find(({ labels }) => nameOf(labels) === admitted);
  expect(first).toMatchObject({
    labels: { severity: 'page', team: 'payments-team', job: 'contract' },
    annotations: {
      summary: 'payments accepts unauthorized requests: BEARER-2',
      description: expect.stringContaining('BEARER-2 does not hold on payments'),
      runbook_url: 'ops/runbook.md#contractmonitorunauthorizedadmitted',
    },
  });
  for (const { body, path, alerts } of inbox.received) {
    for (const secret of [account.apiKey, account.secretKey, tokenMark, monitorToken])
      expect(body).not.toContain(JSON.stringify(secret).slice(1, -1));
    for (const { labels } of alerts) {
      expect(`/${labels.severity}`).toBe(path);
      if (labels.clause !== undefined) expect(labels.target).toBe('payments');
    }
  }
});
