import { BrokerError } from '../../pacts/broker/broker.ts';
import { publishAll } from '../../pacts/verify/pact-selection.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import type { Environment } from '../process.ts';
import { type Arrived, type Server, serveBroker } from './fake-broker.ts';
import { pactText } from './made-up.ts';
import { closingLine, expect, naming, type Run, start, test } from './verify-process.ts';
import { aged, callWithToken, pactOf, pending, verifying, withoutClock } from './verifying.ts';

const call = callWithToken();
const expired = callWithToken('an expired token', [aged(24)], { status: 401 });
const anyStatus = { status: { $: { matchers: [{ match: 'type' }] } } };
const vague = callWithToken('a vague call', ['a valid token'], {
  matchingRules: { ...anyStatus, header: { 'X-Next': { matchers: [{ match: 'type' }] } } },
  headers: { 'X-Next': ['any'] },
});

/**
 * A broker that lists these pacts for verification, and stores the published results.
 * @param isSilent selects requests that the broker never answers
 */
function brokerOf(
  pacts: Readonly<Record<string, { interactions: object[]; pending?: boolean }>>,
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
    ...JSON.parse(pactText(pacts[name]?.interactions ?? [], { consumer: { name: 'a-consumer' } })),
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

for (const [what, isSilent] of [
  ['fetches pacts', ({ url }: Arrived) => url === '/pacts/good'],
  ['publishes results', ({ method }: Arrived) => method === 'PUT'],
] as const)
  test(`Ctrl-C ends a run at once that ${what}`, async ({ folder }) => {
    await using broker = await brokerOf({ good: { interactions: [call] } }, isSilent);
    // Nothing but the signal ends its wait for the broker.
    const env = { ...leadingTo(broker), PUBLIC_API_TIMEOUT_MS: '600000' };
    const { child, ended } = start(folder, ['--sandbox'], env);
    await expect.poll(() => broker.arrived.some(isSilent), { timeout: 240_000 }).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ exit: 130, stdout: '', stderr: 'interrupted\n' });
  });

/** The output of a run without its line breaks. */
const inOneLine = ({ stdout }: Run): string => stdout.replace(/\s+/g, ' ');

test('pacts of the broker are verified, and their results published', async ({
  pactVerify,
  serve: run,
}) => {
  await using broker = await brokerOf({
    good: { interactions: [call] },
    bad: { interactions: [call, expired, vague], pending: true },
  });
  const env = { ...leadingTo(broker), ...naming(await run(faulty('leeway-of-a-second'))) };
  const green = await pactVerify([], env);
  expect([green.exit, green.stderr]).toEqual([0, '']);
  expect(closingLine(green)).toContain(
    '✓ Every pact that counts is kept · 2 verified, 2 failed that are pending · ',
  );
  expect(green.stdout).toContain(`\npacts of the broker ${broker.url}\n`);
  expect(published(broker)).toEqual(['good: true', 'bad: false']);
});

test('a run without publishing, or of a selection, publishes nothing', async ({ pactVerify }) => {
  await using broker = await brokerOf({ good: { interactions: [call, expired] } });
  for (const args of [['--no-publish'], ['--interaction', 'a call']])
    expect((await pactVerify(args, leadingTo(broker))).exit).toBe(0);
  expect(published(broker)).toEqual([]);
});

const reason = 'it is empty: it has no interactions';

test('a pact that cannot be read concerns itself alone, and its consumer gets a failed result', async ({
  pactVerify,
}) => {
  await using broker = await brokerOf({
    empty: { interactions: [], pending: true },
    good: { interactions: [call] },
  });
  const run = await pactVerify(['--sandbox'], { ...leadingTo(broker), GITHUB_ACTIONS: 'true' });
  expect([run.exit, run.stderr]).toEqual([0, '']);
  expect(inOneLine(run)).toContain(`! the whole pact ${reason}`);
  expect(run.stdout).toContain('published: public-api abc123 fails the pact of a-consumer');
  expect(run.stdout).toContain('\n✓ No pact');
  expect(published(broker)).toEqual(['empty: false', 'good: true']);
  const posted = broker.arrived.find(({ url, body }) => url === '/results/empty' && body !== '');
  expect(JSON.parse(posted?.body ?? '')).toMatchObject({
    success: false,
    testResults: [{ success: false, exceptions: [{ message: reason }] }],
  });
});

test('a run in which no pact can be read does not blame the provider', async ({ pactVerify }) => {
  await using broker = await brokerOf({ empty: { interactions: [] } });
  const run = await pactVerify(['--sandbox'], { ...leadingTo(broker), GITHUB_ACTIONS: 'true' });
  expect(run.exit).toBe(2);
  expect(run.stdout).toContain(`! Nothing could be verified: ${reason} · 0 verified, 1 unverified`);
  expect(run.stdout).not.toContain('could not be judged');
  expect(run.stdout).toContain(
    `\n::error title=The verification is incomplete::Nothing could be verified: ${reason}`,
  );
  expect(published(broker)).toEqual(['empty: false']);
});

test('results of the sandbox are published only on request', async ({ pactVerify }) => {
  await using broker = await brokerOf({ good: { interactions: [call] } });
  const refused = await pactVerify([], leadingTo(broker));
  expect([refused.exit, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toBe(
    "no provider is set, and what the sandbox does is not published under the provider's name: set PUBLIC_API_BASE_URL, or add --no-publish, or --sandbox to publish it all the same\n",
  );
  expect(broker.arrived).toEqual([]);
  expect((await pactVerify(['--sandbox'], leadingTo(broker))).exit).toBe(0);
  expect(published(broker)).toEqual(['good: true']);
});

test("results are never published under this checkout's version", async ({
  pactVerify,
  serve: run,
}) => {
  await using broker = await brokerOf({ good: { interactions: [call] } });
  const provider = naming(await run(right));
  const refused = await pactVerify([], { PACT_BROKER_BASE_URL: broker.url, ...provider });
  expect([refused.exit, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toMatch(/^the provider's (version|branch) is not known: set GIT_/);
  expect(broker.arrived).toEqual([]);
  const built = { CIRCLECI: 'true', CIRCLE_SHA1: 'c0ffee', CIRCLE_BRANCH: 'main' };
  const named = await pactVerify([], { PACT_BROKER_BASE_URL: broker.url, ...provider, ...built });
  expect([named.exit, named.stderr]).toEqual([0, '']);
  expect(published(broker)).toEqual(['good: true']);
});

test('a result that was to be published and is not makes a good run none, unless it is pending', async () => {
  const run = await verifying([pactOf(call), pending(pactOf(expired))], { aim: withoutClock });
  expect(run.exit).toBe(0);
  const publish = () => Promise.resolve('a line');
  expect(await publishAll({ publish }, run)).toEqual({
    notes: ['a line', 'a line'],
    missing: false,
  });
  const left = 'not published: the pact of a-consumer is not verified';
  expect(await publishAll({ publish }, { ...run, unjudged: 'it is gone' })).toEqual({
    notes: ['a line', left],
    missing: false,
  });
  const gone = { publish: () => Promise.reject(new BrokerError('it is gone')) };
  const why = 'not published: it is gone';
  expect(await publishAll(gone, run)).toEqual({ notes: [why, why], missing: true });
  const broken = { publish: () => Promise.reject(new Error('ours')) };
  await expect(publishAll(broken, run)).rejects.toThrow('ours');
});

test('a run that ended by our own fault publishes nothing', async () => {
  const run = await verifying(pactOf(call), {
    isDefective: true,
    onVisit: () => {
      throw new Error('broken');
    },
  });
  expect(run.exit).toBe(3);
  const publish = () => Promise.reject(new Error('it is published'));
  expect(await publishAll({ publish }, run)).toEqual({ notes: [], missing: false });
});

test('what is unverified is published as failed with its reason, and ends in 2 unless it is pending', async ({
  pactVerify,
  serve: run,
}) => {
  const timed = { interactions: [call, expired] };
  await using broker = await brokerOf({ timed, waiting: { ...timed, pending: true } });
  const { PUBLIC_API_CLOCK_URL: _, ...clockless } = naming(await run());
  const open = await pactVerify([], { ...clockless, ...leadingTo(broker) });
  expect(open.exit).toBe(2);
  expect(closingLine(open)).toContain(
    '! Not everything could be verified: no test clock: set PUBLIC_API',
  );
  expect(published(broker)).toEqual(['timed: false', 'waiting: false']);
  const posted = broker.arrived.find(({ url, body }) => url === '/results/timed' && body !== '');
  expect(JSON.parse(posted?.body ?? '').testResults[1]).toMatchObject({
    interactionDescription: 'an expired token',
    exceptions: [{ message: expect.stringContaining('no test clock') }],
  });
  await using only = await brokerOf({ waiting: { ...timed, pending: true } });
  expect((await pactVerify([], { ...clockless, ...leadingTo(only) })).exit).toBe(0);
});
