import { expect, test } from '@playwright/test';
import { down } from '../monitor/in-memory.ts';
import { minute, second, stage } from './stage.ts';

const days = 86_400_000;

/** A monitor of a provider over HTTPS whose certificate ends in twenty days, or when it is set to. */
function overTls() {
  const one = stage();
  const { time, provider } = one;
  const certificate = { earliestExpiry: time.wall() + 20 * days };
  provider.answer = () => undefined;
  const { exchange } = provider;
  Object.assign(provider, {
    exchange: async (...message: Parameters<typeof exchange>) => ({
      ...(await exchange(...message)),
      tls: { version: 'TLSv1.3', authorized: true, ...certificate },
    }),
  });
  const { connection } = provider.target;
  const secure = { ...connection, origin: new URL('https://api.example.test') };
  one.restart(undefined, { connection: secure });
  return { ...one, certificate, connection, restart: one.restart };
}

test('a certificate near its end is a ticket, then a page, and resolved by a new one', async () => {
  const one = overTls();
  const { time, inbox, provider, certificate } = one;
  await time.pass(3 * minute);
  expect(inbox.accepted()).toEqual([]);
  const expected: string[] = [];
  for (const [leftMs, ...lines] of [
    [13 * days, 'firing ContractMonitorCertificateEndsSoon'],
    [
      2 * days,
      'resolved ContractMonitorCertificateEndsSoon',
      'firing ContractMonitorCertificateEndsInDays',
    ],
    [
      -minute,
      'resolved ContractMonitorCertificateEndsInDays',
      'firing ContractMonitorCertificateExpired',
    ],
    [90 * days, 'resolved ContractMonitorCertificateExpired'],
  ] as const) {
    certificate.earliestExpiry = time.wall() + leftMs;
    await time.pass(3 * minute);
    expected.push(...lines);
    expect(inbox.accepted().toSorted()).toEqual(expected.toSorted());
  }
  // Before its first handshake a monitor does not know the certificate, so it neither resolves nor repeats the alert.
  certificate.earliestExpiry = time.wall() + 2 * days;
  await time.pass(3 * minute);
  one.restart();
  provider.answer = down;
  await time.pass(90 * second);
  expect(inbox.accepted()).toHaveLength(expected.length + 1);
});

test('the alert about a certificate is resolved once the target is watched over HTTP', async () => {
  const { time, inbox, certificate, connection, restart } = overTls();
  certificate.earliestExpiry = time.wall() + 2 * days;
  await time.pass(3 * minute);
  expect(inbox.accepted()).toEqual(['firing ContractMonitorCertificateEndsInDays']);
  restart(undefined, { connection });
  await time.pass(10 * minute);
  expect(inbox.accepted().slice(1)).toEqual(['resolved ContractMonitorCertificateEndsInDays']);
});
