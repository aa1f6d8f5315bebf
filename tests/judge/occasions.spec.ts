import http from 'node:http';
import { expect, test } from '@playwright/test';
import { encodeRequest } from '../../contract/http/http-request.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import type { Target } from '../../contract/round/target.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { refusal } from '../faults/fault.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { faulty } from '../faults/index.ts';
import { judgeProvider } from './judge-provider.ts';

test('a token under another scheme is described in words, never by [secret]', async () => {
  const due = probes.filter(({ name }) => name === 'another-scheme-is-refused');
  const { results } = await judgeProvider(sandboxInMemory(faulty('scheme-not-looked-at')), due);
  const occasions = results[0]?.findings.map(({ when }) => when) ?? [];
  expect(occasions).toContain('the scheme is Basic');
  expect(new Set(occasions).size).toBe(occasions.length);
  expect(occasions.filter((when) => when.includes('[secret]'))).toEqual([]);
});

/** It has an endpoint at every path. */
const everywhere: Behaviour = {
  ...right,
  route: ({ method, path }) => ({ method, path, reply: { status: 200, json: {} } }),
};

test('401s are compared where the first endpoint is one for HEAD', async () => {
  const differing: Behaviour = {
    ...everywhere,
    unauthorised: (cause, call, state) => {
      const { status, json } = right.unauthorised(cause, call, state);
      return { status, json: call.path.endsWith('/2') ? { ...Object(json), code: 7 } : json };
    },
  };
  const [first, ...others] = endpointsOf(3);
  const target = sandboxInMemory(differing);
  const due = probes.filter(({ name }) => name === 'every-endpoint-gets-the-same-401');
  const endpoints = [{ ...first, method: 'HEAD' }, ...others] as const;
  const { clauses } = await judgeProvider({ ...target, endpoints }, due);
  expect(clauses).toMatchObject([{ clause: { id: 'ERROR-4' }, verdict: 'violated' }]);
});

test('a probe that runs once judges bodies where the first endpoint is one for HEAD', async () => {
  const target = sandboxInMemory(faulty('refusal-without-body'));
  const [widgets] = target.endpoints;
  const due = probes.filter(({ name }) => name === '24-hours-on-every-date');
  const endpoints = [{ ...widgets, method: 'HEAD' }, widgets] as const;
  const { clauses } = await judgeProvider({ ...target, endpoints }, due);
  expect(clauses.find(({ clause }) => clause.id === 'ERROR-2')?.verdict).toBe('violated');
});

for (const [what, methods, verdict] of [
  ['unverified where every endpoint is one for HEAD', ['HEAD', 'HEAD'], 'unverified'],
  ['judged where only one of them is', ['HEAD', 'GET'], 'holds'],
] as const)
  test(`the envelope is ${what}`, async () => {
    const [first, second] = endpointsOf(2);
    const other = { ...(second ?? first), method: methods[1] };
    const endpoints = [{ ...first, method: methods[0] }, other] as const;
    const due = probes.filter(({ name }) => name === 'every-cause-gets-the-same-401');
    const { clauses } = await judgeProvider({ ...sandboxInMemory(everywhere), endpoints }, due);
    expect(clauses.map((verdictOfClause) => verdictOfClause.verdict)).toEqual(
      Array(4).fill(verdict),
    );
  });

function endpointsOf(count: number): Target['endpoints'] {
  const [first, ...others] = Array.from({ length: count }, (_, index) => ({
    method: 'GET',
    path: `/public-api/v1/widgets/${index}`,
  }));
  if (first === undefined) throw new Error('there is no endpoint');
  return [first, ...others];
}

test('a 401 of its own for expired tokens is found where made-up tokens get several', async () => {
  const code = (cause: string, header = ''): string => {
    if (cause === 'expired') return 'expired';
    return cause === 'invalid' && /^Bearer .*[0-7]$/.test(header) ? 'wrong sum' : 'unknown';
  };
  const unauthorised: Behaviour['unauthorised'] = (cause, { headers }) => ({
    status: 401,
    json: { ...refusal, code: code(cause, headers.authorization) },
  });
  const due = probes.filter(({ name }) => name === 'the-end-is-exact');
  const { clauses } = await judgeProvider(sandboxInMemory({ ...right, unauthorised }), due);
  const violated = clauses.filter(({ verdict }) => verdict === 'violated');
  expect(violated.map(({ clause }) => clause.id)).toEqual(['ERROR-4']);
});

test('a server that resets requests with too many copies of a long token is judged', async () => {
  const mint: Behaviour['mint'] = (state, now) => right.mint(state, now).repeat(186);
  const own = sandboxInMemory({ ...right, mint });
  const exchange: Target['exchange'] = (connection, sent, where) => {
    const { headers } = encodeRequest(connection.origin, sent);
    if (headers.flat().join('').length > http.maxHeaderSize)
      throw new UnreachableError('truncated', where, 'ECONNRESET');
    return own.exchange?.(connection, sent, where) ?? Promise.reject(new Error('no network'));
  };
  const due = probes.filter(({ clauses }) => clauses.includes('BEARER-2'));
  const { clauses, exit } = await judgeProvider({ ...own, exchange }, due);
  const verdicts = clauses.map(({ clause, verdict, reason }) => [clause.id, verdict, reason]);
  expect(verdicts).toContainEqual(['BEARER-2', 'holds', undefined]);
  expect(exit).toBe(0);
});

test('with a concurrency of 1 no connection stays open for the next request', async () => {
  const own = sandboxInMemory();
  const kept: unknown[] = [];
  const exchange: Target['exchange'] = (connection, sent, where) => {
    kept.push(Reflect.get(Object(sent.agent), 'keepAlive'));
    return own.exchange?.(connection, sent, where) ?? Promise.reject(new Error('no network'));
  };
  const due = probes.filter(({ stage }) => stage === 'first');
  expect(await judgeProvider({ ...own, exchange, concurrency: 1 }, due)).toMatchObject({ exit: 0 });
  expect(kept).not.toContain(true);
});
