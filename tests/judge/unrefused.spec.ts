import { expect, test } from '@playwright/test';
import { probes } from '../../probes/index.ts';
import { type Behaviour, type Reply, right } from '../../sandbox/behaviour.ts';
import { count, htmlPage } from '../faults/fault.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from './judge-provider.ts';

const errors = probes.filter(({ clauses }) => clauses.some((id) => id.startsWith('ERROR')));
const unguarded = { ...right, guard: () => undefined };

for (const probe of errors)
  test(`${probe.name} proves nothing where nothing is refused, and says why`, async () => {
    const { results } = await judgeProvider(sandboxInMemory(unguarded), [probe]);
    expect(results.length).toBeGreaterThan(0);
    for (const { unproven } of results)
      expect(unproven).toMatch(/^a request without a token is answered with 20[02]$/);
  });

test('where an endpoint redirects to, the reason says', async () => {
  const moved: Reply = { status: 307, headers: { Location: '/public-api/v1/widgets/' } };
  const finish: Behaviour['finish'] = (reply, { path }) => (path.endsWith('token') ? reply : moved);
  const { unjudged, exit } = await judgeProvider(sandboxInMemory({ ...right, finish }), probes);
  expect(exit).toBe(2);
  expect(unjudged).toContain('is answered with 307 redirects to /public-api/v1/widgets/ (');
});

test('a precondition that fails before the guard is reported, although a valid token gets the same answer', async () => {
  const finish: Behaviour['finish'] = (reply, { headers }) =>
    headers['if-match'] === undefined ? reply : { status: 412 };
  const { results } = await judgeProvider(sandboxInMemory({ ...right, finish }), errors);
  const findings = results.flatMap((result) => result.findings);
  expect(new Set(findings.map(({ clause, received }) => `${clause}: ${received}`))).toEqual(
    new Set(['ERROR-1: 412 0 bytes']),
  );
});

/** The first three requests without a token at each path have an accident on the way. */
const struckThrice: Behaviour = {
  ...right,
  unauthorised(cause, call, state) {
    const isEarly = cause === 'missing' && count(state, `without a token at ${call.path}`) <= 3;
    return isEarly ? htmlPage(520, '<h1>520</h1>') : right.unauthorised(cause, call, state);
  },
};

for (const probe of errors)
  test(`${probe.name} proves its clauses in spite of three accidents in a row`, async () => {
    const { results, exit } = await judgeProvider(sandboxInMemory(struckThrice), [probe]);
    expect(results.length).toBeGreaterThan(0);
    for (const { outcome, unproven } of results)
      expect({ outcome, unproven }).toEqual({ outcome: 'passed', unproven: undefined });
    expect(exit).toBe(0);
  });
