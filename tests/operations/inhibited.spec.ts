import { expect, test } from '@playwright/test';
import { needs } from '../programs.ts';
import { alertmanagerConfig } from './examples.ts';
import { startAlertmanager } from './stack.ts';

needs('alertmanager');

type Labels = Readonly<Record<string, string>>;

/** Waits until a real Alertmanager with the example configuration inhibits exactly these alerts. */
async function expectInhibited(alerts: readonly Labels[], expected: readonly Labels[]) {
  const closedPort = new URL('http://127.0.0.1:9');
  await using alertmanager = await startAlertmanager(alertmanagerConfig(closedPort));
  const at = (path: string): URL => new URL(path, alertmanager.address);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(alerts.map((labels) => ({ labels })));
  const { status } = await fetch(at('/api/v2/alerts'), { method: 'POST', headers, body });
  expect(status).toBe(200);
  const inhibited = async (): Promise<readonly Labels[]> => {
    const kept = await fetch(at('/api/v2/alerts?active=false&inhibited=true'));
    const message: readonly { readonly labels: Labels }[] = JSON.parse(await kept.text());
    return message.map(({ labels }) => labels);
  };
  // Alertmanager applies its rules a moment after it has accepted the alerts.
  await expect.poll(inhibited).toEqual(expected);
}

test('tickets of another site are still sent where a site has no monitor left', async () => {
  const ticket = { alertname: 'ContractMonitorCertificateSoon', severity: 'ticket', target: 'api' };
  const page = { alertname: 'ContractMonitorContractBroken', severity: 'page', target: 'api' };
  const absent = { alertname: 'ContractMonitorAbsent', severity: 'page' };
  const places = ['east', 'west'].map((vantage) => ({ vantage }));
  const [east] = places;
  const alerts = [{ ...absent, ...east }, ...places.map((place) => ({ ...ticket, ...place }))];
  await expectInhibited([...alerts, { ...page, ...east }], [{ ...ticket, ...east }]);
  await expectInhibited([absent, ticket, page], [ticket]);
  await expectInhibited([{ ...absent, job: 'contract-monitor' }, ticket, page], []);
});
