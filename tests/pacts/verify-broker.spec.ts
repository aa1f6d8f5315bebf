import { BrokerError } from '../../pacts/broker/broker.ts';
import { publishAll } from '../../pacts/verify/pact-selection.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import type { Environment } from '../process.ts';
import { type Arrived, type Server, serveBroker } from './fake-broker.ts';
import { callWithToken, expired, pactOf, pending, textOf } from './pact-builder.ts';
import { closingLine, expect, naming, start, test } from './verify-process.ts';
import { defective, verifying, withoutClock } from './verifying.ts';

const call = callWithToken();
type Pacts = Readonly<Record<string, { interactions: object[]; pending?: boolean }>>;

/**
 * A broker that lists these pacts for verification, and stores the published results.
 * @param isSilent selects requests that the broker never answers
 */
function brokerOf(
  pacts: Pacts,
  isSilent: (arrived: Arrived) => boolean = () => false,
): Promise<Server> {
  const results = new Map<string, unknown>();
  const link = (place: string) => ({ href: `/${place}` });
  const linksOf = (name: string, kind: string) => ({
    self: link(`${kind}/${name}`),
    'pb:pact-version': link(`x/pact-version/${name}`),
    'pb:publish-verification-results': link(`results/${name}`),
  });
  const documentOf = (name: string) => ({
    ...JSON.parse(textOf(pacts[name]?.interactions ?? [])),
    _links: linksOf(name, 'pacts'),
  });
  const list = Object.entries(pacts).map(([name, { pending: waits = false }]) => ({
    verificationProperties: { pending: waits, notices: [] },
    _links: { self: link(`pacts/${name}`) },
  }));
  return serveBroker((arrived) => {
    if (isSilent(arrived)) return { hang: true };
    const { method, url, body } = arrived;
    const [, kind = '', name = ''] = url.split('/');
    if (url.endsWith('/for-verification')) return { body: { _embedded: { pacts: list } } };
    if (kind === 'pacticipants') return { body: {} };
    if (kind === 'pacts') return { body: documentOf(name) };
    if (method === 'POST') results.set(name, JSON.parse(body));
    return { body: { ...Object(results.get(name)), _links: linksOf(name, 'results') } };
  });
}

const leadingTo = ({ url }: Server): Environment => ({
  PACT_BROKER_BASE_URL: url,
  GIT_COMMIT: 'abc123',
  GIT_BRANCH: 'main',
});

const published = ({ arrived }: Server): string[] =>
  arrived
    .filter(({ method, url }) => method === 'POST' && url.startsWith('/results'))
    .map(({ url, body }) => `${url.slice('/results/'.length)}: ${JSON.parse(body).success}`);

/** The published result of a pact. */
const resultOf = ({ arrived }: Server, name: string) =>
  JSON.parse(arrived.find(({ url, body }) => url === `/results/${name}` && body)?.body ?? '');

for (const [what, isSilent] of [
  ['fetches pacts', ({ url }: Arrived) => url === '/pacts/good'],
  ['publishes results', ({ method }: Arrived) => method === 'PUT'],
] as const)
  test(`Ctrl-C ends a run at once that ${what}`, async ({ folder }) => {
    await using broker = await brokerOf({ good: { interactions: [call] } }, isSilent);
    const { child, ended } = start(folder, ['--sandbox'], leadingTo(broker));
    await expect.poll(() => broker.arrived.some(isSilent), { timeout: 240_000 }).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ exit: 130, stdout: '', stderr: 'interrupted\n' });
  });

test('pacts of the broker are verified, and their results published', async ({
  pactVerify,
  serve: run,
}) => {
  await using broker = await brokerOf({
    good: { interactions: [call] },
    bad: { interactions: [call, expired], pending: true },
  });
  const env = { ...leadingTo(broker), ...naming(await run(faulty('leeway-of-a-second'))) };
  const green = await pactVerify([], env);
  expect(green).toMatchObject({ exit: 0, stderr: '' });
  expect(closingLine(green)).toContain(
    '✓ Every pact that counts is kept · 2 verified, 1 failed that is pending · ',
  );
  expect(green.stdout).toContain(`\npacts of the broker ${broker.url}\n`);
  expect(published(broker)).toEqual(['good: true', 'bad: false']);
});

test('a run without publishing, or of a selection, publishes nothing', async ({ pactVerify }) => {
  await using broker = await brokerOf({ good: { interactions: [call, expired] } });
  for (const args of [['--no-publish'], ['--interaction', 'a call']])
    expect(await pactVerify(args, leadingTo(broker))).toExitWith(0);
  expect(published(broker)).toEqual([]);
});

const reason = 'it is empty: it has no interactions';

for (const [what, pacts, exit, line, results] of [
  [
    'leaves other pacts alone',
    { empty: { interactions: [], pending: true }, good: { interactions: [call] } },
    0,
    '\n✓ No pact',
    ['empty: false', 'good: true'],
  ],
  [
    'does not blame the provider',
    { empty: { interactions: [] } },
    2,
    `! Nothing could be verified: ${reason} · 0 verified, 1 unverified`,
    ['empty: false'],
  ],
] satisfies [string, Pacts, number, string, string[]][])
  test(`a pact that cannot be read ${what}, and gets a failed result`, async ({ pactVerify }) => {
    await using broker = await brokerOf(pacts);
    const run = await pactVerify(['--sandbox'], leadingTo(broker));
    expect(run).toMatchObject({ exit, stderr: '', stdout: expect.stringContaining(line) });
    expect(published(broker)).toEqual(results);
    expect(resultOf(broker, 'empty')).toMatchObject({
      success: false,
      testResults: [{ success: false, exceptions: [{ message: reason }] }],
    });
  });

test('results of the sandbox are published only on request', async ({ pactVerify }) => {
  await using broker = await brokerOf({ good: { interactions: [call] } });
  const stderr =
    "no provider is set, and what the sandbox does is not published under the provider's name: set PUBLIC_API_BASE_URL, or add --no-publish, or --sandbox to publish it all the same\n";
  expect(await pactVerify([], leadingTo(broker))).toMatchObject({ exit: 2, stdout: '', stderr });
  expect(broker.arrived).toEqual([]);
  expect(await pactVerify(['--sandbox'], leadingTo(broker))).toExitWith(0);
  expect(published(broker)).toEqual(['good: true']);
});

test("results are never published under this checkout's version", async ({
  pactVerify,
  serve: run,
}) => {
  await using broker = await brokerOf({ good: { interactions: [call] } });
  const env = { PACT_BROKER_BASE_URL: broker.url, ...naming(await run(right)) };
  const stderr = expect.stringMatching(/^the provider's (version|branch) is not known: set GIT_/);
  expect(await pactVerify([], env)).toMatchObject({ exit: 2, stdout: '', stderr });
  expect(broker.arrived).toEqual([]);
  const built = { CIRCLECI: 'true', CIRCLE_SHA1: 'c0ffee', CIRCLE_BRANCH: 'main' };
  expect(await pactVerify([], { ...env, ...built })).toMatchObject({ exit: 0, stderr: '' });
  expect(published(broker)).toEqual(['good: true']);
});

test('what is unverified is published as failed with its reason, and ends in 2 unless it is pending', async ({
  pactVerify,
  serve: run,
}) => {
  const timed = { interactions: [call, expired] };
  await using broker = await brokerOf({ timed });
  const { PUBLIC_API_CLOCK_URL: _, ...clockless } = naming(await run());
  const open = await pactVerify([], { ...clockless, ...leadingTo(broker) });
  expect(open).toExitWith(2);
  expect(closingLine(open)).toContain('! Not everything could be verified: no test clock: set PUB');
  expect(published(broker)).toEqual(['timed: false']);
  expect(resultOf(broker, 'timed').testResults[1]).toMatchObject({
    interactionDescription: 'an expired token',
    exceptions: [{ message: expect.stringContaining('no test clock') }],
  });
  await using only = await brokerOf({ waiting: { ...timed, pending: true } });
  expect(await pactVerify([], { ...clockless, ...leadingTo(only) })).toExitWith(0);
});

test('a result that is not at the broker makes a good run none, and a defect publishes nothing', async () => {
  const good = await verifying([pactOf(call), pending(pactOf(expired))], { aim: withoutClock });
  const failing = (error: Error) => ({ publish: () => Promise.reject(error) });
  const gone = failing(new BrokerError('it is gone'));
  const notes = Array(2).fill('not published: it is gone');
  expect(await publishAll(gone, good)).toEqual({ notes, missing: true });
  await expect(publishAll(failing(new Error('ours')), good)).rejects.toThrow('ours');
  const publish = () => Promise.resolve('a line');
  const left = 'not published: the pact of a-consumer is not verified';
  expect(await publishAll({ publish }, { ...good, unjudged: 'it is gone' })).toEqual({
    notes: ['a line', left],
    missing: false,
  });
  const broken = await verifying(pactOf(call), defective);
  expect(await publishAll({ publish }, broken)).toEqual({ notes: [], missing: false });
});
