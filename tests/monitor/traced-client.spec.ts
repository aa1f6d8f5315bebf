import { expect, test } from '@playwright/test';
import { bearer } from '../../contract/http/client.ts';
import { openTracedClient } from '../../monitor/round/traced-client.ts';
import { startProvider } from './provider.ts';

const noon = Date.UTC(2026, 10, 6, 12);

const forms = [
  ['the form of RFC 9110', 'Fri, 06 Nov 2026 12:00:00 GMT'],
  ['the form of RFC 850', 'Friday, 06-Nov-26 12:00:00 GMT'],
  ['the form of C without a zone', 'Fri Nov  6 12:00:00 2026'],
] as const;

for (const [form, date] of forms)
  test(`a Date in ${form} is in UTC, in every local time zone`, async () => {
    await using provider = await startProvider();
    provider.become({ finish: (reply) => ({ ...reply, headers: { Date: date } }) });
    const { target } = provider;
    const { TZ = 'UTC' } = process.env;
    process.env.TZ = 'America/New_York';
    const { client, dated, seen } = openTracedClient(target, { time: { wall: () => noon } })();
    const token = await client.issue(target.account);
    await client.call(target.endpoints[0], bearer(token));
    process.env.TZ = TZ;
    expect(dated()).toBe(noon);
    expect(seen().http?.clockOffsetSeconds).toBe(0.5);
  });
