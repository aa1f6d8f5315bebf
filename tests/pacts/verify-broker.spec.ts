import { BrokerError } from '../../pacts/broker/broker.ts';
import { publishAll } from '../../pacts/verify/pact-selection.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { leaksOf } from '../planted.ts';
import { type Answer, type Server, serveBroker } from './fake-server.ts';
import {
  callWithToken,
  expired,
  forToken,
  interaction,
  jsonBody,
  pactOf,
  pending,
  textOf,
} from './pact-builder.ts';
import { closingLine, expect, naming, put, test } from './verify-process.ts';
import { defective, verifying, withoutClock } from './verifying.ts';

const call = callWithToken();

/** A broker that lists these pacts for verification. */
function brokerOf(
  pacts: Readonly<Record<string, { interactions: object[]; pending?: boolean }>>,
  refusal?: Answer,
): Promise<Server> {
  const linksOf = (name: string) => ({
    self: { href: `/pacts/${name}` },
    'pb:publish-verification-results': { href: `/results/${name}` },
  });
  const list = Object.entries(pacts).map(([name, { pending: waits = false }]) => ({
    verificationProperties: { pending: waits, notices: [] },
    _links: linksOf(name),
  }));
  return serveBroker(({ url }) => {
    const [, kind, name = ''] = url.split('/');
    if (url.endsWith('/for-verification')) return { body: { _embedded: { pacts: list } } };
    if (kind !== 'pacts') return (kind === 'results' && refusal) || { body: {} };
    const document = JSON.parse(textOf(pacts[name]?.interactions ?? []));
    return { body: { ...document, _links: linksOf(name) } };
  });
}

const leadingTo = ({ url }: Server) => ({
  PACT_BROKER_BASE_URL: url,
  GIT_COMMIT: 'abc123',
  GIT_BRANCH: 'main',
});

/** The published results: `good: true`, with the messages about interactions that failed. */
const published = ({ arrived }: Server): string[] =>
  arrived
    .filter(({ url }) => url.startsWith('/results'))
    .map(({ url, body }) => {
      const { success, testResults } = JSON.parse(body);
      const messages = testResults.flatMap((result: { exceptions: { message: string }[] }) =>
        result.exceptions.map(({ message }) => message),
      );
      return [`${url.slice('/results/'.length)}: ${success}`, ...messages].join(', ');
    });

const good = { interactions: [call] };

test('pacts of the broker are verified, and their results published', async ({
  pactVerify,
  serve,
}) => {
  const response = { body: jsonBody({ data: { accessToken: 'another' } }) };
  const token = interaction('a token', ['an account'], { request: forToken, response });
  const bad = { interactions: [call, expired, token], pending: true };
  await using broker = await brokerOf({ good, bad });
  const sandbox = await serve(faulty('leeway-of-a-second'));
  const env = { ...leadingTo(broker), ...naming(sandbox) };
  const run = await pactVerify([], env);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(closingLine(run)).toContain('✓ Every pact that counts is kept · 2 verified, 2 failed but');
  expect(run.stdout).toContain(`\npacts of the broker ${broker.url}\n`);
  expect(published(broker)).toEqual([
    'good: true',
    expect.stringContaining('bad: false, the body'),
  ]);
  const wanted = ['mainBranch', 'matchingBranch', 'deployedOrReleased'];
  const selection = broker.arrived.find(({ url }) => url.endsWith('/for-verification'));
  expect(selection?.body).toContain(JSON.stringify(wanted.map((name) => ({ [name]: true }))));
  const leaks = leaksOf([...sandbox.state.tokens.keys()]);
  expect(leaks(broker.arrived.map(({ body }) => body).join())).toEqual([]);
});

test('nothing is published for the sandbox, of a selection, of named files, or on request', async ({
  folder,
  pactVerify,
  serve,
}) => {
  await using broker = await brokerOf({ good });
  const stderr =
    "no provider is set, and what the sandbox does is not published under the provider's name: set PUBLIC_API_BASE_URL, or add --no-publish, or --sandbox to publish it all the same\n";
  expect(await pactVerify([], leadingTo(broker))).toMatchObject({ exit: 2, stdout: '', stderr });
  const named = await pactVerify([put(folder, 'own.json', call)], leadingTo(broker));
  const stdout = expect.stringContaining('pacts were named: nothing is published');
  expect(named).toMatchObject({ exit: 0, stdout });
  // The version of this checkout is not that of a provider which runs elsewhere.
  const elsewhere = { PACT_BROKER_BASE_URL: broker.url, ...naming(await serve(right)) };
  const unknown = expect.stringMatching(/^the provider's version or branch is not known: set GIT_/);
  expect(await pactVerify([], elsewhere)).toMatchObject({ exit: 2, stdout: '', stderr: unknown });
  expect(broker.arrived).toEqual([]);
  const { GIT_COMMIT: _, ...unversioned } = leadingTo(broker);
  for (const args of [['--no-publish'], ['--interaction', 'a call']])
    expect(await pactVerify(args, unversioned)).toExitWith(0);
  expect(published(broker)).toEqual([]);
  expect(await pactVerify(['--sandbox'], leadingTo(broker))).toExitWith(0);
  expect(published(broker)).toEqual(['good: true']);
});

test('an interaction without a state ends in 2 in strict mode, or if it is published, as failed', async ({
  folder,
  pactVerify,
}) => {
  const open = [call, callWithToken('open', ['a widget exists'])];
  await using broker = await brokerOf({ open: { interactions: open } });
  const file = put(folder, 'open.json', ...open);
  for (const [exit, args, env] of [
    [0, [file], {}],
    [2, [file, '--strict'], {}],
    [2, [file], { PUBLIC_API_STRICT: 'true' }],
    [2, ['--sandbox'], leadingTo(broker)],
  ] as const)
    expect(await pactVerify(args, env)).toMatchObject({ exit, stderr: '' });
  const reason = 'open: false, the state "a widget exists" is not one of';
  expect(published(broker)).toEqual([expect.stringContaining(reason)]);
});

test('a result that the broker does not take ends a good run in 2', async ({ pactVerify }) => {
  const bad = { interactions: [callWithToken('bad', undefined, { status: 204 })] };
  for (const [pact, exit] of [
    [good, 2],
    [bad, 1],
  ] as const) {
    await using broker = await brokerOf({ pact }, { status: 403, body: {} });
    const stdout = expect.stringMatching(/not published: .* refuses the\s+credentials/);
    expect(await pactVerify(['--sandbox'], leadingTo(broker))).toMatchObject({ exit, stdout });
  }
});

test('a result that is not at the broker makes a good run none, and a defect publishes nothing', async () => {
  const ofBoth = pactOf(callWithToken('wrong', undefined, { status: 204 }), expired);
  const pacts = [pactOf(call), pending(pactOf(expired)), ofBoth];
  const run = await verifying(pacts, { aim: withoutClock });
  const failing = (error: Error) => ({ publish: () => Promise.reject(error) });
  const notes = Array(3).fill('not published: it is gone');
  const gone = failing(new BrokerError('it is gone'));
  expect(await publishAll(gone, run)).toEqual({ notes, isMissing: true });
  await expect(publishAll(failing(new Error('ours')), run)).rejects.toThrow('ours');
  const publish = async () => 'a line';
  const { notes: left } = await publishAll({ publish }, { ...run, unjudged: 'gone' });
  const unverified = 'not published: the pact of a-consumer is not verified';
  expect(left).toEqual(['a line', unverified, 'a line']);
  const broken = await verifying(pactOf(call), defective);
  expect(await publishAll({ publish }, broken)).toEqual({ notes: [], isMissing: false });
});
