import { mustHold } from '../../contract/clauses.ts';
import { faulty } from '../../sandbox/faults/index.ts';
import { closingLine, expect, naming, report, test } from './process.ts';

test('a static token violates EXPIRY-2 and EXPIRY-6', async ({ gate, serve }) => {
  const run = await gate([], naming(await serve(faulty('static-token'))));
  expect(run).toMatchObject({ exit: 1 });
  expect(closingLine(run)).toMatch(
    new RegExp(
      `^✗ Contract violated · ${mustHold.length - 7} held, 2 violated, 5 unverified \\(all prevented\\) · `,
    ),
  );
  expect(run.stdout).toMatch(/\n {2}again {5}.*npm run gate -- EXPIRY-2\n/);
  const { clauses } = JSON.parse(await report(run, 'gate.json'));
  const violated = clauses.filter(({ verdict }: { verdict: string }) => verdict === 'violated');
  expect(violated.map(({ id }: { id: string }) => id)).toEqual(['EXPIRY-2', 'EXPIRY-6']);
  expect(violated[1].findings[0]).toEqual({
    probe: 'a-new-token-follows-the-expired-one',
    endpoint: 'GET /public-api/v1/widgets',
    when: expect.stringMatching(/^at 2 d .* after the token was made, 24 hours have elapsed since/),
    asked: 'POST /public-api/v1/auth/token',
    expected: 'a new token',
    received: 'the same token',
  });
});

test('a provider that reissues a valid token keeps the contract', async ({ gate, serve }) => {
  const run = await gate(['EXPIRY'], naming(await serve(faulty('same-token-until-its-end'))));
  expect(run).toMatchObject({ exit: 0 });
  expect(run.stdout).toMatch(/! EXPIRY-4 .*\n.*\n.*gave an older\n +token again/);
});
