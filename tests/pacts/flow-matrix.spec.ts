import { expect, test } from '@playwright/test';
import { type Answer, serveBroker } from './fake-broker.ts';
import { flow } from './flow-stage.ts';

const row = {
  consumer: { name: 'c', version: { number: '1' } },
  provider: { name: 'p', version: { number: '5' } },
  verificationResult: { success: true },
};

const deployed = {
  _embedded: { pacticipant: { name: 'p' }, version: { number: '5' } },
};

const wrong = [{ type: 'error', text: 'something unexpected' }];

/** Runs can-i-deploy on a broker in which the provider is deployed and which answers with this matrix. */
async function answerTo(matrix: Answer) {
  await using server = await serveBroker(({ url }) => {
    if (url.startsWith('/matrix')) return matrix;
    const environments = [{ name: 'there', uuid: 'u' }];
    const deployedVersions = [deployed];
    return { body: { _embedded: { environments, deployedVersions } } };
  });
  const words = ['can-i-deploy', '--pacticipant', 'c', '--to-environment', 'there'];
  return await flow(words, { PACT_BROKER_BASE_URL: server.url });
}

test('the answer is yes when the broker and its rows agree', async () => {
  const ran = await answerTo({ body: { summary: { deployable: true }, matrix: [row] } });
  expect(ran).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/^yes: c 1 may go to there/),
  });
});

for (const [what, matrix] of [
  ['the broker says no', { summary: { deployable: false }, notices: wrong, matrix: [row] }],
  ['the broker does not know', { summary: { deployable: null }, notices: wrong, matrix: [row] }],
  ['something is wrong', { summary: { deployable: true }, notices: wrong, matrix: [row] }],
  ['nothing is there and the broker says no', { summary: { deployable: false }, notices: wrong }],
] as const)
  test(`the answer is unknown where ${what}, even if no row contradicts`, async () => {
    expect(await answerTo({ body: matrix })).toEqual({
      exit: 2,
      stderr: '',
      stdout: `unknown: c 1 is not verified against what is in there
  something unexpected
`,
    });
  });

test('a name from the broker adds no line to the output, and is no command for a CI', async () => {
  const consumer = { name: 'c\n::add-mask::x\u001b[2J', version: { number: '1' } };
  const body = { summary: { deployable: true }, matrix: [{ ...row, consumer }] };
  const { exit, stdout } = await answerTo({ body });
  expect([exit, stdout.trim().split('\n').length]).toEqual([0, 2]);
  expect(stdout).not.toMatch(/^::|\u001b/m);
});

test('a long text from the broker is shortened without a delay', async () => {
  const notices = [{ type: 'error', text: 'the body at $.widgets '.repeat(4000) }];
  const startedAt = performance.now();
  const { stdout } = await answerTo({ body: { summary: { deployable: false }, notices } });
  expect(stdout).toMatch(/^unknown: .*\n {2}the body at .{380,390}…\n$/);
  expect(performance.now() - startedAt).toBeLessThan(3000);
});

test('a truncated or refused matrix proves nothing', async () => {
  const long = { summary: { deployable: true }, matrix: Array.from({ length: 1000 }, () => row) };
  expect(await answerTo({ body: long })).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: "the Pact Broker's matrix is cut off after 1000 rows\n",
  });
  expect(await answerTo({ status: 400, body: { errors: ['no'] } })).toMatchObject({
    exit: 2,
    stderr: 'the Pact Broker does not answer that: no\n',
  });
});

test('a misspelt pacticipant gets the names that the broker has, the most similar one first', async () => {
  const names = ['billing', 'orders', 'shop\n::add-mask::x', 'mail', 'search', 'stock'];
  await using server = await serveBroker(({ url }) => {
    if (url.startsWith('/pacticipants/')) return { status: 404 };
    const environments = [{ name: 'there', uuid: 'u' }];
    const pacticipants = names.map((name) => ({ name }));
    return { body: { _embedded: { environments, pacticipants } } };
  });
  const request = (name: string) =>
    flow(['can-i-deploy', '--pacticipant', name, '--to-environment', 'there'], {
      PACT_BROKER_BASE_URL: server.url,
    });
  expect(await request('serch')).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'the Pact Broker has no pacticipant "serch" (it has search, billing, orders, shop ::add-mask::x, mail and 1 more): correct --pacticipant, or publish its pacts or its results first\n',
  });
  names.splice(0);
  expect((await request('serch')).stderr).toContain('"serch" (it has none): ');
});
