import { expect, test } from '@playwright/test';
import { openBroker } from '../../pacts/broker/broker.ts';
import { brokerPacts } from '../../pacts/broker/source.ts';
import { by, pactDocument, resultOf, selectors } from './broker-stage.ts';
import { type Answer, index, serve } from './fake-broker.ts';

const pact: Answer = {
  body: {
    ...pactDocument('c', { 'a call': 401 }),
    _links: {
      self: { href: '/pact' },
      'pb:publish-verification-results': { href: '/results' },
    },
  },
};

/** Publishes the result of the only pact of a broker that has these answers. */
async function published(answers: Readonly<Record<string, Answer>>) {
  const given: Readonly<Record<string, Answer>> = {
    '/': index,
    '/pact': pact,
    ...answers,
  };
  await using server = await serve(
    ({ url, method }) => given[`${method} ${url}`] ?? given[url] ?? { status: 201, body: {} },
  );
  const broker = await openBroker({ baseUrl: new URL(server.url), timeoutMs: 1_000 });
  const pactUrl = new URL('/pact', server.url);
  const pacts = await brokerPacts(broker, {
    provider: 'public-api',
    branch: 'main',
    selectors,
    pactUrl,
  });
  const [source] = pacts.sources;
  if (source === undefined) throw new Error('no pact');
  return await pacts.publish(resultOf(source), by('1'));
}

for (const [what, answers, line] of [
  [
    'is refused',
    { 'POST /results': { status: 400, body: { errors: ['no version'] } } },
    'the Pact Broker refuses the result: no version',
  ],
  [
    'may not be written',
    { 'POST /results': { status: 403 } },
    'refuses the credentials: it answers 403',
  ],
  [
    'is of a branch that is refused',
    { '/pacticipants/public-api/branches/main/versions/1': { status: 409, body: {} } },
    'the Pact Broker refuses the result: it answers 409',
  ],
  ['gets no answer', { 'POST /results': { hang: true } }, 'no complete answer in time (1000 ms)'],
] as const)
  test(`a result that ${what} is a failure`, async () => {
    await expect(published(answers)).rejects.toThrow(line);
  });

test('a broker without a link for results is reported', async () => {
  const links = { self: { href: '/pact' } };
  const bare = { body: { ...pactDocument('c', { 'a call': 401 }), _links: links } };
  await expect(published({ '/pact': bare })).rejects.toThrow('takes no results: /pact');
});
