import { expect, test } from '@playwright/test';
import { openBroker } from '../../pacts/broker/broker.ts';
import { brokerPacts } from '../../pacts/broker/source.ts';
import { serveBroker } from './fake-broker.ts';
import { jsonBody } from './made-up.ts';
import { callWithToken, endingsOf, sourceOf, textOf } from './verifying.ts';

/** A pact whose response contains a number in the given notation. */
const withNumber = (spelling: string) => {
  const body = jsonBody({ n: 'THE NUMBER' });
  const text = textOf(callWithToken('a number', ['a valid token'], { body }));
  return sourceOf(text.replace('"THE NUMBER"', spelling));
};

for (const [spelling, other] of [
  ['1.0', '1.5'],
  ['9007199254740993', '9007199254740992'],
] as const)
  test(`a pact expects the number ${spelling}, and ${other} does not match`, async () => {
    for (const [answered, ending] of [
      [spelling, 'verified'],
      [other, 'failed'],
    ] as const) {
      expect(
        await endingsOf(withNumber(spelling), {
          provider: {
            authorised: () => ({
              status: 200,
              headers: { 'Content-Type': 'application/json' },
              body: `{"n":${answered}}`,
            }),
          },
        }),
      ).toEqual([`a number: ${ending}`]);
    }
  });

test("a pact from a broker keeps the broker's spelling", async () => {
  const document = JSON.stringify(withNumber('100.0').pact.interactions[0]?.document);
  expect(document).toContain('"n":100.0');
  const body = textOf({}).replace('{}', document);
  await using server = await serveBroker({ body });
  const baseUrl = new URL(server.url);
  const broker = await openBroker({ baseUrl, timeoutMs: 5000 });
  const { sources } = await brokerPacts(broker, {
    provider: 'public-api',
    branch: 'main',
    selectors: [],
    pactUrl: new URL('/pact', baseUrl),
  });
  expect(JSON.stringify(sources[0]?.pact.interactions[0]?.document)).toBe(document);
});
